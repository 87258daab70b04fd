import type { InternalTokenIssuer } from '@storefront/access-token';
import { commonErrors, type OperationSpec } from '@storefront/contracts';
import { traceparentOf } from '@storefront/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { urlWithoutTicket } from './access/stream-tickets.ts';
import { clientAddress } from './client-address.ts';
import { toServiceHeaders } from './domain/headers.ts';
import { Exchange, type Shared } from './exchange.ts';
import type { Upstreams } from './pools.ts';

/**
 * The header with the encodings that the client takes, for an answer that is alike for everybody. What a caller alone may
 * see is not compressed: its length would tell a listener of its content where a part of it can be chosen (BREACH).
 */
function encodingHeader({ publicSeconds, optionalToken }: OperationSpec, { access }: FastifyRequest): string[] {
  return publicSeconds !== undefined && (access === null || !optionalToken) ? ['accept-encoding'] : [];
}

export interface ForwardParts extends Shared {
  readonly upstreams: Upstreams;
  readonly tokens: InternalTokenIssuer;
  /** How many requests one service may have under way at once. */
  readonly maxUnderWay: number;
}

/**
 * Returns a handler that forwards each request to the service of `request.publicRoute`. The whole body has been read
 * before.
 */
export function createForward(parts: ForwardParts): (request: FastifyRequest, reply: FastifyReply) => void {
  return (request, reply) => {
    forward(request, reply).catch((error: unknown) => reply.send(error));
  };

  async function forward(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const route = request.publicRoute;
    const upstream = route && parts.upstreams.get(route.service);
    if (!upstream) throw commonErrors.routeNotFound();
    // A service that hangs must not use up the gateway's room for requests to other services.
    if (upstream.underWay >= parts.maxUnderWay || (route.operation.stream && !parts.streams.hasRoom()))
      throw commonErrors.overloaded();
    const body = Buffer.isBuffer(request.body) ? request.body : null;
    const headers = toServiceHeaders(request.headers, {
      token: await parts.tokens.issue(route.service, request.access),
      clientIp: clientAddress(request),
      requestId: request.id,
      traceparent: traceparentOf(request.headers),
      hasBody: body !== null,
      own: [...Object.keys(route.operation.headers?.shape ?? {}), ...encodingHeader(route.operation, request)],
    });
    new Exchange(parts, upstream, route, request, reply, { path: urlWithoutTicket(request), body, headers }).start();
  }
}
