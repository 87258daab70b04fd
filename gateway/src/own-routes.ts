import { gatewayOperations } from '@storefront/contracts';
import type { FastifyInstance } from 'fastify';

/** Serves the gateway's own routes, except the probes and the documentation page. */
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
  // Made by the first request, because making it at the start would delay the start by 0.1 s.
  let apiDocument: string | undefined;
  app.get('/openapi.json', (_request, reply) => {
    apiDocument ??= parts.makeApiDocument();
    return reply.header('cache-control', 'no-cache').type('application/json').send(apiDocument);
  });
}
