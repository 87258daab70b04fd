import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import cors from '@fastify/cors';
import {
  answerWithProblems,
  measureRequests,
  prepareDrain,
  Problem,
  requestIdOf,
  sendProblem,
  serveProbes,
} from '@storefront/service-kit';
import type { Draining, ReadinessChecks, Registry } from '@storefront/service-kit';
import { fastify, LogController } from 'fastify';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { VerifiedAccess } from '@storefront/access-token';
import type { Logger } from 'pino';
import { readBodies } from './bodies.ts';
import { answerClientError } from './client-errors.ts';
import type { GatewayConfig } from './config.ts';
import { serveDocs } from './docs.ts';
import { findOddity } from './domain/odd-request.ts';
import type { RouteTable } from './domain/route-table.ts';
import { createLimits } from './limits.ts';
import { shedLoad } from './overload.ts';
import { serveOwnRoutes } from './own-routes.ts';
import { securityHeaders } from './security-headers.ts';
import type { Streams } from './streams.ts';

const bodyLimit = 256 * 1024;
const callbackBodyLimit = 1024 * 1024;
const forwarded = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export interface AppParts {
  readonly config: GatewayConfig;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly readiness: ReadinessChecks;
  readonly table: RouteTable;
  readonly streams: Streams;
  readonly version: string;
  readonly now: () => Date;
  readonly authenticate: (request: FastifyRequest) => Promise<VerifiedAccess | null>;
  readonly openApi: () => Promise<string>;
  readonly forward: (
    draining: Draining,
    onAnswered: (request: FastifyRequest) => void,
  ) => (request: FastifyRequest, reply: FastifyReply) => void;
}

/** The public door. A request passes, in this order: hygiene, overload, limits and access, then its body is read. */
export async function buildApp(parts: AppParts): Promise<{ app: FastifyInstance; draining: Draining }> {
  const { config, table } = parts;
  const app = createHttp(parts);
  answerWithProblems(app);
  readBodies(app);
  const draining = prepareDrain(app);

  const secure = securityHeaders();
  const hungUp = new WeakSet<Socket>();
  app.decorateRequest('publicRoute', null);
  app.decorateRequest('access', null);
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(secure).header('x-request-id', request.id);
    const { method, url, rawHeaders, httpVersion, socket } = request.raw;
    // Node has parsed what came behind a message that was refused, and would have it carried out.
    if (hungUp.has(socket)) return done(new Problem(400, 'malformed_request', 'The request before could not be read.'));
    const oddity = findOddity(method, url, rawHeaders, httpVersion);
    if (oddity) {
      // Where a message was not understood, nobody knows where the next one begins.
      hungUp.add(socket);
      void reply.header('connection', 'close');
      return done(new Problem(oddity.status, oddity.code, oddity.detail));
    }
    request.publicRoute = table(pathOf(request.url)) ?? null;
    return done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        route: routeOf(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        user: request.access?.sub,
      },
      'request',
    );
    done();
  });
  measureRequests(app, parts.metrics, routeOf);
  const onAnswered = await shedLoad(app, {
    maxInFlight: config.MAX_IN_FLIGHT,
    maxEventLoopDelay: config.MAX_EVENT_LOOP_DELAY_MS,
    draining,
    streams: parts.streams,
  });
  if (config.CORS_ORIGINS.length > 0) await allowOrigins(app, config.CORS_ORIGINS);
  await admit(app, parts);

  const startedAt = parts.now();
  serveOwnRoutes(app, { ...parts, startedAt });
  const metricsInPublic = (config.METRICS ?? (config.NODE_ENV === 'production' ? 'off' : 'on')) === 'on';
  serveProbes(app, metricsInPublic ? parts.metrics : undefined, parts.readiness, draining.isDraining);
  serveDocs(app);
  const forward = parts.forward(draining, onAnswered);
  app.route({
    method: [...forwarded],
    url: '/v1/payments/callbacks/*',
    bodyLimit: callbackBodyLimit,
    handler: forward,
  });
  app.route({ method: [...forwarded], url: '/*', handler: forward });
  return { app, draining };
}

function createHttp({ config, logger }: AppParts): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = logger;
  return fastify<Server, IncomingMessage, ServerResponse>({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit,
    requestTimeout: 30_000,
    // Cuts off who takes nothing of an answer; a live stream has a heartbeat more often.
    connectionTimeout: 30_000,
    keepAliveTimeout: 72_000,
    // A missing Host is refused with a problem, by hygiene.
    http: {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 15_000,
      connectionsCheckingInterval: 5_000,
      requireHostHeader: false,
      insecureHTTPParser: false,
    },
    trustProxy: config.TRUST_PROXY.length > 0 ? config.TRUST_PROXY : false,
    genReqId: (request) => requestIdOf(request.headers),
    exposeHeadRoutes: false,
    return503OnClosing: true,
    clientErrorHandler: answerClientError,
    frameworkErrors: (_error, request, reply) => {
      void reply.header('connection', 'close');
      sendProblem(request, reply, new Problem(400, 'malformed_request', 'The request could not be read.'));
    },
  });
}

/** Budgets and access of the public API; the gateway's own routes have the budget of the address alone. */
async function admit(app: FastifyInstance, { config, authenticate }: AppParts): Promise<void> {
  const limits =
    config.RATE_LIMITS === 'on'
      ? await createLimits(app, {
          ip: config.RATE_LIMIT_IP,
          user: config.RATE_LIMIT_USER,
          auth: config.RATE_LIMIT_AUTH,
        })
      : undefined;
  app.addHook('onRequest', async (request, reply) => {
    if (request.publicRoute === null && isUnlimited(request)) return;
    await limits?.byAddress(request, reply);
    if (request.publicRoute === null) return;
    request.access = await authenticate(request);
    await limits?.byUser(request, reply);
  });
}

// Those who watch must always get an answer, and it costs next to nothing.
function isUnlimited(request: FastifyRequest): boolean {
  const { url } = request.routeOptions;
  return url === '/v1/health' || url === '/livez' || url === '/readyz' || url === '/metrics';
}

async function allowOrigins(app: FastifyInstance, origins: string[]): Promise<void> {
  await app.register(cors, {
    origin: origins,
    methods: [...forwarded],
    allowedHeaders: [
      'authorization',
      'content-type',
      'idempotency-key',
      'if-match',
      'if-none-match',
      'last-event-id',
      'x-request-id',
    ],
    exposedHeaders: [
      'etag',
      'location',
      'idempotency-replayed',
      'ratelimit',
      'ratelimit-policy',
      'retry-after',
      'x-request-id',
    ],
    maxAge: 600,
  });
}

// A pattern, never a path: metrics and logs must not grow with what clients make up.
function routeOf(request: FastifyRequest): string | undefined {
  return request.publicRoute?.path ?? request.routeOptions.url;
}

function pathOf(url: string): string {
  const mark = url.indexOf('?');
  return mark === -1 ? url : url.slice(0, mark);
}
