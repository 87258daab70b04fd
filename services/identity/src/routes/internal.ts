import { notFound } from '@storefront/contracts';
import type { identityInternalOperations } from '@storefront/contracts';
import type { Handlers } from '@storefront/http';
import type { RevocationStore } from '../store/revocations.ts';
import type { Sessions } from '../store/sessions.ts';
import type { Users } from '../store/users.ts';

interface Parts {
  readonly users: Users;
  readonly sessions: Sessions;
  readonly revocations: RevocationStore;
  readonly now: () => Date;
}

/** For gateways; not reachable from outside. */
export function internalHandlers({
  users,
  sessions,
  revocations,
  now,
}: Parts): Handlers<typeof identityInternalOperations> {
  return {
    async getRevocations() {
      // Taken before the read: later revocations reach the gateway as events.
      const asOf = now();
      const found = await revocations.read(asOf);
      return {
        users: [...found.users],
        sessions: found.sessions.map(({ id, until }) => ({ id, until: until.toISOString() })),
        asOf: asOf.toISOString(),
      };
    },

    async getTokenState({ params: { userId, sessionId } }) {
      const user = (await users.load(userId))?.state;
      if (!user) throw notFound('user');
      const { tokenVersion: ver, status } = user;
      return { ver, sessionAlive: await sessions.isAlive(sessionId, userId, ver, now()), status };
    },
  };
}
