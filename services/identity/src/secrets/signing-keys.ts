import { hkdfSync } from 'node:crypto';
import { newSigningKey, publicPart } from '@storefront/access-token';
import type { SigningKey } from '@storefront/access-token';
import type { JWK } from 'jose';
import type { Logger } from 'pino';
import { activeKey, newKeyring, published, rotate } from '../domain/keyring.ts';
import type { Keyring, SealedKey } from '../domain/keyring.ts';
import type { Keyrings } from '../store/keyrings.ts';
import { seal, unseal } from './seal.ts';

export interface SigningKeys {
  /** The key that signs now. */
  current(): SigningKey;
  /** What verifiers may know, as a JWKS holds it. */
  published(): JWK[];
  close(): void;
}

interface Surroundings {
  readonly keyrings: Keyrings;
  /** Seals the private parts at rest. */
  readonly secret: string;
  readonly accessSeconds: number;
  readonly now: () => Date;
}

const reloadMs = 15_000;

/** The signing keys, made at the first start of all and read again from time to time, so that a rotation is noticed. */
export async function openSigningKeys(given: Surroundings, logger: Logger): Promise<SigningKeys> {
  const { keyrings, now, accessSeconds } = given;
  const key = sealingKey(given.secret);
  const opened = new Map<string, SigningKey>();
  let ring = await load();
  const timer = setInterval(() => {
    load()
      .then((loaded) => (ring = loaded))
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'could not read the signing keys again; keeping those known'),
      );
  }, reloadMs);
  timer.unref();

  return {
    current: () => of(activeKey(ring, now())),
    published: () => published(ring, { now: now(), accessSeconds }).map((sealed) => publicPart(of(sealed))),
    close: () => clearInterval(timer),
  };

  async function load(): Promise<Keyring> {
    const loaded =
      (await keyrings.load()) ??
      (await keyrings.begin(newKeyring(await freshKey(key, now()), await freshKey(key, now()))));
    for (const sealed of loaded.keys) {
      if (opened.has(sealed.kid)) continue;
      const privateJwk = await unseal(sealed.sealed, key).catch((error: unknown) => {
        throw new Error('KEY_ENCRYPTION_SECRET is not the one that sealed the signing keys', { cause: error });
      });
      opened.set(sealed.kid, { kid: sealed.kid, privateJwk: privateJwk as JWK });
    }
    return loaded;
  }

  function of(sealed: SealedKey): SigningKey {
    const signingKey = opened.get(sealed.kid);
    if (!signingKey) throw new Error(`the signing key ${sealed.kid} was not opened`);
    return signingKey;
  }
}

/** Puts the next key into force; answers from when on it signs. Instances that run notice within seconds. */
export async function rotateSigningKeys({ keyrings, secret, accessSeconds, now }: Surroundings): Promise<SealedKey> {
  const fresh = await freshKey(sealingKey(secret), now());
  const ring = await keyrings.change((before) => rotate(before, fresh, { now: now(), accessSeconds }));
  const newest = ring.keys.findLast((sealed) => sealed.activeFrom !== null);
  if (!newest) throw new Error('the ring has no key that signs');
  return newest;
}

async function freshKey(key: Uint8Array, createdAt: Date): Promise<Omit<SealedKey, 'activeFrom'>> {
  const { kid, privateJwk } = await newSigningKey();
  return { kid, sealed: await seal(privateJwk, key), createdAt };
}

function sealingKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'storefront signing keys', 32));
}
