import { identityHttp } from '@storefront/contracts';
import { callerOf, notFound, toPage } from '@storefront/service-kit';
import type { App } from '@storefront/service-kit';
import { z } from 'zod';
import type { AppParts } from './app-parts.ts';
import { endSession } from '../domain/log-out.ts';
import { tellRevoked } from './answers.ts';

const tags = ['auth'];

export function sessionRoutes(app: App, { identity, sessions, cursors }: AppParts): void {
  app.get(
    '/v1/auth/sessions',
    {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'The devices that are logged in',
        operationId: 'listSessions',
        querystring: identityHttp.sessionQuery,
        response: { 200: identityHttp.sessionPage },
      },
    },
    async (request) => {
      const { sub, ver, sid } = callerOf(request);
      const { limit, cursor } = request.query;
      const after = cursors.read('sessions', sub, cursor);
      const found = await sessions.list(sub, ver, { limit, after, now: identity.now() });
      return toPage(
        found,
        limit,
        (session) => ({
          id: session.id,
          current: session.id === sid,
          device: session.device,
          ip: session.ip,
          createdAt: session.createdAt.toISOString(),
          lastUsedAt: session.lastUsedAt.toISOString(),
          expiresAt: session.expiresAt.toISOString(),
        }),
        (last) => cursors.write('sessions', sub, [last.createdAt.getTime(), last.id]),
      );
    },
  );

  app.delete(
    '/v1/auth/sessions/:id',
    {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Log one device out',
        operationId: 'endSession',
        params: identityHttp.sessionParams,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const user = { userId: caller.sub, ver: caller.ver };
      const revocation = await endSession(identity, user, request.params.id, 'session-ended');
      if (!revocation) throw notFound('session');
      tellRevoked(reply, revocation);
      return reply.code(204).send(null);
    },
  );
}
