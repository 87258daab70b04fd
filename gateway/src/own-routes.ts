import { gatewayOperations } from '@storefront/contracts';
import type { FastifyInstance } from 'fastify';

/** The routes that the gateway answers itself, besides probes and the page for readers. */
export function serveOwnRoutes(
  app: FastifyInstance,
  parts: { version: string; now: () => Date; makeApiDocument: () => string },
): void {
  const startedAt = parts.now().getTime();
  app.get(gatewayOperations.getHealth.path, () => ({
    status: 'ok',
    version: parts.version,
    uptimeSeconds: Math.max(0, Math.floor((parts.now().getTime() - startedAt) / 1000)),
  }));
  // By the first request, so that a start does not take 0.1 s longer.
  let apiDocument: string | undefined;
  app.get('/openapi.json', (_request, reply) => {
    apiDocument ??= parts.makeApiDocument();
    return reply.header('cache-control', 'no-cache').type('application/json').send(apiDocument);
  });
}
