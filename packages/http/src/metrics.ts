import { Histogram, type Registry } from '@storefront/process';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Counts requests and their time by route and status. `routeOf` must return a pattern, never a path, so that the number
 * of routes stays small.
 */
export function measureRequests(
  app: FastifyInstance,
  registry: Registry,
  routeOf: (request: FastifyRequest) => string | undefined = (request) => request.routeOptions.url,
): void {
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    duration.observe(
      { method: request.method, route: routeOf(request) ?? 'unknown', status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    );
    done();
  });
}
