import type { InternalTokenVerifier } from '@storefront/access-token';
import { runWithCause } from '@storefront/messaging';
import type { Registry } from '@storefront/process';
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
  /** The largest body in bytes; 256 KiB where none is given. */
  readonly bodyLimit?: number;
}

export interface Server {
  readonly app: FastifyInstance;
  /** Starts listening; the address, such as `http://127.0.0.1:4101`. */
  listen(host: string, port: number): Promise<string>;
  /** Answers requests under way, lets clients leave without an error, then stops listening. */
  drain(): Promise<void>;
}

const maxHeaderSize = 16 * 1024;
/**
 * Answers of so many characters are made bytes at once. Node would make one flat string of thousands of parts to count
 * its bytes, and another one of it and the headers.
 */
const longAnswer = 8 * 1024;

/** A service's server, the same for all services: problems, access, limits, probes, metrics and draining. */
export function createServer(options: ServerOptions): Server {
  const { metrics } = options;
  // Named by Fastify's own type, so that the app's type does not depend on the logger's.
  const logger: FastifyBaseLogger = options.logger;

  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: options.bodyLimit ?? 256 * 1024,
    // How long an answer may take is up to the gateway (`UPSTREAM_TIMEOUT_MS`): a limit here would end no handler's work.
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    http: { maxHeaderSize },
    genReqId: (request) => requestIdOf(request.headers),
    // As long as headers allow: an identifier that is too long then gets the same answer as any other malformed one.
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
    // Fastify closes the connection after every body that it can't parse. Where the body was read whole there is no reason to,
    // and to a gateway it would announce that this service is closing.
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
    listen: (host, port) => app.listen({ host, port }),
    drain: draining.drain,
  };
}

// Probes and the gateways' own requests come many times a second; only their refusals are logged.
function isLogged({ routeOptions }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  const { access } = routeOptions.config;
  return access !== 'probe' && (access !== 'system' || statusCode >= 400);
}
