import { identityErrors, notFound, type identityHttp, type identityOperations } from '@storefront/contracts';
import { actorOf, type Cursors, type Handlers } from '@storefront/http';
import type { z } from 'zod';
import { endSession, logOut } from '../commands/end-sessions.ts';
import { refreshTokens } from '../commands/refresh-tokens.ts';
import type { Session } from '../domain/session.ts';
import { setRevokedHeader } from '../../routes/headers.ts';

type Parts = Parameters<typeof refreshTokens>[0] & { readonly cursors: Cursors };

export function sessionHandlers(
  parts: Parts,
): Pick<Handlers<typeof identityOperations>, 'listSessions' | 'endSession' | 'refreshTokens' | 'logOut'> {
  const { sessions, cursors, now } = parts;
  return {
    listSessions: ({ caller: { sub, ver, sid }, query }) =>
      cursors.page(
        { list: 'sessions', owner: sub, query },
        (slice) => sessions.page(sub, ver, slice, now()),
        (session) => ({ ...showSession(session), current: session.id === sid }),
      ),

    async endSession(request, reply) {
      const { caller, params } = request;
      const owner = { id: caller.sub, ver: caller.ver };
      const revocation = await endSession(parts, owner, params.id, 'session-ended', actorOf(request));
      if (!revocation) throw notFound('session');
      setRevokedHeader(reply, revocation);
      return null;
    },

    async refreshTokens(request, reply) {
      const refreshed = await refreshTokens(parts, request.body.refreshToken, actorOf(request));
      if (refreshed.kind === 'refreshed') return refreshed.tokens;
      if (refreshed.revocation) setRevokedHeader(reply, refreshed.revocation);
      throw identityErrors.invalidRefreshToken();
    },

    async logOut(request, reply) {
      const { revokedAt, revocation } = await logOut(parts, request.caller, actorOf(request));
      setRevokedHeader(reply, revocation);
      return { revoked: true, revokedAt: revokedAt.toISOString() };
    },
  };
}

/** A session as the API shows it, without whether it is that of the request. */
export function showSession(session: Session): Omit<z.infer<typeof identityHttp.session>, 'current'> {
  return {
    id: session.id,
    device: session.device,
    ip: session.ip,
    createdAt: session.createdAt.toISOString(),
    lastUsedAt: session.lastUsedAt.toISOString(),
    expiresAt: session.expiresAt.toISOString(),
  };
}
