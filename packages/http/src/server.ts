import type { InternalTokenVerifier } from '@storefront/access-token';
import { runWithCause } from '@storefront/messaging';
import type { LocalHandler, Registry } from '@storefront/process';
import {
  fastify,
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Logger } from 'pino';
import { guardRoutes, type OnRoleRefused } from './access.ts';
import { createAnswerBytes } from './answer-bytes.ts';
import { readAsJson, refuseEncodedBodies } from './bodies.ts';
import { prepareDrain } from './drain.ts';
import { measureRequests } from './metrics.ts';
import { answerWithProblems, type ToRefusal } from './problems.ts';
import { serveProbes, type ReadinessChecks } from './probes.ts';
import { serializerCompiler } from './serialization.ts';
import { requestIdOf, traceparentOf } from './tracing.ts';

export interface ServerOptions {
  readonly name: string;
  readonly logger: Logger;
  readonly tokens: InternalTokenVerifier;
  readonly readiness: ReadinessChecks;
  readonly metrics: Registry;
  /** Turns errors of libraries, such as the database driver, into refusals. */
  readonly toRefusal?: ToRefusal;
  readonly onRoleRefused?: OnRoleRefused;
  /** The largest body in bytes; 256 KiB by default. */
  readonly bodyLimit?: number;
}

export interface Server {
  readonly app: FastifyInstance;
  /** Handles a request of a gateway in the same process, without a connection. */
  readonly handle: LocalHandler;
  /** Starts listening. Returns the address, such as `http://127.0.0.1:4101`. */
  listen(host: string, port: number): Promise<string>;
  /** Answers the running requests, lets clients leave without an error, then stops listening. */
  drain(): Promise<void>;
}

const maxHeaderSize = 16 * 1024;
/**
 * Answers of at least this many characters are turned into bytes at once. Otherwise Node would build one string from
 * thousands of parts to count its bytes, and then a second string with the headers.
 */
const longAnswer = 8 * 1024;

/** Creates the HTTP server of a service, with problems, access checks, limits, probes, metrics and draining. */
export function createServer(options: ServerOptions): Server {
  const { metrics } = options;
  // Typed as Fastify's own logger, so that the app's type does not depend on pino.
  const logger: FastifyBaseLogger = options.logger;

  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: options.bodyLimit ?? 256 * 1024,
    // The gateway limits the time of an answer (`UPSTREAM_TIMEOUT_MS`). A limit here would not stop a handler's work.
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    http: { maxHeaderSize },
    genReqId: (request) => requestIdOf(request.headers),
    // As long as the headers may be, so that an identifier that is too long gets the same answer as any malformed one.
    routerOptions: { maxParamLength: maxHeaderSize },
    return503OnClosing: true,
    exposeHeadRoutes: false,
  });

  app.setSerializerCompiler(serializerCompiler);
  app.removeContentTypeParser('application/json');
  readAsJson(app, 'application/json');
  refuseEncodedBodies(app);
  answerWithProblems(app, options.toRefusal);
  const draining = prepareDrain(app);
  const answerBytes = createAnswerBytes();
  app.addHook('onRequest', (request, _reply, done) => {
    runWithCause({ correlationid: request.id, traceparent: traceparentOf(request.headers) }, done);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    void reply.header('x-request-id', request.id);
    // Fastify closes the connection after every body that it can't parse. If the whole body was read, this is not
    // necessary, and the gateway would think that this service is closing.
    const isNeeded = draining.isDraining() || !request.raw.complete;
    if (!isNeeded && reply.hasHeader('connection')) void reply.removeHeader('connection');
    const isLong = typeof payload === 'string' && payload.length >= longAnswer;
    done(null, isLong ? answerBytes(payload, reply.raw) : payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (isLogged(request, reply)) {
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
  guardRoutes(app, options.tokens, options.onRoleRefused);
  serveProbes(app, metrics, options.readiness, draining.isDraining);

  return {
    app,
    handle: (request, answer) => app.routing(request, answer),
    listen: (host, port) => app.listen({ host, port }),
    drain: draining.drain,
  };
}

// Probes and the gateways' own requests come many times a second. Probes are not logged, and of the gateways' requests
// only refused ones.
function isLogged({ routeOptions }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  const { access } = routeOptions.config;
  return access !== 'probe' && (access !== 'system' || statusCode >= 400);
}
