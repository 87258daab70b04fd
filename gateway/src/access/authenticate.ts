import { TokenError, type AccessTokenVerifier, type VerifiedAccess } from '@storefront/access-token';
import { commonErrors } from '@storefront/contracts';
import type { FastifyRequest } from 'fastify';
import type { RevocableToken, Revocations } from '../domain/revocations.ts';
import { bearerToken } from './bearer-token.ts';

/**
 * The verified caller of a request; null where it has no token. Throws 401, or 503 where the token can't be checked.
 * `onGenuine` is awaited before the request to identity, once the gateway's own checks have accepted the token.
 */
export type Authenticate = (
  request: FastifyRequest,
  onGenuine: (caller: VerifiedAccess) => Promise<void> | undefined,
) => Promise<VerifiedAccess | null>;

/**
 * A token that is sent but not valid is 401 on every operation. Where it is unknown whether a token was revoked, the
 * answer is 503: no token is accepted on its signature alone. `isAlive` sends a request to identity.
 */
export function createAuthenticate(parts: {
  verifier: AccessTokenVerifier;
  revocations: Revocations;
  isAlive: (token: RevocableToken) => Promise<boolean>;
  now: () => Date;
}): Authenticate {
  const { verifier, revocations, isAlive, now } = parts;
  const ageOf = ({ iat }: VerifiedAccess) => now().getTime() - iat * 1000;
  return async (request, onGenuine) => {
    const token = bearerToken(request.headers.authorization, request.raw.rawHeaders);
    if (token === undefined) return null;
    const claims = await verifier.verify(token).catch((error: unknown) => {
      throw toRefusal(error, request);
    });
    // Before it is counted: a token that was revoked must not use up the budget of its former user.
    if (revocations.isRevoked(claims)) throw revoked();
    await onGenuine(claims);
    const alive = revocations.isCompleteFor(ageOf(claims), performance.now()) || (await isAlive(claims));
    // Last: a logout may have been answered while this request waited.
    if (!alive || revocations.isRevoked(claims)) throw revoked();
    return claims;
  };
}

const revoked = () => commonErrors.invalidToken('The access token was revoked');

function toRefusal(error: unknown, request: FastifyRequest): unknown {
  if (error instanceof TokenError) {
    request.log.debug({ reason: error.message }, 'access token refused');
    return commonErrors.invalidToken(
      error.code === 'expired' ? 'The access token expired' : 'The access token is not valid',
    );
  }
  request.log.warn({ err: error }, 'an access token could not be checked');
  return commonErrors.keysUnavailable();
}
