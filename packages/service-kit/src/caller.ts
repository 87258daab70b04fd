import { TokenError } from '@storefront/access-token';
import type { Caller, InternalTokenVerifier, Principal } from '@storefront/access-token';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from './problem.ts';

/**
 * Who may call a route: anybody; any logged-in user; only approved trade accounts; only administrators. `system` is for
 * the gateway itself and probes, and is never reachable from outside.
 */
export type Access = 'public' | 'user' | 'trade' | 'admin' | 'system';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyRequest {
    /** Who is calling, on the gateway's word. */
    caller: Caller;
    /** The address of the client as the gateway saw it. */
    clientIp: string;
  }
}

/**
 * Takes the gateway's internal token on every route and holds each route to the access it declares. A route that declares
 * none stops the start: what nobody thought about is open to nobody.
 */
export function guardRoutes(app: FastifyInstance, tokens: InternalTokenVerifier): void {
  app.decorateRequest('caller', null);
  app.decorateRequest('clientIp', '');
  app.addHook('onRoute', (route) => {
    if (route.config?.access === undefined)
      throw new Error(`${String(route.method)} ${route.url} does not say who may call it (config.access)`);
  });
  app.addHook('onRequest', async (request) => {
    const access = request.routeOptions.config.access;
    if (access === undefined && !request.is404) throw new Problem(404, 'route_not_found', 'There is no such route.');
    if (access === 'system' && !request.url.startsWith('/internal/')) return;
    request.caller = await readCaller(request, tokens);
    const ip = request.headers['x-client-ip'];
    request.clientIp = typeof ip === 'string' ? ip : request.ip;
    if (access !== undefined) assertAccess(access, request.caller);
  });
}

async function readCaller(request: FastifyRequest, tokens: InternalTokenVerifier): Promise<Caller> {
  const token = request.headers['x-internal-token'];
  if (typeof token !== 'string') throw new Problem(403, 'gateway_only', 'This service is reached through the gateway.');
  try {
    return await tokens.verify(token);
  } catch (error) {
    if (error instanceof TokenError)
      throw new Problem(403, 'gateway_only', 'This service is reached through the gateway.');
    throw error;
  }
}

function assertAccess(access: Access, caller: Caller): void {
  if (access === 'public' || access === 'system') return;
  if (caller === null) {
    throw new Problem(401, 'authentication_required', 'Log in and send the access token.', {
      headers: { 'www-authenticate': 'Bearer' },
    });
  }
  if (access === 'admin' && caller.role !== 'admin')
    throw new Problem(403, 'admin_required', 'Only an administrator may do this.');
  if (access === 'trade' && caller.role !== 'trade')
    throw new Problem(403, 'trade_account_required', 'Only a trade account may do this.');
}

/** The logged-in caller of a route whose access is not `public`. */
export function callerOf(request: FastifyRequest): Principal {
  if (request.caller === null) throw new Error('a route that needs a caller must not be public');
  return request.caller;
}
