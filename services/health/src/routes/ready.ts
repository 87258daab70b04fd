import { healthHttp } from '@storefront/contracts';
import type { App } from '@storefront/service-kit';
import type { Overview } from '../overview.ts';

export function readyRoute(app: App, overview: Overview): void {
  app.get(
    '/v1/health/ready',
    {
      config: { access: 'public' },
      schema: {
        tags: ['health'],
        operationId: 'getReadiness',
        summary: 'Whether every service can do its work',
        description: '503 where one can not. For liveness ask `GET /v1/health`.',
        response: { 200: healthHttp.systemReadiness, 503: healthHttp.systemReadiness },
      },
    },
    async (_request, reply) => {
      const overall = await overview.read();
      void reply.header('cache-control', 'no-store');
      if (overall.status === 'ready') return overall;
      return reply.code(503).header('retry-after', '1').send(overall);
    },
  );
}
