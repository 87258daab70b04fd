import { createHmac } from 'node:crypto';
import { createLocalJWKSet, importJWK, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createAccessTokenSigner,
  createAccessTokenVerifier,
  createInternalTokenIssuer,
  createInternalTokenVerifier,
  newInternalKeyPair,
  newSigningKey,
  publicPart,
  type AccessClaims,
  type SigningKey,
} from '../src/index.ts';

const rules = { issuer: 'storefront', audience: 'storefront-api' };
const claims: AccessClaims = { sub: 'user_1', role: 'retail', sid: 'sess_1', ver: 3 };
let key: SigningKey;
let now = new Date('2026-11-21T09:30:00Z');
const clock = () => now;

beforeAll(async () => {
  key = await newSigningKey();
});

const verifier = (keys: SigningKey[] = [key]) =>
  createAccessTokenVerifier(rules, createLocalJWKSet({ keys: keys.map(publicPart) as never }), { now: clock });
const signer = () => createAccessTokenSigner(rules, () => key, clock);

async function signed(header: Record<string, unknown>, payload: Record<string, unknown>, with_ = key): Promise<string> {
  const seconds = Math.floor(now.getTime() / 1000);
  return new SignJWT({
    ...claims,
    jti: 'j',
    iat: seconds,
    exp: seconds + 60,
    iss: rules.issuer,
    aud: rules.audience,
    ...payload,
  })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: with_.kid, ...header })
    .sign(await importJWK(with_.privateJwk, 'EdDSA'));
}

describe('an access token', () => {
  it('identifies the user until it expires', async () => {
    const token = await signer().sign(claims, 900);
    const check = verifier();
    expect(await check.verify(token)).toMatchObject(claims);
    now = new Date(now.getTime() + 901_000);
    // An expired token is refused even if it is in the cache.
    await expect(check.verify(token)).rejects.toMatchObject({ code: 'expired' });
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['another audience', {}, { aud: 'somebody-else' }],
    ['another issuer', {}, { iss: 'somebody-else' }],
    ['another type', { typ: 'JWT' }, {}],
    ['no version', {}, { ver: undefined }],
    ['a version that is no integer', {}, { ver: 1.5 }],
    ['an unknown role', {}, { role: 'root' }],
    ['no id of its own', {}, { jti: undefined }],
  ])('is refused with %s', async (_what, header, payload) => {
    await expect(verifier().verify(await signed(header, payload))).rejects.toMatchObject({ name: 'TokenError' });
  });

  it('is refused when another key signed it under the id of our key', async () => {
    const otherKey = { ...(await newSigningKey()), kid: key.kid };
    await expect(verifier().verify(await signed({}, {}, otherKey))).rejects.toMatchObject({ code: 'rejected' });
  });

  it('is refused without a signature, and when our public key was used as a shared secret', async () => {
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const body = encode({ ...claims, jti: 'j', iat: 1, exp: 9_999_999_999, iss: rules.issuer, aud: rules.audience });
    const none = `${encode({ alg: 'none', typ: 'at+jwt' })}.${body}.`;
    const head = `${encode({ alg: 'HS256', typ: 'at+jwt', kid: key.kid })}.${body}`;
    const confused = `${head}.${createHmac('sha256', JSON.stringify(publicPart(key)))
      .update(head)
      .digest('base64url')}`;
    await expect(verifier().verify(none)).rejects.toMatchObject({ name: 'TokenError' });
    await expect(verifier().verify(confused)).rejects.toMatchObject({ name: 'TokenError' });
  });

  it('is not reported as invalid when the keys can not be fetched', async () => {
    const check = createAccessTokenVerifier(rules, () => Promise.reject(new TypeError('fetch failed')), { now: clock });
    await expect(check.verify(await signer().sign(claims, 60))).rejects.toBeInstanceOf(TypeError);
  });
});

describe('an internal token', () => {
  it('identifies the caller to one service only', async () => {
    const { privateJwk, publicJwk } = await newInternalKeyPair();
    const issuer = createInternalTokenIssuer(privateJwk, clock);
    const known = await issuer.issue('identity', claims);
    expect(await createInternalTokenVerifier(publicJwk, 'identity', clock).verify(known)).toEqual(claims);
    const unknown = await issuer.issue('identity', null);
    expect(await createInternalTokenVerifier(publicJwk, 'identity', clock).verify(unknown)).toBeNull();
    await expect(createInternalTokenVerifier(publicJwk, 'account', clock).verify(known)).rejects.toMatchObject({
      name: 'TokenError',
    });
    const other = await newInternalKeyPair();
    await expect(createInternalTokenVerifier(other.publicJwk, 'identity', clock).verify(known)).rejects.toMatchObject({
      name: 'TokenError',
    });
  });

  it.each([20, -20])(
    'is good at a service whose clock differs by %i s, from its issue to its last use',
    async (seconds) => {
      const { privateJwk, publicJwk } = await newInternalKeyPair();
      const issuer = createInternalTokenIssuer(privateJwk, clock);
      const ofService = () => new Date(clock().getTime() + seconds * 1000);
      const check = createInternalTokenVerifier(publicJwk, 'identity', ofService);
      const token = await issuer.issue('identity', claims);
      expect(await check.verify(token)).toEqual(claims);
      now = new Date(now.getTime() + 239_000);
      expect(await issuer.issue('identity', claims)).toBe(token);
      expect(await createInternalTokenVerifier(publicJwk, 'identity', ofService).verify(token)).toEqual(claims);
    },
  );

  it('is good for half a minute beyond its expiry, and no longer', async () => {
    const { privateJwk, publicJwk } = await newInternalKeyPair();
    const token = await createInternalTokenIssuer(privateJwk, clock).issue('identity', null);
    const at = (seconds: number) => {
      const later = new Date(now.getTime() + seconds * 1000);
      return createInternalTokenVerifier(publicJwk, 'identity', () => later).verify(token);
    };
    expect(await at(328)).toBeNull();
    await expect(at(332)).rejects.toMatchObject({ name: 'TokenError' });
  });

  it('is issued again until it is close to its expiry', async () => {
    const issuer = createInternalTokenIssuer((await newInternalKeyPair()).privateJwk, clock);
    const first = await issuer.issue('identity', claims);
    expect(await issuer.issue('identity', claims)).toBe(first);
    expect(await issuer.issue('account', claims)).not.toBe(first);
    expect(await issuer.issue('identity', { ...claims, ver: 4 })).not.toBe(first);
    now = new Date(now.getTime() + 250_000);
    expect(await issuer.issue('identity', claims)).not.toBe(first);
  });
});
