import { TokenError, type Caller, type InternalTokenVerifier, type Principal } from '@storefront/access-token';
import { commonErrors, type Access, type LimitedRole, type Refusal } from '@storefront/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** `probe`: open to every client that reaches the port, such as an orchestrator, which has no token. */
type RouteAccess = Access | 'probe';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess;
    alsoFor?: readonly LimitedRole[];
  }
  interface FastifyRequest {
    /** The caller, as the gateway has verified; null for an anonymous request. */
    caller: Caller;
    /** The address of the client as the gateway saw it. */
    clientIp: string;
  }
}

/** Called for each request that is refused for the role of its caller. */
export type OnRoleRefused = (request: FastifyRequest, refusal: Refusal) => void;

/**
 * Requires the gateway's internal token on every route but the probes, and holds each route to the access it declares. A
 * route that declares none stops the start: access is denied by default. What counts is the route that was matched, never
 * the text of the request: one route can be written in many ways.
 */
export function guardRoutes(
  app: FastifyInstance,
  tokens: InternalTokenVerifier,
  onRoleRefused: OnRoleRefused = () => undefined,
): void {
  app.decorateRequest('caller', null);
  app.decorateRequest('clientIp', '');
  app.addHook('onRoute', (route) => {
    if (route.config?.access === undefined)
      throw new Error(`${String(route.method)} ${route.url} does not say who may call it (config.access)`);
  });
  app.addHook('onRequest', async (request) => {
    const { access, alsoFor = [] } = request.routeOptions.config;
    if (access === undefined && !request.is404) throw commonErrors.routeNotFound();
    if (access === 'probe') return;
    const caller = await readCaller(request, tokens);
    const isLimited = caller !== null && isLimitedRole(caller.role) && !alsoFor.includes(caller.role);
    // A limited session gets nothing that an operation does for a logged-in caller.
    request.caller = isLimited ? null : caller;
    const ip = request.headers['x-client-ip'];
    request.clientIp = typeof ip === 'string' ? ip : request.ip;
    if (access === undefined) return;
    if (isLimited && access !== 'public') throw commonErrors.sessionLimited();
    const refusal = refusalOf(access, request.caller);
    if (!refusal) return;
    if (request.caller) onRoleRefused(request, refusal);
    throw refusal;
  });
}

async function readCaller(request: FastifyRequest, tokens: InternalTokenVerifier): Promise<Caller> {
  const token = request.headers['x-internal-token'];
  if (typeof token !== 'string') throw commonErrors.gatewayOnly();
  try {
    return await tokens.verify(token);
  } catch (error) {
    throw error instanceof TokenError ? commonErrors.gatewayOnly() : error;
  }
}

function isLimitedRole(role: Principal['role']): role is LimitedRole {
  return role === 'applicant' || role === 'enrolling';
}

function refusalOf(access: Exclude<RouteAccess, 'probe'>, caller: Caller): Refusal | null {
  if (access === 'public' || access === 'system') return null;
  if (caller === null) return commonErrors.authenticationRequired();
  if (access === 'admin' && caller.role !== 'admin') return commonErrors.adminRequired();
  if (access === 'trade' && caller.role !== 'trade') return commonErrors.tradeAccountRequired();
  return null;
}
