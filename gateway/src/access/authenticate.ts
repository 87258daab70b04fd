import { TokenError, type AccessTokenVerifier, type VerifiedAccess } from '@storefront/access-token';
import { commonErrors } from '@storefront/contracts';
import type { FastifyRequest } from 'fastify';
import type { RevocableToken, Revocations } from '../domain/revocations.ts';
import { isApiToken, type ApiTokens } from './api-tokens.ts';
import { bearerToken } from './bearer-token.ts';
import { ticketOf, type TakeTicket } from './stream-tickets.ts';
import type { VerifiedCaller } from './verified-caller.ts';

type OnGenuine = (caller: VerifiedCaller) => Promise<void> | undefined;

interface Events {
  /** Called before identity is asked about an API token or a ticket that may be a guess. */
  readonly onUnknown: () => void;
  /** Awaited once the token is known to be genuine, before identity is asked whether it was revoked. */
  readonly onGenuine: OnGenuine;
}

/**
 * Returns the verified caller of a request; null for a request without a token or ticket. Throws 401 for an invalid one,
 * and 503 where it can't be checked.
 */
export type Authenticate = (request: FastifyRequest, events: Events) => Promise<VerifiedCaller | null>;

/**
 * If it is unknown whether a token was revoked, the answer is 503: a valid signature alone is not enough. `isAlive` sends
 * a request to identity.
 */
export function createAuthenticate(parts: {
  verifier: AccessTokenVerifier;
  takeTicket: TakeTicket;
  apiTokens: ApiTokens;
  revocations: Revocations;
  isAlive: (token: RevocableToken) => Promise<boolean>;
  now: () => Date;
}): Authenticate {
  const { verifier, takeTicket, apiTokens, revocations, isAlive, now } = parts;
  const ageOf = ({ iat }: VerifiedAccess) => now().getTime() - iat * 1000;

  function verify(token: string, request: FastifyRequest): Promise<VerifiedAccess> {
    return verifier.verify(token).catch((error: unknown) => {
      throw toRefusal(error, request);
    });
  }

  async function authenticateUser(claims: VerifiedAccess, onGenuine: OnGenuine) {
    // Checked before the request is counted: a revoked token must not use up the budget of its former user.
    if (revocations.isRevoked(claims)) throw revoked();
    await onGenuine(claims);
    revocations.used(performance.now());
    const alive = revocations.isCompleteFor(ageOf(claims), performance.now()) || (await isAlive(claims));
    // Checked again at the end: a logout may have been answered while this request waited.
    if (!alive || revocations.isRevoked(claims)) throw revoked();
    return claims;
  }

  async function authenticateProgram(token: string, { onUnknown, onGenuine }: Events) {
    const recalled = apiTokens.recall(token);
    if (!recalled) onUnknown();
    const { caller, askedAt } = recalled ?? (await apiTokens.ask(token));
    if (caller.exp * 1000 <= now().getTime()) throw commonErrors.invalidToken('The API token expired');
    if (revocations.isRevoked(caller)) throw revoked();
    await onGenuine(caller);
    revocations.used(performance.now());
    const isKnown = revocations.isCompleteFor(performance.now() - askedAt, performance.now());
    if (recalled && !isKnown) await apiTokens.ask(token);
    if (revocations.isRevoked(caller)) throw revoked();
    return caller;
  }

  return async (request, events) => {
    const token = bearerToken(request.headers.authorization, request.raw.rawHeaders);
    if (token !== undefined && isApiToken(token)) return authenticateProgram(token, events);
    if (token !== undefined) return authenticateUser(await verify(token, request), events.onGenuine);
    const ticket = ticketOf(request);
    if (ticket === undefined) return null;
    events.onUnknown();
    return authenticateUser(await takeTicket(ticket), events.onGenuine);
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
