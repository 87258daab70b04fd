import { actorOf } from '@storefront/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Revocation } from '../domain/revocation.ts';
import type { Device } from '../domain/caller.ts';

/** The device that sent the request, by its `User-Agent`, its address and the token that an earlier login gave it. */
export function deviceOf(request: FastifyRequest, deviceToken: string | null = null): Device {
  const { device, ip } = actorOf(request);
  return { device, ip, deviceToken };
}

/**
 * Tells the gateway in the header `x-tokens-revoked` which tokens this answer revokes, so that it refuses them before the
 * client has the answer. It removes the header. The value: user, token version and, if it is only one, the session.
 */
export function setRevokedHeader(reply: FastifyReply, { userId, tokenVersion, sessionId }: Revocation): void {
  void reply.header('x-tokens-revoked', [userId, tokenVersion, ...(sessionId ? [sessionId] : [])].join(' '));
}
