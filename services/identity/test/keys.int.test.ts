import { createAccessTokenVerifier } from '@storefront/access-token';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader } from 'jose';
import { times } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rotateSigningKeys } from '../src/sessions/secrets/signing-keys.ts';
import { openKeyRings } from '../src/sessions/store/key-rings.ts';
import { startIdentity, type IdentityHarness } from './harness.ts';

let identity: IdentityHarness;
beforeAll(async () => (identity = await startIdentity()));
afterAll(() => identity.close());

const jwks = async (call = identity.call) => (await call('GET', '/.well-known/jwks.json')).body;
const kidOf = (token: string) => decodeProtectedHeader(token).kid;

async function verify(token: string, keys: any) {
  const rules = { issuer: 'storefront', audience: 'storefront-api' };
  return createAccessTokenVerifier(rules, createLocalJWKSet(keys), { now: identity.now }).verify(token);
}

describe('the signing keys', () => {
  it('are published without their private part, the next one before it signs', async () => {
    const answer = await identity.call('GET', '/.well-known/jwks.json');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=30');
    expect(answer.body.keys).toHaveLength(2);
    for (const key of answer.body.keys)
      expect(Object.keys(key).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
    const { accessToken } = await identity.member('ada@one.example');
    expect(kidOf(accessToken)).toBe(answer.body.keys[0].kid);
    expect(await verify(accessToken, answer.body)).toMatchObject({ sub: decodeJwt(accessToken).sub });
  });

  it('are the same for all instances that start at once, and sealed in the database', async () => {
    const calls = await times(3, () => identity.another());
    const found = await Promise.all(calls.map((call) => jwks(call)));
    for (const keys of found) expect(keys).toEqual(await jwks());
    const [ring] = await identity.collection('signing_keys').find().toArray();
    expect(JSON.stringify(ring)).not.toContain('"d"');
    expect(ring.keys[0].sealed).toMatch(/^ey[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  it('rotate: old tokens go on, new ones are signed by the key that was announced', async () => {
    const { email, accessToken } = await identity.member('rotate@one.example');
    const before = await jwks();
    identity.advance(120);
    const rotation = {
      keyRings: openKeyRings(identity.connection),
      secret: identity.settings['KEY_ENCRYPTION_SECRET'] ?? '',
      accessSeconds: 900,
      now: identity.now,
    };
    const next = await rotateSigningKeys(rotation);
    expect(next.kid).toBe(before.keys[1].kid);
    // A new instance reads the ring at its start; those that run, within seconds.
    const call = await identity.another();
    const after = await jwks(call);
    expect(after.keys.map(({ kid }: any) => kid)).toEqual([before.keys[0].kid, next.kid, expect.any(String)]);
    const body = { email, password: 'a quiet lake in the morning' };
    const { body: tokens } = await call('POST', '/v1/auth/login', { body });
    expect(kidOf(tokens.accessToken)).toBe(next.kid);
    await verify(accessToken, after);
    // Verifiers that have not fetched the keys again know the new one already.
    await verify(tokens.accessToken, before);
    identity.advance(961);
    expect((await jwks(call)).keys.map(({ kid }: any) => kid)).not.toContain(before.keys[0].kid);
  });

  it('do not open with another secret', async () => {
    const { settings } = identity;
    const kept = settings['KEY_ENCRYPTION_SECRET'] ?? '';
    settings['KEY_ENCRYPTION_SECRET'] = 'x'.repeat(32);
    await expect(identity.another()).rejects.toThrow(/KEY_ENCRYPTION_SECRET/);
    settings['KEY_ENCRYPTION_SECRET'] = kept;
  });
});
