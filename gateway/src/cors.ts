import cors from '@fastify/cors';
import { ordersHttp, tokenIgnoredHeader } from '@storefront/contracts';
import type { FastifyInstance } from 'fastify';
import { isOrigin, matcherOf } from './domain/origins.ts';

/**
 * Lets pages of these origins call the API; `*` are all. No answer depends on cookies but those of the console's session,
 * which pages of other origins can't call. So a page has no rights but those of the token that it sends.
 */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  logRefusedOrigins(app, origins);
  if (origins.length === 0) return;
  await app.register(cors, {
    origin: origins.includes('*') ? '*' : origins.map(matcherOf),
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'authorization',
      'content-type',
      'idempotency-key',
      'if-match',
      'if-none-match',
      'last-event-id',
      ordersHttp.orderSecretHeader,
      'x-request-id',
    ],
    exposedHeaders: [
      // Clients know by it when a token expires, whatever their own clock says.
      'date',
      'etag',
      'location',
      'idempotency-replayed',
      'idempotency-changed',
      'ratelimit',
      'ratelimit-policy',
      'retry-after',
      tokenIgnoredHeader,
      'x-request-id',
    ],
    maxAge: 600,
  });
}

// Clients can invent any number of origins.
const maxLogged = 100;

/**
 * Logs the first request from each origin whose pages may not call the API, with the setting that would let them: the
 * browser hides the reason from its page. Pages of the gateway itself are not refused.
 */
function logRefusedOrigins(app: FastifyInstance, origins: readonly string[]): void {
  const logged = new Set<string>();
  app.addHook('onResponse', (request, reply, done) => {
    const { origin } = request.headers;
    done();
    if (origin === undefined || reply.hasHeader('access-control-allow-origin') || !isOrigin(origin)) return;
    if (logged.has(origin) || logged.size >= maxLogged || URL.parse(origin)?.host === request.host) return;
    logged.add(origin);
    request.log.warn(
      `pages of ${origin} may not call the API; CORS_ORIGINS=${[...origins, origin].join(',')} lets them`,
    );
  });
}
