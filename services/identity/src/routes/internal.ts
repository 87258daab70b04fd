import { identityHttp } from '@storefront/contracts';
import { notFound } from '@storefront/service-kit';
import type { App } from '@storefront/service-kit';
import type { AppParts } from './app-parts.ts';
import { revocationKeptMs } from '../domain/revocation.ts';

/** What gateways ask by themselves; never reachable from outside. */
export function internalRoutes(app: App, { identity, sessions, revocations }: AppParts): void {
  app.get(
    '/internal/revocations',
    { config: { access: 'system' }, schema: { response: { 200: identityHttp.revocationSnapshot } } },
    async () => {
      // Before the look: what is revoked after it comes as an event.
      const now = identity.now();
      const since = new Date(now.getTime() - revocationKeptMs(identity.rules.accessSeconds));
      const { users, sessions: ended } = await revocations.snapshot(since, now);
      return {
        users: [...users],
        sessions: ended.map(({ id, until }) => ({ id, until: until.toISOString() })),
        asOf: now.toISOString(),
      };
    },
  );

  app.get(
    '/internal/token-state/:userId/:sessionId',
    {
      config: { access: 'system' },
      schema: { params: identityHttp.tokenStateParams, response: { 200: identityHttp.tokenState } },
    },
    async (request) => {
      const { userId, sessionId } = request.params;
      const user = (await identity.users.load(userId))?.state;
      if (!user) throw notFound('user');
      const { tokenVersion: ver, status } = user;
      return { ver, sessionAlive: await sessions.isAlive(sessionId, userId, ver, identity.now()), status };
    },
  );
}
