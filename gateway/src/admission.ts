import { commonErrors } from '@storefront/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticate } from './access/authenticate.ts';
import type { RouteTable } from './domain/route-table.ts';
import { createLimits } from './limits.ts';
import type { Budgets } from './limits.ts';
import { pathOf } from './routing.ts';

// Monitoring must always get an answer, and these cost next to nothing.
const unlimited = new Set(['/v1/health', '/livez', '/readyz', '/metrics']);

/**
 * Checks each request before its body is read: the budget of its address, its method, its caller, the budget of its caller.
 * The gateway's own routes have the budget of the address only. Without `budgets` there are no limits.
 */
export async function admitRequests(
  app: FastifyInstance,
  parts: { routes: RouteTable; authenticate: Authenticate; budgets: Budgets | undefined },
): Promise<void> {
  const { routes, authenticate, budgets } = parts;
  const limits = budgets && (await createLimits(app, budgets));
  const ownPaths = new Set<string>();
  app.addHook('onRoute', ({ method, url }) => {
    if (method === 'GET') ownPaths.add(url);
  });

  app.addHook('onRequest', async (request, reply) => {
    const pattern = request.routeOptions.url ?? '';
    if (unlimited.has(pattern)) return;
    const route = request.publicRoute;
    await limits?.byAddress(request, reply, route ? route.operation.budget : routes.budgetBeside(pathOf(request)));
    if (route) {
      request.access = await authenticate(request);
      await limits?.byUser(request, reply);
    } else if (!ownPaths.has(pattern)) refuseMethod(request, reply);
  });

  // A path that has no methods at all is 404, later on.
  function refuseMethod(request: FastifyRequest, reply: FastifyReply): void {
    const path = pathOf(request);
    const methods = routes.methodsOf(path) ?? (ownPaths.has(path) ? 'GET, HEAD' : undefined);
    if (methods === undefined) return;
    void reply.header('allow', methods);
    throw commonErrors.methodNotAllowed();
  }
}
