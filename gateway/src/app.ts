import {
  answerWithProblems,
  measureRequests,
  prepareDrain,
  serveProbes,
  type Draining,
  type ReadinessChecks,
} from '@storefront/http';
import type { Registry } from '@storefront/process';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Authenticate } from './access/authenticate.ts';
import { admitRequests } from './admission.ts';
import { askForBodies, readBodies } from './bodies.ts';
import { hasPublicMetrics, type GatewayConfig } from './config.ts';
import { consoleFolder, serveConsole } from './console.ts';
import { allowOrigins } from './cors.ts';
import { serveDocs } from './docs.ts';
import type { RouteTable } from './domain/route-table.ts';
import { createForward, type ForwardParts } from './forward.ts';
import { serveGreeting } from './greeting.ts';
import { serveGuides } from './guides/serve-guides.ts';
import { createHttpServer } from './http-server.ts';
import type { Limits } from './limits/limits.ts';
import { shedLoad } from './overload.ts';
import { serveOwnRoutes } from './own-routes.ts';
import { refuseMalformedRequests } from './refuse-malformed.ts';
import { findRoutes, patternOf } from './routing.ts';
import { refuseOtherOrigins } from './same-origin.ts';
import { securityHeaders } from './security-headers.ts';
import { serveStandInShop } from './stand-in-shop.ts';

export interface AppParts extends Pick<ForwardParts, 'upstreams' | 'tokens' | 'streams' | 'onTokensRevoked'> {
  readonly config: GatewayConfig;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly readiness: ReadinessChecks;
  readonly routes: RouteTable;
  readonly version: string;
  readonly makeApiDocument: () => string;
  readonly now: () => Date;
  readonly authenticate: Authenticate;
  /** Undefined where `RATE_LIMITS` is off. */
  readonly limits: Limits | undefined;
}

/**
 * Builds the public HTTP server. Each request passes the hooks in the order in which they are added here. Its body is
 * read after the hooks that check the caller and the limits, and only a complete request is sent to a service.
 */
export async function buildApp(parts: AppParts): Promise<{ app: FastifyInstance; draining: Draining }> {
  const { config, routes, streams } = parts;
  const app = createHttpServer(parts.logger, config.TRUST_PROXY);
  answerWithProblems(app);
  readBodies(app, routes, (request, reply) => handler(request, reply));
  const draining = prepareDrain(app);

  setHeaders(app);
  refuseMalformedRequests(app, routes);
  findRoutes(app, routes);
  logRequests(app);
  measureRequests(app, parts.metrics, patternOf);
  // Before the load is looked at: a page can read a refusal only if its origin is allowed to.
  await allowOrigins(app, config.CORS_ORIGINS);
  const onAnswered = await shedLoad(app, {
    maxInFlight: config.MAX_IN_FLIGHT,
    maxEventLoopDelay: config.MAX_EVENT_LOOP_DELAY_MS,
    draining,
    streams,
  });
  refuseOtherOrigins(app);
  admitRequests(app, parts);
  askForBodies(app);

  serveOwnRoutes(app, parts);
  const metrics = hasPublicMetrics(config) ? parts.metrics : undefined;
  serveProbes(app, metrics, parts.readiness, draining.isDraining);
  serveDocs(app);
  serveGuides(app);
  serveGreeting(app, { version: parts.version, mailbox: config.MAILBOX_URL });
  if (config.STAND_IN_SHOP === 'on') serveStandInShop(app);
  const built = consoleFolder(config.CONSOLE_DIR);
  if (built !== undefined) serveConsole(app, built);
  const handler = createForward({
    ...parts,
    draining,
    onAnswered,
    retryMs: config.UPSTREAM_RETRY_MS,
    maxUnderWay: Math.ceil(config.MAX_IN_FLIGHT / 2),
  });
  app.route({ method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'], url: '/*', handler });
  // The same handler with a higher body limit: Fastify can set such a limit only for a whole route.
  for (const { method, path, rawBody } of routes.withRawBody)
    app.route({ method, url: path.replaceAll(/\{(\w+)\}/g, ':$1'), bodyLimit: rawBody.maxBytes, handler });
  return { app, draining };
}

function setHeaders(app: FastifyInstance): void {
  const secure = securityHeaders();
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(secure).header('x-request-id', request.id);
    done();
  });
}

function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        route: patternOf(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        user: request.access?.sub,
      },
      'request',
    );
    done();
  });
}
