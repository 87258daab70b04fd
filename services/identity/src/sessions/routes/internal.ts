import { notFound, type identityInternalOperations } from '@storefront/contracts';
import type { Handlers } from '@storefront/http';
import type { TokenLifetimes } from '../domain/session.ts';
import type { RevocationStore } from '../store/revocations.ts';
import type { SessionStore } from '../store/sessions.ts';
import type { TokenStates } from '../store/token-states.ts';
import type { StreamTicketParts } from './stream-tickets.ts';

interface Parts extends StreamTicketParts {
  readonly tokenStates: TokenStates;
  readonly sessions: SessionStore;
  readonly revocations: RevocationStore;
  readonly lifetimes: Pick<TokenLifetimes, 'accessSeconds'>;
}

/** Operations for gateways; they are not reachable from outside. */
export function internalHandlers({
  tokenStates,
  sessions,
  revocations,
  streamTickets,
  newStreamTickets,
  lifetimes,
  now,
}: Parts): Pick<Handlers<typeof identityInternalOperations>, 'getRevocations' | 'getTokenState' | 'takeStreamTicket'> {
  return {
    async getRevocations() {
      // The time is taken before the read. Later revocations reach the gateway as events.
      const asOf = now();
      const found = await revocations.read(asOf);
      return {
        users: [...found.users],
        sessions: found.sessions.map(({ id, until }) => ({ id, until: until.toISOString() })),
        asOf: asOf.toISOString(),
      };
    },

    async getTokenState({ params: { userId, sessionId } }) {
      const state = await tokenStates.read(userId);
      if (!state) throw notFound('user');
      const { tokenVersion: ver, status, endedSessions } = state;
      // An ended session stays in the user's document for as long as its tokens may be valid.
      const isEnded = endedSessions.some(({ id }) => id === sessionId);
      return { ver, sessionAlive: !isEnded && (await sessions.isAlive(sessionId, userId, ver, now())), status };
    },

    async takeStreamTicket({ body: { ticket } }) {
      const taken = await streamTickets.take(newStreamTickets.hashOf(ticket), now());
      if (!taken) throw notFound('ticket');
      const { userId: sub, sessionId: sid, role, ver } = taken;
      return { sub, sid, role, ver, expiresIn: lifetimes.accessSeconds };
    },
  };
}
