import { randomBytes } from 'node:crypto';
import { identityErrors, type identityHttp } from '@storefront/contracts';
import type { z } from 'zod';
import type { Passkey } from '../domain/factors.ts';

type Json = { readonly challenge: string } & Record<string, unknown>;
type Creation = z.output<typeof identityHttp.passkeyCreation>;
type Answer = z.output<typeof identityHttp.passkeyAnswer>;

/** The web pages that may use passkeys of this shop. */
export interface RelyingParty {
  readonly name: string;
  /** The domain for which passkeys are made; they work only there. */
  readonly id: string;
  readonly origins: readonly string[];
}

/** Passkeys by WebAuthn. The caller has to check that this service made the challenge. */
export interface Webauthn {
  newChallenge(): string;
  /** The challenge that the browser has signed; null where it can't be read. */
  challengeOf(answer: Creation | Answer): string | null;
  /** The user to whom the passkey says that it belongs; null where it names no user. */
  userOf(answer: Answer): string | null;
  creationOptions(
    challenge: string,
    user: { readonly id: string; readonly email: string; readonly name: string },
    known: readonly Passkey[],
  ): Promise<Json>;
  /** Only the `allowed` passkeys may answer; null allows any passkey, which then has to verify its user. */
  requestOptions(challenge: string, allowed: readonly Passkey[] | null): Promise<Json>;
  /** Checks the answer and returns the fields of the new passkey that are stored. Throws `invalid_factor`. */
  verifyCreation(
    challenge: string,
    answer: Creation,
  ): Promise<Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'backedUp'>>;
  /**
   * Checks the answer. Throws `invalid_factor`. `mustVerifyUser` says whether the passkey must have requested a
   * fingerprint, a face or a PIN.
   */
  verifyAnswer(
    challenge: string,
    answer: Answer,
    passkey: Passkey,
    mustVerifyUser: boolean,
  ): Promise<Pick<Passkey, 'credentialId' | 'counter' | 'backedUp'>>;
}

type Transport = 'ble' | 'cable' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb';
// EdDSA, ES256 and RS256; every passkey supports one of these algorithms. Without this list the library also tests
// whether the runtime supports newer ones.
const supportedAlgorithmIDs = [-8, -7, -257];
const timeoutMs = 5 * 60 * 1000;
const mostTransports = 10;

export function createWebauthn({ name, id: rpId, origins }: RelyingParty): Webauthn {
  // The library takes 22 MB of memory. Most instances never need it, so it is loaded at the first use.
  const load = () => import('@simplewebauthn/server');
  const descriptors = (passkeys: readonly Passkey[]) =>
    passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports: transports as Transport[] }));
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));

  return {
    newChallenge: () => randomBytes(32).toString('base64url'),
    challengeOf: ({ response }) => readChallenge(response.clientDataJSON),
    userOf: ({ response: { userHandle } }) =>
      userHandle ? Buffer.from(userHandle, 'base64url').toString('utf8') : null,

    async creationOptions(challenge, user, known) {
      const { generateRegistrationOptions } = await load();
      const options = await generateRegistrationOptions({
        rpName: name,
        rpID: rpId,
        challenge: bytes(challenge),
        userID: new TextEncoder().encode(user.id),
        userName: user.email,
        userDisplayName: user.name,
        timeout: timeoutMs,
        attestationType: 'none',
        supportedAlgorithmIDs,
        excludeCredentials: descriptors(known),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      });
      return { ...options };
    },

    async requestOptions(challenge, allowed) {
      const { generateAuthenticationOptions } = await load();
      const options = await generateAuthenticationOptions({
        rpID: rpId,
        challenge: bytes(challenge),
        timeout: timeoutMs,
        userVerification: allowed ? 'preferred' : 'required',
        ...(allowed && { allowCredentials: descriptors(allowed) }),
      });
      return { ...options };
    },

    async verifyCreation(expectedChallenge, answer) {
      const { verifyRegistrationResponse } = await load();
      const { registrationInfo } = await orInvalid(() =>
        verifyRegistrationResponse({
          response: { ...answer, clientExtensionResults: {} },
          expectedChallenge,
          expectedOrigin: [...origins],
          expectedRPID: rpId,
          requireUserVerification: false,
          supportedAlgorithmIDs,
        }),
      );
      if (!registrationInfo) throw identityErrors.invalidFactor();
      const { credential, credentialBackedUp } = registrationInfo;
      return {
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: (answer.response.transports ?? []).slice(0, mostTransports),
        backedUp: credentialBackedUp,
      };
    },

    async verifyAnswer(expectedChallenge, answer, passkey, requireUserVerification) {
      const { verifyAuthenticationResponse } = await load();
      const { verified, authenticationInfo } = await orInvalid(() =>
        verifyAuthenticationResponse({
          response: { ...answer, clientExtensionResults: {} } as never,
          expectedChallenge,
          expectedOrigin: [...origins],
          expectedRPID: rpId,
          requireUserVerification,
          credential: { id: passkey.credentialId, publicKey: bytes(passkey.publicKey), counter: passkey.counter },
        }),
      );
      if (!verified) throw identityErrors.invalidFactor();
      const { newCounter, credentialBackedUp } = authenticationInfo;
      return { credentialId: passkey.credentialId, counter: newCounter, backedUp: credentialBackedUp };
    },
  };
}

// The library throws errors of its own for all wrong input of a browser. Each of them becomes `invalid_factor`.
async function orInvalid<Result>(verify: () => Promise<Result>): Promise<Result> {
  try {
    return await verify();
  } catch {
    throw identityErrors.invalidFactor();
  }
}

function readChallenge(clientDataJSON: string): string | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'));
    const challenge = (data as { challenge?: unknown } | null)?.challenge;
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}
