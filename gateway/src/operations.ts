import { serveProbes } from '@storefront/service-kit';
import type { ReadinessChecks, Registry } from '@storefront/service-kit';
import { fastify } from 'fastify';
import type { FastifyInstance } from 'fastify';

/** A listener of its own for those who run the gateway: probes and metrics, nothing of the API. */
export function createOperations(
  metrics: Registry,
  readiness: ReadinessChecks,
  isDraining: () => boolean,
): FastifyInstance {
  const app = fastify({ forceCloseConnections: true });
  serveProbes(app, metrics, readiness, isDraining);
  return app;
}
