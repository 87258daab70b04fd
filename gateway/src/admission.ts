import type { VerifiedAccess } from '@storefront/access-token';
import { commonErrors, Refusal, type OperationSpec } from '@storefront/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticate } from './access/authenticate.ts';
import type { RouteTable } from './domain/route-table.ts';
import type { Limits } from './limits/limits.ts';
import { pathOf } from './routing.ts';

// Monitoring must always get an answer, and these cost next to nothing.
const unlimited = new Set(['/v1/health', '/livez', '/readyz', '/metrics']);

/**
 * Checks each request before its body is read: its caller, its method, and the budgets of the caller, who is the user of a
 * valid token and otherwise the address. The gateway's own routes look at no token. Without `limits` there are none.
 */
export function admitRequests(
  app: FastifyInstance,
  parts: { routes: RouteTable; authenticate: Authenticate; limits: Limits | undefined },
): void {
  const { routes, authenticate, limits } = parts;
  const ownPaths = new Set<string>();
  app.addHook('onRoute', ({ method, url }) => {
    if (method === 'GET') ownPaths.add(url);
  });

  app.addHook('onRequest', async (request, reply) => {
    const pattern = request.routeOptions.url ?? '';
    if (unlimited.has(pattern)) return;
    const operation = request.publicRoute?.operation;
    if (operation) {
      request.access = await callerOf(request, reply, operation);
      return;
    }
    limits?.countAnonymous(request, reply, routes.budgetBeside(pathOf(request)));
    if (!ownPaths.has(pattern)) refuseMethod(request, reply);
  });

  /** The verified caller, or null for an anonymous request; the request is counted. */
  async function callerOf(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: OperationSpec,
  ): Promise<VerifiedAccess | null> {
    // An anonymous logout is refused here, at once, so that it needs no budget and no service.
    const isEnding = operation.budget === 'ending';
    try {
      const caller = await authenticate(request, (genuine) => limits?.countUser(request, reply, operation, genuine));
      if (caller) return caller;
    } catch (error) {
      const isNobody = error instanceof Refusal && error.kind === 'unauthenticated';
      if (isNobody && !isEnding) limits?.countAnonymous(request, reply, operation.budget);
      throw error;
    }
    if (isEnding) throw commonErrors.authenticationRequired();
    limits?.countAnonymous(request, reply, operation.budget);
    return null;
  }

  // A path that has no methods at all is 404, later on.
  function refuseMethod(request: FastifyRequest, reply: FastifyReply): void {
    const path = pathOf(request);
    const methods = routes.methodsOf(path) ?? (ownPaths.has(path) ? 'GET, HEAD' : undefined);
    if (methods === undefined) return;
    void reply.header('allow', methods);
    throw commonErrors.methodNotAllowed();
  }
}
