import { identityHttp } from '@storefront/contracts';
import type { App } from '@storefront/service-kit';
import type { AppParts } from './app-parts.ts';

// Shorter than a key is announced before it signs, so that no cache is too old to know it.
const cacheSeconds = 30;

export function keyRoutes(app: App, { keys }: AppParts): void {
  app.get(
    '/.well-known/jwks.json',
    {
      config: { access: 'public' },
      schema: {
        tags: ['auth'],
        summary: 'The keys that access tokens are signed with',
        operationId: 'getKeySet',
        response: { 200: identityHttp.keySet },
      },
    },
    async (_request, reply) => {
      void reply.header('cache-control', `public, max-age=${cacheSeconds}`);
      return identityHttp.keySet.parse({ keys: keys.published() });
    },
  );
}
