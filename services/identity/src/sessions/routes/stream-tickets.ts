import type { identityOperations } from '@storefront/contracts';
import type { Handlers } from '@storefront/http';
import type { OpaqueTokens } from '../../secrets/opaque-tokens.ts';
import { newStreamTicket } from '../domain/stream-ticket.ts';
import type { StreamTickets } from '../store/stream-tickets.ts';

export interface StreamTicketParts {
  readonly streamTickets: StreamTickets;
  readonly newStreamTickets: OpaqueTokens;
  readonly now: () => Date;
}

export function streamTicketHandlers({
  streamTickets,
  newStreamTickets,
  now,
}: StreamTicketParts): Pick<Handlers<typeof identityOperations>, 'createStreamTicket'> {
  return {
    async createStreamTicket({ caller }) {
      const { token, hash } = newStreamTickets.create();
      const ticket = newStreamTicket(hash, caller, now());
      await streamTickets.add(ticket);
      return { ticket: token, expiresAt: ticket.expiresAt.toISOString() };
    },
  };
}
