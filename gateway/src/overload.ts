import type { ServerResponse } from 'node:http';
import underPressure from '@fastify/under-pressure';
import { commonErrors } from '@storefront/contracts';
import type { Draining } from '@storefront/http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Streams } from './streams.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The request's body has not arrived yet, or the client has not received the whole answer yet. */
    waitsForClient: boolean;
  }
}

// Slow clients cost memory, so they are limited too: at most this number of waiting requests per allowed request in
// flight.
const waitingForOneInFlight = 4;

/**
 * Refuses requests with 503 when the event loop lags, or when too many requests are being worked on. Requests that only
 * wait for their client are not counted as worked on, so slow clients take no room from others. The gateway's own
 * routes, such as the probes, are never refused.
 * Returns a function with which the handler marks a request whose answer is ready. The handler needs it for forwarded
 * answers, because the app's `onSend` hook does not see them.
 */
export async function shedLoad(
  app: FastifyInstance,
  options: { maxInFlight: number; maxEventLoopDelay: number; draining: Draining; streams: Streams },
): Promise<(request: FastifyRequest, answer: ServerResponse) => void> {
  const { maxInFlight, draining, streams } = options;
  await app.register(underPressure, {
    maxEventLoopDelay: options.maxEventLoopDelay,
    pressureHandler: async (request) => {
      if (request.publicRoute) throw commonErrors.overloaded();
    },
  });

  let waiting = 0;
  const setWaiting = (request: FastifyRequest, waits: boolean) => {
    if (request.waitsForClient === waits) return;
    request.waitsForClient = waits;
    waiting += waits ? 1 : -1;
  };
  // Each wait ends with its own `close` listener, because a request that an earlier hook refused reaches `onSend` only.
  const startWaiting = (request: FastifyRequest, answer: ServerResponse) => {
    if (answer.closed || request.waitsForClient) return;
    setWaiting(request, true);
    answer.once('close', () => setWaiting(request, false));
  };
  const isFull = () => draining.underWay() - streams.size() - waiting > maxInFlight;

  app.decorateRequest('waitsForClient', false);
  app.addHook('onRequest', (request, _reply, done) => {
    const isTooMuch = isFull() || waiting > maxInFlight * waitingForOneInFlight;
    done(request.publicRoute && isTooMuch ? commonErrors.overloaded() : undefined);
  });
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (hasBody(request)) startWaiting(request, reply.raw);
    done(null, payload);
  });
  app.addHook('preValidation', (request, _reply, done) => {
    const hasWaited = request.waitsForClient;
    setWaiting(request, false);
    // Checked again here, because many bodies may become complete at the same time.
    done(request.publicRoute && hasWaited && isFull() ? commonErrors.overloaded() : undefined);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    startWaiting(request, reply.raw);
    done(null, payload);
  });
  return startWaiting;
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
