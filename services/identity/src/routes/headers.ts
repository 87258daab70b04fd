import { locale, type Locale } from '@storefront/contracts';
import { actorOf, preferredLanguage } from '@storefront/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Revocation } from '../domain/revocation.ts';
import type { Device } from '../domain/caller.ts';

/** The device that sent the request, by its `User-Agent`, its address and the token that an earlier login gave it. */
export function deviceOf(request: FastifyRequest, deviceToken: string | null = null): Device {
  const { device, ip } = actorOf(request);
  return { device, ip, deviceToken };
}

/**
 * Writes the revoked tokens into the header `x-tokens-revoked`: user, token version and, where only one session ends,
 * the session. The gateway removes the header. It refuses these tokens before the client gets the answer.
 */
export function setRevokedHeader(reply: FastifyReply, { userId, tokenVersion, sessionId }: Revocation): void {
  void reply.header('x-tokens-revoked', [userId, tokenVersion, ...(sessionId ? [sessionId] : [])].join(' '));
}

/** The language that the client asks for in `Accept-Language`, for mails to a person who has no account yet. */
export function readingIn({ headers }: FastifyRequest): { locale?: Locale } {
  const found = preferredLanguage(headers['accept-language'], locale.options);
  return found === undefined ? {} : { locale: found };
}
