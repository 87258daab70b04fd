import { importJWK, jwtVerify, SignJWT, type JWK } from 'jose';
import { LRUCache } from 'lru-cache';
import { TokenError, type AccessClaims } from './access-token.ts';
import { algorithm, newSigningKey, publicPart } from './keys.ts';
import { createVerifiedCache } from './verified-cache.ts';

const issuer = 'storefront-gateway';
const tokenType = 'internal+jwt';
const lifetimeSeconds = 300;
// A token that stays valid for longer than this is returned again; otherwise a new token is issued.
const minimumRemainingSeconds = 60;
// The difference between the clocks of a gateway and a service that is tolerated.
const clockToleranceSeconds = 30;

/** A logged-in user, or a program with an API token. */
export interface Principal extends Omit<AccessClaims, 'role'> {
  /** `program`: `sub` and `sid` are the id of the API token, and `scopes` says what the token may do. */
  readonly role: AccessClaims['role'] | 'program';
  /** Only of a program. The scopes of an API token never change. */
  readonly scopes?: readonly string[];
}
/** The user or program that makes a request, or null for an anonymous request. */
export type Caller = Principal | null;

export interface InternalKeyPair {
  /** Only the gateway has the private key: it signs tokens with this key. */
  readonly privateJwk: JWK;
  /** The services have the public key: they verify tokens with this key. */
  readonly publicJwk: JWK;
}

export async function newInternalKeyPair(): Promise<InternalKeyPair> {
  const key = await newSigningKey();
  return { privateJwk: key.privateJwk, publicJwk: publicPart(key) };
}

export interface InternalTokenIssuer {
  /**
   * Returns a token that tells `service` who the caller is. The same token is returned again until 60 s before its
   * expiry.
   */
  issue(service: string, caller: Caller): Promise<string>;
}

export function createInternalTokenIssuer(privateJwk: JWK, now: () => Date = () => new Date()): InternalTokenIssuer {
  const key = importJWK(privateJwk, algorithm);
  const issued = new LRUCache<string, { token: Promise<string>; until: number }>({ max: 20_000 });
  return {
    async issue(service, caller) {
      const seconds = Math.floor(now().getTime() / 1000);
      const cacheKey = caller ? `${service} ${caller.sub} ${caller.sid} ${caller.ver} ${caller.role}` : service;
      const cached = issued.get(cacheKey);
      if (cached && cached.until > seconds) return cached.token;
      const { role, sid, ver, scopes } = caller ?? {};
      const claims = caller ? { role, sid, ver, ...(scopes && { scopes }) } : {};
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
      issued.set(cacheKey, { token, until: seconds + lifetimeSeconds - minimumRemainingSeconds });
      return token;
    },
  };
}

export interface InternalTokenVerifier {
  /** Returns the caller. Throws a TokenError if the gateway did not issue the token for this service. */
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
      const { caller } = await cache.getOrVerify(token, async () => {
        const { payload } = await jwtVerify(token, await key, {
          algorithms: [algorithm],
          typ: tokenType,
          issuer,
          audience: service,
          requiredClaims: ['sub', 'exp'],
          currentDate: now(),
          clockTolerance: clockToleranceSeconds,
        }).catch((error: unknown) => {
          throw new TokenError('rejected', error instanceof Error ? error.message : String(error));
        });
        const { sub, role, sid, ver, scopes } = payload;
        const principal =
          sub === 'anonymous'
            ? null
            : ({
                sub: sub as string,
                role: role as Principal['role'],
                sid: sid as string,
                ver: ver as number,
                ...(role === 'program' && { scopes: scopes as string[] }),
              } as const);
        return { exp: payload.exp as number, caller: principal };
      });
      return caller;
    },
  };
}
