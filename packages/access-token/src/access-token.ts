import { randomUUID } from 'node:crypto';
import { errors, importJWK, jwtVerify, SignJWT } from 'jose';
import type { JWTVerifyGetKey } from 'jose';
import { algorithm } from './keys.ts';
import type { SigningKey } from './keys.ts';
import { createVerifiedCache } from './verified-cache.ts';

const tokenType = 'at+jwt';

/** Who may act, as an access token says it. */
export interface AccessClaims {
  /** The user's id. */
  readonly sub: string;
  readonly role: 'retail' | 'trade' | 'admin';
  /** The session: one device. */
  readonly sid: string;
  /** The user's token version when it was signed; a higher one revokes it. */
  readonly ver: number;
}

export interface VerifiedAccess extends AccessClaims {
  /** Unix seconds. */
  readonly iat: number;
  readonly exp: number;
}

export interface TokenRules {
  readonly issuer: string;
  readonly audience: string;
}

/** The token is not one of ours, or no longer valid. The reason is for logs, not for the caller. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly code: 'malformed' | 'expired' | 'rejected';
  constructor(code: TokenError['code'], reason: string) {
    super(reason);
    this.code = code;
  }
}

export interface AccessTokenSigner {
  /** A signed token that ends after `lifetime` seconds. */
  sign(claims: AccessClaims, lifetime: number): Promise<string>;
}

export function createAccessTokenSigner(
  rules: TokenRules,
  current: () => SigningKey,
  now: () => Date,
): AccessTokenSigner {
  const imported = new Map<string, ReturnType<typeof importJWK>>();
  return {
    async sign(claims, lifetime) {
      const key = current();
      let privateKey = imported.get(key.kid);
      if (!privateKey) imported.set(key.kid, (privateKey = importJWK(key.privateJwk, algorithm)));
      const issuedAt = Math.floor(now().getTime() / 1000);
      return new SignJWT({ role: claims.role, sid: claims.sid, ver: claims.ver })
        .setProtectedHeader({ alg: algorithm, typ: tokenType, kid: key.kid })
        .setSubject(claims.sub)
        .setIssuer(rules.issuer)
        .setAudience(rules.audience)
        .setJti(randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + lifetime)
        .sign(await privateKey);
    },
  };
}

export interface AccessTokenVerifier {
  /** The claims, or a TokenError. An error of fetching the keys passes through as it is. */
  verify(token: string): Promise<VerifiedAccess>;
}

/** Checks signature, algorithm, type, issuer, audience and times; whether it was revoked is not in a token. */
export function createAccessTokenVerifier(
  rules: TokenRules,
  keys: JWTVerifyGetKey,
  options: { cacheSize?: number; now?: () => Date } = {},
): AccessTokenVerifier {
  const now = options.now ?? (() => new Date());
  const cache = createVerifiedCache<VerifiedAccess>(options.cacheSize ?? 10_000, () => now().getTime());
  return {
    verify(token) {
      return cache.through(token, async () => {
        const { payload } = await jwtVerify(token, keys, {
          algorithms: [algorithm],
          typ: tokenType,
          issuer: rules.issuer,
          audience: rules.audience,
          requiredClaims: ['sub', 'exp', 'iat', 'jti', 'sid', 'role', 'ver'],
          currentDate: now(),
        }).catch((error: unknown) => {
          throw asTokenError(error);
        });
        const { sub, role, sid, ver, iat, exp } = payload;
        if (typeof sub !== 'string' || typeof sid !== 'string' || !isRole(role) || !Number.isSafeInteger(ver)) {
          throw new TokenError('malformed', 'a claim is of the wrong type');
        }
        return { sub, role, sid, ver: ver as number, iat: iat as number, exp: exp as number };
      });
    },
  };
}

function isRole(value: unknown): value is AccessClaims['role'] {
  return value === 'retail' || value === 'trade' || value === 'admin';
}

// The issuer being away is not the token's fault: only what jose says of the token itself becomes a TokenError.
function asTokenError(error: unknown): unknown {
  if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError) || error.code === 'ERR_JOSE_GENERIC')
    return error;
  if (error instanceof errors.JWTExpired) return new TokenError('expired', error.message);
  return new TokenError(
    error.code === 'ERR_JWS_INVALID' || error.code === 'ERR_JWT_INVALID' ? 'malformed' : 'rejected',
    error.message,
  );
}
