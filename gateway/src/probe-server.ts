import { serveProbes, type ReadinessChecks } from '@storefront/http';
import type { Registry } from '@storefront/process';
import { fastify, type FastifyInstance } from 'fastify';

/** A server with probes and metrics only, for the private network. */
export function createProbeServer(
  metrics: Registry,
  readiness: ReadinessChecks,
  isDraining: () => boolean,
): FastifyInstance {
  const app = fastify({ forceCloseConnections: true });
  serveProbes(app, metrics, readiness, isDraining);
  return app;
}
