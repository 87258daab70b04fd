import { randomUUID } from 'node:crypto';
import { errors, importJWK, jwtVerify, SignJWT, type JWTVerifyGetKey } from 'jose';
import { algorithm, type SigningKey } from './keys.ts';
import { createVerifiedCache } from './verified-cache.ts';

const tokenType = 'at+jwt';
const roles = [
  'retail',
  'trade',
  'admin',
  'catalog',
  'marketing',
  'sales',
  'support',
  'applicant',
  'enrolling',
] as const;

/** The user that an access token identifies. */
export interface AccessClaims {
  /** The user's id. */
  readonly sub: string;
  /** `applicant` and `enrolling` are limited sessions: see `LimitedRole` of the contracts. */
  readonly role: (typeof roles)[number];
  /** The id of the session; each device has its own session. */
  readonly sid: string;
  /** The user's token version at signing. The token is revoked once the user has a higher version. */
  readonly ver: number;
}

export interface VerifiedAccess extends AccessClaims {
  /** When the token was issued (`iat`) and when it expires (`exp`), in Unix seconds. */
  readonly iat: number;
  readonly exp: number;
}

export interface TokenRules {
  readonly issuer: string;
  readonly audience: string;
}

/** The token was not issued here, or is no longer valid. The message is for logs, not for the caller. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly code: 'malformed' | 'expired' | 'rejected';
  constructor(code: TokenError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

export interface AccessTokenSigner {
  /** Returns a signed token that expires after `lifetimeSeconds`. */
  sign(claims: AccessClaims, lifetimeSeconds: number): Promise<string>;
}

export function createAccessTokenSigner(
  rules: TokenRules,
  currentKey: () => SigningKey,
  now: () => Date,
): AccessTokenSigner {
  const importedKeys = new Map<string, ReturnType<typeof importJWK>>();
  return {
    async sign(claims, lifetimeSeconds) {
      const key = currentKey();
      let privateKey = importedKeys.get(key.kid);
      if (!privateKey) importedKeys.set(key.kid, (privateKey = importJWK(key.privateJwk, algorithm)));
      const issuedAt = Math.floor(now().getTime() / 1000);
      return new SignJWT({ role: claims.role, sid: claims.sid, ver: claims.ver })
        .setProtectedHeader({ alg: algorithm, typ: tokenType, kid: key.kid })
        .setSubject(claims.sub)
        .setIssuer(rules.issuer)
        .setAudience(rules.audience)
        .setJti(randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + lifetimeSeconds)
        .sign(await privateKey);
    },
  };
}

export interface AccessTokenVerifier {
  /**
   * Returns the claims. Throws a TokenError for an invalid token, and the original error if the keys could not be
   * fetched.
   */
  verify(token: string): Promise<VerifiedAccess>;
}

/** Verifies signature, algorithm, type, issuer, audience and expiry. It does not check whether a token was revoked. */
export function createAccessTokenVerifier(
  rules: TokenRules,
  keys: JWTVerifyGetKey,
  options: { now?: () => Date } = {},
): AccessTokenVerifier {
  const now = options.now ?? (() => new Date());
  const cache = createVerifiedCache<VerifiedAccess>(10_000, () => now().getTime());
  return {
    verify(token) {
      return cache.getOrVerify(token, async () => {
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
  return roles.some((role) => role === value);
}

// Only errors about the token itself become a TokenError. If the keys can't be fetched, the token may still be valid.
function asTokenError(error: unknown): unknown {
  if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError) || error.code === 'ERR_JOSE_GENERIC')
    return error;
  if (error instanceof errors.JWTExpired) return new TokenError('expired', error.message);
  return new TokenError(
    error.code === 'ERR_JWS_INVALID' || error.code === 'ERR_JWT_INVALID' ? 'malformed' : 'rejected',
    error.message,
  );
}
