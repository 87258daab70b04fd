import swagger from '@fastify/swagger';
import { createJsonSchemaTransforms } from './openapi.ts';
import type { ZodTypeProvider } from '@fastify/type-provider-zod';
import type { InternalTokenVerifier } from '@storefront/access-token';
import { runWithCause } from '@storefront/messaging';
import { fastify, LogController } from 'fastify';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { Logger } from 'pino';
import { guardRoutes } from './caller.ts';
import { prepareDrain } from './drain.ts';
import { createMetrics, measureRequests } from './metrics.ts';
import type { Registry } from './metrics.ts';
import { answerWithProblems } from './problems.ts';
import { serveProbes } from './probes.ts';
import type { ReadinessChecks } from './probes.ts';
import { serializerCompiler } from './serialization.ts';
import { requestIdOf, traceparentOf } from './tracing.ts';
import { validatorCompiler } from './validation.ts';

/** A Fastify app whose schemas are zod. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;

export interface ServerOptions {
  readonly name: string;
  readonly logger: Logger;
  readonly tokens: InternalTokenVerifier;
  readonly readiness: ReadinessChecks;
  readonly metrics?: Registry;
  /** The largest body in bytes; 256 KiB where none is given. */
  readonly bodyLimit?: number;
}

export interface Server {
  readonly app: App;
  readonly metrics: Registry;
  /** Starts listening; the address, such as `http://127.0.0.1:4101`. */
  listen(host: string, port: number): Promise<string>;
  /** Finishes what is under way, lets clients leave without an error, then stops listening. */
  drain(): Promise<void>;
}

const maxHeaderSize = 16 * 1024;

/** A server as every service has it: problems, access, limits, probes, metrics, OpenAPI and draining alike. */
export function createServer(options: ServerOptions): Server {
  // Named by Fastify's own type, so that the app's type does not depend on the logger's.
  const logger: FastifyBaseLogger = options.logger;
  const metrics = options.metrics ?? createMetrics(options.name);

  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: options.bodyLimit ?? 256 * 1024,
    requestTimeout: 30_000,
    handlerTimeout: 10_000,
    keepAliveTimeout: 72_000,
    http: { maxHeaderSize },
    genReqId: (request) => requestIdOf(request.headers),
    // As long as headers allow: what is too long for an identifier is refused like any other that is malformed.
    routerOptions: { maxParamLength: maxHeaderSize },
    return503OnClosing: true,
    exposeHeadRoutes: false,
  }).withTypeProvider<ZodTypeProvider>();

  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  answerWithProblems(app);
  const draining = prepareDrain(app);
  app.addHook('onRequest', (request, _reply, done) => {
    runWithCause({ correlationid: request.id, traceparent: traceparentOf(request.headers) }, done);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    void reply.header('x-request-id', request.id);
    done(null, payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (request.routeOptions.config.access !== 'system') {
      request.log.info(
        {
          method: request.method,
          route: request.routeOptions.url,
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime * 10) / 10,
          user: request.caller?.sub,
        },
        'request',
      );
    }
    done();
  });
  measureRequests(app, metrics);
  guardRoutes(app, options.tokens);
  app.register(swagger, {
    openapi: {
      openapi: '3.1.1',
      info: { title: options.name, version: '1.0.0' },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
    ...createJsonSchemaTransforms(),
  });
  app.after(() => {
    serveProbes(app, metrics, options.readiness, draining.isDraining);
    app.get('/openapi.json', { config: { access: 'system' }, schema: { hide: true } }, () => app.swagger());
  });

  return {
    app,
    metrics,
    listen: (host, port) => app.listen({ host, port }),
    drain: draining.drain,
  };
}
