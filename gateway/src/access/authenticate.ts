import { TokenError } from '@storefront/access-token';
import type { AccessTokenVerifier, VerifiedAccess } from '@storefront/access-token';
import { unavailable } from '@storefront/service-kit';
import type { FastifyRequest } from 'fastify';
import type { Revocations, TokenFacts } from '../domain/revocations.ts';
import { bearerToken, invalidToken } from './bearer.ts';

/**
 * Who is calling: nobody known where there is no token, a user where it is good. A token that is there but not good is 401
 * on every route; one of which nobody can say whether it was revoked is 503, never let through on its signature alone.
 */
export function createAuthenticate(parts: {
  verifier: AccessTokenVerifier;
  revocations: Revocations;
  isAlive: (token: TokenFacts) => Promise<boolean>;
  now: () => Date;
}): (request: FastifyRequest) => Promise<VerifiedAccess | null> {
  const { verifier, revocations, isAlive, now } = parts;
  return async (request) => {
    const token = bearerToken(request.headers.authorization, request.raw.rawHeaders);
    if (token === undefined) return null;
    const claims = await verifier.verify(token).catch((error: unknown) => {
      throw asProblem(error, request);
    });
    const alive = revocations.knowsAll(claims, now().getTime()) || (await isAlive(claims));
    // Asked last: a logout may have been answered while this request waited.
    if (!alive || revocations.isRevoked(claims)) throw invalidToken('The access token was revoked');
    return claims;
  };
}

function asProblem(error: unknown, request: FastifyRequest): unknown {
  if (error instanceof TokenError) {
    request.log.debug({ reason: error.message }, 'access token refused');
    return invalidToken(error.code === 'expired' ? 'The access token expired' : 'The access token is not valid');
  }
  request.log.warn({ err: error }, 'an access token could not be checked');
  return unavailable('keys_unavailable', "Access tokens can't be checked for the moment.");
}
