import type { ServerResponse } from 'node:http';
import underPressure from '@fastify/under-pressure';
import { commonErrors } from '@storefront/contracts';
import type { Draining } from '@storefront/http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Streams } from './streams.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Its body has not arrived yet, or the client has not received its answer yet. */
    waitsForClient: boolean;
  }
}

// Slow clients cost memory, so their number has a limit too: this many for each request in flight.
const waitingForOneInFlight = 4;

/**
 * Refuses requests with 503 when the event loop lags, or when more are being worked on than can be answered in good time.
 * A request that waits for its client is not counted among them: slow clients take no room from others. The gateway's own
 * routes, such as the probes, are never refused. Returns a function for the handler: it marks a request whose answer is
 * ready, where no hook of the app sees the answer.
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
  // Each wait has its own end, as a request that an earlier hook has refused is seen by `onSend` alone.
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
    // Many bodies may be complete at the same time.
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
