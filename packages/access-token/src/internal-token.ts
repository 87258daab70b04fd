import { importJWK, jwtVerify, SignJWT } from 'jose';
import type { JWK } from 'jose';
import { LRUCache } from 'lru-cache';
import { TokenError } from './access-token.ts';
import type { AccessClaims } from './access-token.ts';
import { algorithm, newSigningKey, publicPart } from './keys.ts';
import { createVerifiedCache } from './verified-cache.ts';

const issuer = 'storefront-gateway';
const tokenType = 'internal+jwt';
const lifetimeSeconds = 300;
const reuseUntilSeconds = 60;

/** A logged-in user. */
export type Principal = AccessClaims;
/** Who a request is for: a user, or nobody known. */
export type Caller = Principal | null;

export interface InternalKeyPair {
  /** For the gateway alone. */
  readonly privateJwk: JWK;
  /** For every service: it can check the gateway's word, not give it. */
  readonly publicJwk: JWK;
}

export async function newInternalKeyPair(): Promise<InternalKeyPair> {
  const key = await newSigningKey();
  return { privateJwk: key.privateJwk, publicJwk: publicPart(key) };
}

export interface InternalTokenIssuer {
  /** The gateway's word to one service about who is calling; the same token again until it is near its end. */
  issue(service: string, caller: Caller): Promise<string>;
}

export function createInternalTokenIssuer(privateJwk: JWK, now: () => Date = () => new Date()): InternalTokenIssuer {
  const key = importJWK(privateJwk, algorithm);
  const issued = new LRUCache<string, { token: Promise<string>; until: number }>({ max: 20_000 });
  return {
    async issue(service, caller) {
      const seconds = Math.floor(now().getTime() / 1000);
      const cacheKey = caller ? `${service} ${caller.sub} ${caller.sid} ${caller.ver} ${caller.role}` : service;
      const known = issued.get(cacheKey);
      if (known && known.until > seconds) return known.token;
      const claims = caller ? { role: caller.role, sid: caller.sid, ver: caller.ver } : {};
      const token = key.then((privateKey) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: algorithm, typ: tokenType })
          .setSubject(caller?.sub ?? 'anonymous')
          .setIssuer(issuer)
          .setAudience(service)
          .setIssuedAt(seconds)
          .setExpirationTime(seconds + lifetimeSeconds)
          .sign(privateKey),
      );
      issued.set(cacheKey, { token, until: seconds + lifetimeSeconds - reuseUntilSeconds });
      return token;
    },
  };
}

export interface InternalTokenVerifier {
  /** Who is calling, as the gateway says; a TokenError where it is not the gateway's word to this service. */
  verify(token: string): Promise<Caller>;
}

export function createInternalTokenVerifier(
  publicJwk: JWK,
  service: string,
  now: () => Date = () => new Date(),
): InternalTokenVerifier {
  const key = importJWK(publicJwk, algorithm);
  const cache = createVerifiedCache<{ exp: number; caller: Caller }>(20_000, () => now().getTime());
  return {
    async verify(token) {
      const { caller } = await cache.through(token, async () => {
        const { payload } = await jwtVerify(token, await key, {
          algorithms: [algorithm],
          typ: tokenType,
          issuer,
          audience: service,
          requiredClaims: ['sub', 'exp'],
          currentDate: now(),
          clockTolerance: 5,
        }).catch((error: unknown) => {
          throw new TokenError('rejected', error instanceof Error ? error.message : String(error));
        });
        const { sub, role, sid, ver } = payload;
        const principal =
          sub === 'anonymous'
            ? null
            : ({
                sub: sub as string,
                role: role as Principal['role'],
                sid: sid as string,
                ver: ver as number,
              } as const);
        return { exp: payload.exp as number, caller: principal };
      });
      return caller;
    },
  };
}
