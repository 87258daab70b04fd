import { commonErrors, Refusal, tokenIgnoredHeader, type OperationSpec } from '@storefront/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticate } from './access/authenticate.ts';
import type { RouteTable } from './domain/route-table.ts';
import type { Limits } from './limits/limits.ts';
import { pathOf } from './routing.ts';
import type { VerifiedCaller } from './access/verified-caller.ts';

// Monitoring must always get an answer, and these routes cost next to nothing.
const unlimited = new Set(['/v1/health', '/livez', '/readyz', '/metrics']);

/**
 * Checks each request before its body is read: the caller, the method, and the budgets of the caller. A caller with a
 * valid token is counted as a user, any other caller by address. A token that is not valid is refused, and on public
 * operations ignored; `X-Token-Ignored` says so where a valid one could have changed the answer. The gateway's own routes
 * ignore all tokens. Without `limits` nothing is counted.
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

  /** Counts the request, and returns its verified caller, or null for one that counts as anonymous. */
  async function callerOf(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: OperationSpec,
  ): Promise<VerifiedCaller | null> {
    // An anonymous logout is refused here at once, so it uses up no budget and reaches no service.
    const isEnding = operation.budget === 'ending';
    let isCounted = false;
    function countByAddress(): void {
      isCounted = true;
      limits?.countAnonymous(request, reply, operation.budget);
    }
    try {
      const caller = await authenticate(request, {
        onUnknown: countByAddress,
        onGenuine: (genuine) => limits?.countUser(request, reply, operation, genuine),
      });
      if (caller) return caller;
    } catch (error) {
      const isNobody = error instanceof Refusal && error.kind === 'unauthenticated';
      if (isNobody && !isEnding && !isCounted) countByAddress();
      if (!isNobody || operation.access !== 'public') throw error;
      // A client with a dead token must be able to log in again, and to read what everybody may read.
      if (operation.optionalToken) void reply.header(tokenIgnoredHeader, 'true');
      return null;
    }
    if (isEnding) throw commonErrors.authenticationRequired();
    countByAddress();
    return null;
  }

  // A path without any methods is left to the router, which answers 404.
  function refuseMethod(request: FastifyRequest, reply: FastifyReply): void {
    const path = pathOf(request);
    const methods = routes.methodsOf(path) ?? (ownPaths.has(path) ? 'GET, HEAD' : undefined);
    if (methods === undefined) return;
    void reply.header('allow', methods);
    throw commonErrors.methodNotAllowed();
  }
}
