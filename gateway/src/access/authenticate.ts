import { TokenError, type AccessTokenVerifier, type VerifiedAccess } from '@storefront/access-token';
import { commonErrors } from '@storefront/contracts';
import type { FastifyRequest } from 'fastify';
import type { RevocableToken, Revocations } from '../domain/revocations.ts';
import { bearerToken } from './bearer-token.ts';
import { ticketOf, type TakeTicket } from './stream-tickets.ts';

/**
 * Returns the verified caller of a request; null for a request without a token or ticket. Throws 401 for an invalid one,
 * and 503 where it can't be checked. `onGenuine` is awaited once the gateway's own checks have accepted the token,
 * before identity is asked whether it was revoked.
 */
export type Authenticate = (
  request: FastifyRequest,
  onGenuine: (caller: VerifiedAccess) => Promise<void> | undefined,
) => Promise<VerifiedAccess | null>;

/**
 * If it is unknown whether a token was revoked, the answer is 503: a valid signature alone is not enough. `isAlive` sends
 * a request to identity.
 */
export function createAuthenticate(parts: {
  verifier: AccessTokenVerifier;
  takeTicket: TakeTicket;
  revocations: Revocations;
  isAlive: (token: RevocableToken) => Promise<boolean>;
  now: () => Date;
}): Authenticate {
  const { verifier, takeTicket, revocations, isAlive, now } = parts;
  const ageOf = ({ iat }: VerifiedAccess) => now().getTime() - iat * 1000;
  return async (request, onGenuine) => {
    const token = bearerToken(request.headers.authorization, request.raw.rawHeaders);
    const claims = token === undefined ? await ownerOfTicket(request) : await verify(token, request);
    if (claims === null) return null;
    // Checked before the request is counted: a revoked token must not use up the budget of its former user.
    if (revocations.isRevoked(claims)) throw revoked();
    await onGenuine(claims);
    revocations.used(performance.now());
    const alive = revocations.isCompleteFor(ageOf(claims), performance.now()) || (await isAlive(claims));
    // Checked again at the end: a logout may have been answered while this request waited.
    if (!alive || revocations.isRevoked(claims)) throw revoked();
    return claims;
  };

  function verify(token: string, request: FastifyRequest): Promise<VerifiedAccess> {
    return verifier.verify(token).catch((error: unknown) => {
      throw toRefusal(error, request);
    });
  }

  async function ownerOfTicket(request: FastifyRequest): Promise<VerifiedAccess | null> {
    const ticket = ticketOf(request);
    return ticket === undefined ? null : takeTicket(ticket);
  }
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
