import { TokenError, type Caller, type InternalTokenVerifier, type Principal } from '@storefront/access-token';
import {
  commonErrors,
  roleRefusal,
  scopeRefusal,
  staffOf,
  type Access,
  type LimitedRole,
  type OperationSpec,
  type Refusal,
} from '@storefront/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** `probe`: open to every client that reaches the port, because clients such as an orchestrator have no token. */
type RouteAccess = Access | 'probe';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess;
    roles?: OperationSpec['roles'];
    scope?: OperationSpec['scope'];
    alsoFor?: readonly LimitedRole[];
  }
  interface FastifyRequest {
    /** The caller that the gateway has verified; null for an anonymous request. */
    caller: Caller;
    /**
     * Whether the caller may do more than others: staff with one of the roles that the operation names, or a program whose API
     * token has its scope.
     */
    asStaff: boolean;
    /** The client's address as seen by the gateway. */
    clientIp: string;
  }
}

/** Called for each request that is refused because of its caller's role. */
export type OnRoleRefused = (request: FastifyRequest, refusal: Refusal) => void;

/**
 * Requires the gateway's internal token on every route except the probes, and checks each request against the access
 * that its route declares. A route without a declared access makes the start fail, so no route is open by mistake. The
 * check uses the matched route and not the request's URL, because one route can be written in many ways.
 */
export function guardRoutes(
  app: FastifyInstance,
  tokens: InternalTokenVerifier,
  onRoleRefused: OnRoleRefused = () => undefined,
): void {
  app.decorateRequest('caller', null);
  app.decorateRequest('asStaff', false);
  app.decorateRequest('clientIp', '');
  app.addHook('onRoute', (route) => {
    if (route.config?.access === undefined)
      throw new Error(`${String(route.method)} ${route.url} does not say who may call it (config.access)`);
  });
  app.addHook('onRequest', async (request) => {
    const { access, roles, scope, alsoFor } = request.routeOptions.config;
    if (access === undefined && !request.is404) throw commonErrors.routeNotFound();
    if (access === 'probe') return;
    const caller = await readCaller(request, tokens);
    const isLimited = isLimitedFor(caller, alsoFor);
    // With a limited session the caller counts as anonymous.
    request.caller = isLimited ? null : caller;
    const ip = request.headers['x-client-ip'];
    request.clientIp = typeof ip === 'string' ? ip : request.ip;
    if (access === undefined) return;
    if (isLimited && access !== 'public') throw commonErrors.sessionLimited();
    request.asStaff = actsAsStaff({ access, roles, scope }, request.caller);
    const refusal = refusalOf({ access, roles, scope }, request);
    if (!refusal) return;
    if (request.caller) onRoleRefused(request, refusal);
    throw refusal;
  });
}

/**
 * The refusal that the operation's service answers to this caller; null for a caller who may call it. So a gateway need not
 * read a large body that is refused anyway.
 */
export function accessRefusal(operation: OperationSpec, caller: Caller): Refusal | null {
  if (isLimitedFor(caller, operation.alsoFor))
    return operation.access === 'public' ? null : commonErrors.sessionLimited();
  return refusalOf(operation, { caller, asStaff: actsAsStaff(operation, caller) });
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

/** Whether the session of the caller is limited, and the operation is not one of those that it may call all the same. */
function isLimitedFor(caller: Caller, alsoFor: OperationSpec['alsoFor'] = []): boolean {
  return caller !== null && isLimitedRole(caller.role) && !alsoFor.includes(caller.role);
}

function isLimitedRole(role: Principal['role']): role is LimitedRole {
  return role === 'applicant' || role === 'enrolling';
}

type Guarded = Pick<OperationSpec, 'access' | 'roles' | 'scope'>;

function actsAsStaff(operation: Guarded, caller: Caller): boolean {
  if (caller?.role !== 'program') return staffOf(operation).some((role) => role === caller?.role);
  return operation.scope !== undefined && (caller.scopes ?? []).includes(operation.scope);
}

function refusalOf(
  operation: Guarded,
  { caller, asStaff }: Pick<FastifyRequest, 'caller' | 'asStaff'>,
): Refusal | null {
  const { access } = operation;
  if (caller?.role === 'program' && !asStaff) return scopeRefusal(operation);
  if (access === 'public' || access === 'system') return null;
  if (caller === null) return commonErrors.authenticationRequired();
  if ((access === 'staff' || access === 'admin') && !asStaff) return roleRefusal(operation);
  if (access === 'trade' && caller.role !== 'trade') return commonErrors.tradeAccountRequired();
  return null;
}
