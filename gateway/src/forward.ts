import type { InternalTokenIssuer, VerifiedAccess } from '@storefront/access-token';
import { Problem, traceparentOf, unavailable } from '@storefront/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toServiceHeaders } from './domain/headers.ts';
import { Exchange } from './exchange.ts';
import type { Shared } from './exchange.ts';
import type { Upstreams } from './pools.ts';
import type { PublicRoute } from './upstreams.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The row of the public API map that answers this request; null for the gateway's own routes. */
    publicRoute: PublicRoute | null;
    /** Who is calling, once it was checked. */
    access: VerifiedAccess | null;
  }
}

/** Answers a request by the service that its path belongs to. The body, where there is one, has been read whole. */
export function createForward(
  parts: Shared & { upstreams: Upstreams; tokens: InternalTokenIssuer; maxUnderWay: number },
): (request: FastifyRequest, reply: FastifyReply) => void {
  return (request, reply) => {
    carry(request, reply).catch((error: unknown) => reply.send(error));
  };

  async function carry(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const route = request.publicRoute;
    const upstream = route && parts.upstreams.get(route.service);
    if (!upstream) throw new Problem(404, 'route_not_found', 'There is no such route.');
    // One service that hangs must leave room for the others.
    if (upstream.underWay >= parts.maxUnderWay || (route.stream && !parts.streams.hasRoom()))
      throw unavailable('overloaded', 'Too busy to take this request now.');
    const body = Buffer.isBuffer(request.body) ? request.body : null;
    const headers = toServiceHeaders(request.headers, {
      token: await parts.tokens.issue(route.service, request.access),
      clientIp: clientIpOf(request),
      requestId: request.id,
      traceparent: traceparentOf(request.headers),
      hasBody: body !== null,
    });
    new Exchange(parts, upstream, route, request, reply, body, headers).start();
  }
}

// Node listens on IPv6 for both families and writes an IPv4 address the long way.
function clientIpOf(request: FastifyRequest): string {
  const { ip } = request;
  return ip.startsWith('::ffff:') ? ip.slice(7) : ip;
}
