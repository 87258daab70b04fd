import type { Socket } from 'node:net';
import { commonErrors } from '@storefront/contracts';
import type { FastifyInstance } from 'fastify';
import { knownMethods, refusalOfMalformed } from './domain/malformed-request.ts';
import type { RouteTable } from './domain/route-table.ts';
import { pathOf } from './routing.ts';

/**
 * Refuses requests that two programs could read differently, and closes their connections: after an unclear message it
 * is also unclear where the next one begins.
 */
export function refuseMalformedRequests(app: FastifyInstance, routes: RouteTable): void {
  const refused = new WeakSet<Socket>();
  app.addHook('onRequest', (request, reply, done) => {
    const { method, url, rawHeaders, httpVersion, socket } = request.raw;
    // Node has also parsed the bytes after the refused message, so this request can't be trusted.
    if (refused.has(socket)) return done(commonErrors.malformedRequest('The request before could not be read.'));
    const malformed = refusalOfMalformed(method, url, rawHeaders, httpVersion);
    if (!malformed) return done();
    refused.add(socket);
    void reply.header('connection', 'close');
    const allowed = routes.methodsOf(pathOf(request));
    // A GET with a body is malformed. But if the path has no GET at all, 405 is the more helpful answer.
    const isMethodWrong = allowed !== undefined && method !== undefined && !allowed.split(', ').includes(method);
    const refusal = isMethodWrong && malformed.kind !== 'method' ? commonErrors.methodNotAllowed() : malformed;
    if (refusal.kind === 'method') void reply.header('allow', allowed ?? knownMethods.join(', '));
    return done(refusal);
  });
}
