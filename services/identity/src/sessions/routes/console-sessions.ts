import { identityErrors, identityHttp, Refusal, type identityOperations } from '@storefront/contracts';
import { actorOf, type Handlers } from '@storefront/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { setRevokedHeader } from '../../routes/headers.ts';
import { endSession } from '../commands/end-sessions.ts';
import type { TokenPair } from '../commands/open-session.ts';
import { refreshTokens } from '../commands/refresh-tokens.ts';
import type { TokenHolder } from '../domain/session.ts';

type Parts = Parameters<typeof refreshTokens>[0];
const { consoleCookie, consoleCookiePath } = identityHttp;

/** Serves the sessions of the console, whose refresh tokens are in a cookie. The gateway lets only its own pages in. */
export function consoleSessionHandlers(
  parts: Parts,
): Pick<Handlers<typeof identityOperations>, 'keepConsoleSession' | 'refreshConsoleSession' | 'endConsoleSession'> {
  const { consoleIdleSeconds: idleSeconds } = parts.lifetimes;

  async function refresh(request: FastifyRequest, reply: FastifyReply, token: string, holder: TokenHolder) {
    const refreshed = await refreshTokens(parts, token, actorOf(request), holder);
    if (refreshed.kind === 'refreshed') return shown(request, reply, refreshed.tokens);
    if (refreshed.revocation) setRevokedHeader(reply, refreshed.revocation);
    throw identityErrors.invalidRefreshToken();
  }

  function shown(
    request: FastifyRequest,
    reply: FastifyReply,
    tokens: TokenPair,
  ): z.infer<typeof identityHttp.consoleTokens> {
    const seconds = Math.min(idleSeconds, tokens.refreshExpiresIn);
    setCookie(request, reply, tokens.refreshToken, seconds);
    const { accessToken, tokenType, expiresIn } = tokens;
    return { accessToken, tokenType, expiresIn, idleSeconds: seconds };
  }

  return {
    keepConsoleSession: (request, reply) => refresh(request, reply, request.body.refreshToken, 'keeping'),

    async refreshConsoleSession(request, reply) {
      const token = cookieOf(request);
      if (token === null) throw identityErrors.invalidRefreshToken();
      try {
        return await refresh(request, reply, token, 'console');
      } catch (error) {
        if (error instanceof Refusal) setCookie(request, reply, '', 0);
        throw error;
      }
    },

    async endConsoleSession(request, reply) {
      setCookie(request, reply, '', 0);
      const hashes = parts.refreshTokens.read(cookieOf(request) ?? '');
      const session = hashes && (await parts.sessions.findByFamily(hashes.family, parts.now()));
      if (!session?.inCookie) return null;
      const owner = { id: session.userId, ver: session.ver };
      const revocation = await endSession(parts, owner, session.id, 'session-ended', actorOf(request));
      if (revocation) setRevokedHeader(reply, revocation);
      return null;
    },
  };
}

function cookieOf({ headers }: FastifyRequest): string | null {
  const found = (headers.cookie ?? '').split(/;\s*/).find((pair) => pair.startsWith(`${consoleCookie}=`));
  return found?.slice(consoleCookie.length + 1) || null;
}

/** The browser sends the cookie over TLS alone where the page came by TLS; `Origin` can't be set by a page. */
function setCookie({ headers }: FastifyRequest, reply: FastifyReply, value: string, maxAge: number): void {
  const secure = headers.origin?.startsWith('http://') ? '' : '; Secure';
  void reply.header(
    'set-cookie',
    `${consoleCookie}=${value}; Path=${consoleCookiePath}; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure}`,
  );
}
