import type { Actor } from '@storefront/contracts';
import type { FastifyRequest } from 'fastify';

const longestDevice = 300;

/** Returns who makes the request, for the audit log. */
export function actorOf(request: FastifyRequest<any>): Actor {
  return {
    userId: request.caller?.sub ?? null,
    role: request.caller?.role ?? 'nobody',
    ip: request.clientIp,
    device: request.headers['user-agent']?.slice(0, longestDevice) ?? null,
  };
}
