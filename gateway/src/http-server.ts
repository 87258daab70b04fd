import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { commonErrors } from '@storefront/contracts';
import { requestIdOf, sendProblem } from '@storefront/http';
import { fastify, LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { answerClientError } from './client-errors.ts';

/** An app without routes. Its limits of size and time are those for anonymous clients. */
export function createHttpServer(logger: Logger, trustedProxies: readonly string[]): FastifyInstance {
  // Named by Fastify's own type, so that the app's type does not depend on the logger's.
  const loggerInstance: FastifyBaseLogger = logger;
  return fastify<Server, IncomingMessage, ServerResponse>({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 256 * 1024,
    requestTimeout: 30_000,
    // Closes connections on which the client receives nothing of its answer; a live stream has a heartbeat more often.
    connectionTimeout: 30_000,
    keepAliveTimeout: 72_000,
    http: {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 15_000,
      connectionsCheckingInterval: 5_000,
      // A missing Host is refused with a problem, by refuseMalformedRequests.
      requireHostHeader: false,
      insecureHTTPParser: false,
    },
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    genReqId: (request) => requestIdOf(request.headers),
    return503OnClosing: true,
    clientErrorHandler: answerClientError,
    frameworkErrors: (_error, request, reply) => {
      void reply.header('connection', 'close');
      sendProblem(request, reply, commonErrors.malformedRequest());
    },
  });
}
