import type { FastifyInstance } from 'fastify';

/** What the gateway answers without asking anybody. */
export function serveOwnRoutes(
  app: FastifyInstance,
  parts: { version: string; startedAt: Date; now: () => Date; openApi: () => Promise<string> },
): void {
  app.get('/v1/health', () => ({
    status: 'ok',
    version: parts.version,
    uptimeSeconds: Math.max(0, Math.floor((parts.now().getTime() - parts.startedAt.getTime()) / 1000)),
  }));
  app.get('/openapi.json', async (_request, reply) => {
    const document = await parts.openApi();
    return reply.header('cache-control', 'no-cache').type('application/json').send(document);
  });
}
