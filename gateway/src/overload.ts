import underPressure from '@fastify/under-pressure';
import { unavailable } from '@storefront/service-kit';
import type { Draining } from '@storefront/service-kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Streams } from './streams.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Its body is still coming, or its answer is ready and not taken yet. */
    waitsForClient: boolean;
  }
}

// Slow clients cost memory, so there is an end to them too.
const waitingForOneInFlight = 4;

/**
 * Turns requests away while it is still cheap: when the event loop lags, or when as many are worked on as can be answered
 * in good time. One that waits for its client, with its body or with its answer, is not worked on: slow clients hold up
 * nobody. The gateway's own routes, such as the probes, go on. Answers what to call once an answer is ready that no hook
 * of the app sees.
 */
export async function shedLoad(
  app: FastifyInstance,
  options: { maxInFlight: number; maxEventLoopDelay: number; draining: Draining; streams: Streams },
): Promise<(request: FastifyRequest) => void> {
  const { maxInFlight, draining, streams } = options;
  const overloaded = () => unavailable('overloaded', 'Too busy to take this request now.');
  await app.register(underPressure, {
    maxEventLoopDelay: options.maxEventLoopDelay,
    pressureHandler: async (request) => {
      if (request.publicRoute) throw overloaded();
    },
  });

  let waiting = 0;
  const wait = (request: FastifyRequest, waits: boolean) => {
    if (request.waitsForClient === waits) return;
    request.waitsForClient = waits;
    waiting += waits ? 1 : -1;
  };
  const isFull = () => draining.underWay() - streams.size() - waiting > maxInFlight;

  app.decorateRequest('waitsForClient', false);
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => wait(request, false));
    const isTooMuch = isFull() || waiting > maxInFlight * waitingForOneInFlight;
    done(request.publicRoute && isTooMuch ? overloaded() : undefined);
  });
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (!reply.raw.closed) wait(request, hasBody(request));
    done(null, payload);
  });
  app.addHook('preValidation', (request, _reply, done) => {
    const hasWaited = request.waitsForClient;
    wait(request, false);
    // Many bodies may be complete at once.
    done(request.publicRoute && hasWaited && isFull() ? overloaded() : undefined);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!reply.raw.closed) wait(request, true);
    done(null, payload);
  });
  return (request) => wait(request, true);
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
