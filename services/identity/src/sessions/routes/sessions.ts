import { notFound, type identityHttp, type identityOperations } from '@storefront/contracts';
import { actorOf, type Cursors, type Handlers } from '@storefront/http';
import type { z } from 'zod';
import { endSession } from '../commands/end-sessions.ts';
import type { Session } from '../domain/session.ts';
import { setRevokedHeader } from '../../routes/headers.ts';

type Parts = Parameters<typeof endSession>[0] & { readonly cursors: Cursors };

export function sessionHandlers(
  parts: Parts,
): Pick<Handlers<typeof identityOperations>, 'listSessions' | 'endSession'> {
  const { sessions, cursors, now } = parts;
  return {
    listSessions: ({ caller: { sub, ver, sid }, query }) =>
      cursors.page(
        { list: 'sessions', owner: sub, query },
        (slice) => sessions.page(sub, ver, slice, now()),
        (session) => showSession(session, sid),
      ),

    async endSession(request, reply) {
      const { caller, params } = request;
      const owner = { id: caller.sub, ver: caller.ver };
      const revocation = await endSession(parts, owner, params.id, 'session-ended', actorOf(request));
      if (!revocation) throw notFound('session');
      setRevokedHeader(reply, revocation);
      return null;
    },
  };
}

function showSession(session: Session, currentId: string): z.infer<typeof identityHttp.session> {
  return {
    id: session.id,
    current: session.id === currentId,
    device: session.device,
    ip: session.ip,
    createdAt: session.createdAt.toISOString(),
    lastUsedAt: session.lastUsedAt.toISOString(),
    expiresAt: session.expiresAt.toISOString(),
  };
}
