import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { commonErrors } from '@storefront/contracts';
import { requestIdOf, sendProblem } from '@storefront/http';
import { fastify, LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { answerClientError } from './client-errors.ts';

/**
 * Creates an app without routes. Its limits of size and time are strict, because anonymous clients can send requests.
 */
export function createHttpServer(logger: Logger, trustedProxies: readonly string[]): FastifyInstance {
  // Typed as Fastify's own logger, so that the app's type does not depend on pino.
  const loggerInstance: FastifyBaseLogger = logger;
  return fastify<Server, IncomingMessage, ServerResponse>({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 256 * 1024,
    requestTimeout: 30_000,
    // Closes connections on which nothing was sent or received for 30 s. Live streams send heartbeats more often.
    connectionTimeout: 30_000,
    keepAliveTimeout: 72_000,
    http: {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 15_000,
      connectionsCheckingInterval: 5_000,
      // `refuseMalformedRequests` refuses a missing Host header, with a problem document.
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
