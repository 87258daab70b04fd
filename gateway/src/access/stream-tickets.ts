import type { VerifiedAccess } from '@storefront/access-token';
import { commonErrors, identityHttp, identityInternalOperations } from '@storefront/contracts';
import type { FastifyRequest } from 'fastify';
import type { InternalClient } from '../internal-client.ts';

/**
 * Takes a ticket, and returns the session that asked for it, as if by an access token of this moment. Whether this session
 * has been revoked is not checked. Throws 401 for a ticket that is not valid, and 503 where identity does not answer.
 */
export type TakeTicket = (ticket: string) => Promise<VerifiedAccess>;

const name = 'ticket';

/** Returns the ticket that a request has in place of a token; undefined where its operation does not take one. */
export function ticketOf({ publicRoute, headers, url }: FastifyRequest): string | undefined {
  if (!publicRoute?.operation.ticket || headers.authorization !== undefined) return undefined;
  const tickets = new URL(url, 'http://gateway').searchParams.getAll(name);
  return tickets.length === 0 ? undefined : tickets.join();
}

/** Returns the URL of the request as the service gets it: without a ticket, so that none reaches a log. */
export function urlWithoutTicket({ publicRoute, url }: FastifyRequest): string {
  if (!publicRoute?.operation.ticket || !url.includes('?')) return url;
  const { pathname, searchParams } = new URL(url, 'http://gateway');
  searchParams.delete(name);
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams.toString()}`;
}

export function createTakeTicket(identity: InternalClient, now: () => Date): TakeTicket {
  return async (ticket) => {
    const taken = identityHttp.streamTicketPattern.test(ticket) ? await take(ticket) : null;
    if (!taken) throw commonErrors.invalidToken('The ticket is unknown, was used, or expired');
    const { expiresIn, ...claims } = taken;
    const iat = Math.floor(now().getTime() / 1000);
    return { ...claims, iat, exp: iat + expiresIn };
  };

  async function take(ticket: string) {
    try {
      const { status, body } = await identity.post(identityInternalOperations.takeStreamTicket.path, { ticket });
      return status === 404 ? null : identityHttp.ticketTaken.parse(body);
    } catch {
      throw commonErrors.revocationUnknown();
    }
  }
}
