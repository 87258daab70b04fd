import { serveProbes } from '@storefront/service-kit';
import type { ReadinessChecks, Registry } from '@storefront/service-kit';
import { fastify } from 'fastify';

/** A listener of its own for those who run the gateway: probes and metrics, nothing of the API. */
export async function serveOperations(
  host: string,
  port: number,
  metrics: Registry,
  readiness: ReadinessChecks,
  isDraining: () => boolean,
): Promise<{ close(): Promise<void> }> {
  const app = fastify({ forceCloseConnections: true });
  serveProbes(app, metrics, readiness, isDraining);
  await app.listen({ host, port });
  return { close: () => app.close() };
}
