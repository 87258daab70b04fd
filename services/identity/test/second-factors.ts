import type { Answer } from '@storefront/testing';
import { generateSync } from 'otplib';
import { createAuthenticator } from './authenticator.ts';
import { password, type IdentityHarness } from './harness.ts';

/** What people with second factors do. */
export function secondFactors(identity: IdentityHarness) {
  const { call, post } = identity;

  /** The code of the authenticator app now, or so many steps of 30 s later. */
  const codeOf = (secret: string, steps = 0) =>
    generateSync({ secret, epoch: Math.floor(identity.now().getTime() / 1000) + steps * 30 });

  const logIn = (email: string, given = password): Promise<Answer> =>
    post('/v1/auth/login', { email, password: given });
  const verify = (body: object) => post('/v1/auth/mfa/verify', body);

  async function mfaTokenOf(email: string): Promise<string> {
    const { status, body } = await logIn(email);
    if (status !== 401 || body.code !== 'mfa_required') throw new Error(JSON.stringify(body));
    return body.mfaToken;
  }

  /** One after the other: so many logins at once would wait for each other, and on a busy machine too long. */
  async function mfaTokensOf(email: string, count: number): Promise<string[]> {
    const tokens: string[] = [];
    while (tokens.length < count) tokens.push(await mfaTokenOf(email));
    return tokens;
  }

  /** Sets an authenticator app up; its first code is used up by that. */
  async function addTotp(as: string) {
    const begun = await post('/v1/auth/mfa/totp', undefined, as);
    if (begun.status !== 200) throw new Error(JSON.stringify(begun.body));
    const { secret } = begun.body as { secret: string };
    const confirmed = await post('/v1/auth/mfa/totp/confirm', { code: codeOf(secret) }, as);
    if (confirmed.status !== 200) throw new Error(JSON.stringify(confirmed.body));
    return { secret, recoveryCodes: confirmed.body.recoveryCodes as string[] };
  }

  async function memberWithTotp(email: string) {
    const member = await identity.member(email);
    const added = await addTotp(member.accessToken);
    // The next codes are of later steps than the one that was used up.
    identity.advance(30);
    return { ...member, ...added };
  }

  async function addPasskey(as: string, authenticator = createAuthenticator(), name = 'Laptop') {
    const { body: options } = await post('/v1/auth/passkeys/options', undefined, as);
    const response = authenticator.create({ challenge: options.challenge });
    const answer = await post('/v1/auth/passkeys', { name, response }, as);
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return { authenticator, ...(answer.body as { id: string; recoveryCodes: string[] | null }) };
  }

  async function memberWithPasskey(email: string) {
    const member = await identity.member(email);
    return { ...member, passkey: await addPasskey(member.accessToken) };
  }

  return {
    codeOf,
    logIn,
    verify,
    mfaTokenOf,
    mfaTokensOf,
    addTotp,
    memberWithTotp,
    addPasskey,
    memberWithPasskey,
    reauthenticate: (as: string, body: object) => post('/v1/auth/reauthenticate', body, as),
    stateOf: async (as: string) => (await call('GET', '/v1/auth/mfa', { as })).body,
    /** 5 minutes after the last proof. */
    waitUntilStale: () => identity.advance(5 * 60 + 1),
  };
}
