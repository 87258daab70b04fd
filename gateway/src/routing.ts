import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PublicRoute, RouteTable } from './domain/route-table.ts';
import type { VerifiedCaller } from './access/verified-caller.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The operation for this request and its service; null for the gateway's own routes and for unknown paths. */
    publicRoute: PublicRoute | null;
    /** The verified caller; null for an anonymous request. */
    access: VerifiedCaller | null;
  }
}

/** Looks up the route of each request. */
export function findRoutes(app: FastifyInstance, routes: RouteTable): void {
  app.decorateRequest('publicRoute', null);
  app.decorateRequest('access', null);
  app.addHook('onRequest', (request, _reply, done) => {
    request.publicRoute = routes.find(request.method, pathOf(request)) ?? null;
    done();
  });
}

/** The path without the query. */
export function pathOf({ url }: FastifyRequest): string {
  const mark = url.indexOf('?');
  return mark === -1 ? url : url.slice(0, mark);
}

/**
 * Returns the pattern of the path, for metrics and logs. The path itself is not used there, because clients can invent
 * any number of paths.
 */
export function patternOf(request: FastifyRequest): string | undefined {
  return request.publicRoute?.operation.path ?? request.routeOptions.url;
}
