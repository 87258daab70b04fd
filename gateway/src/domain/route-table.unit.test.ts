import { operations, serviceNames, type OperationSpec } from '@storefront/contracts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createRouteTable, publicRoutes } from './route-table.ts';

const routes = publicRoutes(serviceNames);
const table = createRouteTable(routes);

describe('the route table', () => {
  it.each([
    ['GET', '/.well-known/jwks.json', 'identity'],
    ['POST', '/v1/auth/login', 'identity'],
    ['DELETE', '/v1/auth/sessions/sess_1', 'identity'],
    ['GET', '/v1/users/me', 'identity'],
    ['POST', '/v1/users/me/export', 'identity'],
    ['GET', '/v1/users/me/exports/exp_1', 'identity'],
    ['GET', '/v1/users/me/addresses', 'account'],
    ['PATCH', '/v1/users/me/addresses/addr_1', 'account'],
    ['GET', '/v1/trade-accounts', 'identity'],
    ['GET', '/v1/trade-accounts/user_1', 'identity'],
    ['GET', '/v1/trade-accounts/{id}', 'identity'],
    ['POST', '/v1/trade-accounts/user_1/approve', 'identity'],
    ['GET', '/v1/wishlist', 'account'],
    ['DELETE', '/v1/wishlist/items/wli_1', 'account'],
    ['GET', '/v1/wishlists/shared/abc', 'account'],
    ['POST', '/v1/customers', 'account'],
    ['GET', '/v1/categories/cat_1', 'catalog'],
    ['POST', '/v1/products/prod_1/stock', 'catalog'],
    ['GET', '/v1/products/images/mug.svg', 'catalog'],
    ['GET', '/v1/notifications', 'engagement'],
    ['GET', '/v1/notifications/stream', 'engagement'],
    ['GET', '/v1/notifications/deliveries/dlv_1', 'engagement'],
    ['GET', '/v1/health/ready', 'health'],
    ['GET', '/v1/health/history', 'health'],
  ])('has %s %s answered by %s', (method, path, service) => {
    expect(table.find(method, path)?.service).toBe(service);
  });

  it.each([
    '/',
    '/v1',
    '/v1/',
    '/v1/auths',
    '/v1/auth',
    '/v1/auth/unknown',
    '/v1/AUTH/login',
    '/v1/user',
    '/v1/users/user_1/secrets',
    '/v1/users/me/',
    '/v1/users/me/secrets',
    '/v1/usersme',
    '/v1/health',
    '/v1/health/ready/x',
    '/v1/trade-accounts/user_1/debts',
    '/v1/campaigns/active/x',
    '/v1/discounts/evaluate/now',
    '/v1/analytics/events/x',
    '/v1/invoices/inv_1/png',
    '/v1/payments/callbacks/cbk_1/body',
    '/v2/auth/login',
    '/internal/revocations',
    '/livez',
    '/metrics',
    '/openapi.json',
    '/xwell-known/jwks.json',
  ])('does not have the path %s', (path) => {
    expect(table.find('GET', path)).toBeUndefined();
    expect(table.methodsOf(path)).toBeUndefined();
  });

  it('finds every operation of every service by its method and path, with and without parameters filled in', () => {
    for (const route of routes) {
      const { method, path } = route.operation;
      expect(table.find(method, path)).toBe(route);
      expect(table.find(method, path.replaceAll(/\{\w+\}/g, 'x_01'))).toBe(route);
    }
    expect(routes).toHaveLength(serviceNames.flatMap((name) => Object.keys(operations[name])).length);
  });

  it('knows the methods of a path, HEAD where there is GET', () => {
    expect(table.methodsOf('/v1/customers')).toBe('GET, HEAD, POST');
    expect(table.methodsOf('/v1/customers/cust_1')).toBe('DELETE, GET, HEAD, PATCH');
    expect(table.methodsOf('/v1/auth/login')).toBe('POST');
    expect(table.find('GET', '/v1/auth/login')).toBeUndefined();
    expect(table.find('HEAD', '/v1/customers')).toBe(table.find('GET', '/v1/customers'));
    expect(table.find('OPTIONS', '/v1/customers')).toBeUndefined();
  });

  it('gives operations where passwords and codes could be guessed the small budget, and no others', () => {
    expect(table.find('POST', '/v1/auth/login')?.operation.budget).toBe('auth');
    expect(table.find('GET', '/v1/users/me')?.operation.budget).toBeUndefined();
    expect(table.find('GET', '/v1/notifications/stream')?.operation.stream).toBe(true);
  });

  it('knows the budget of a path that no route has: the small one where all routes with the same first two segments have one', () => {
    for (const path of ['/v1/auth', '/v1/auth/unknown', '/v1/auth/a/b']) expect(table.budgetBeside(path)).toBe('auth');
    for (const path of ['/v1/users', '/v1/unknown', '/v1', '/']) expect(table.budgetBeside(path)).toBeUndefined();
  });

  // The linter of the API document sees the names of parameters only, so its rule against ambiguous paths is off.
  it('has no path that two patterns fit: no id is `images`, for one', () => {
    const patterns = [...new Map(routes.map(({ operation }) => [operation.path, operation])).values()];
    const ambiguous = patterns.flatMap((one, index) =>
      patterns
        .slice(index + 1)
        .filter((other) => canBeSame(one, other))
        .map((other) => `${one.path} ${other.path}`),
    );
    expect(ambiguous).toEqual([]);
  });
});

function canBeSame(one: OperationSpec, other: OperationSpec): boolean {
  const [segments, others] = [one.path.split('/'), other.path.split('/')];
  return (
    segments.length === others.length &&
    segments.every(
      (segment, at) => accepts(one, segment, others[at] ?? '') || accepts(other, others[at] ?? '', segment),
    )
  );
}

/** Whether a segment of the operation's pattern accepts that of another pattern. */
function accepts({ params }: OperationSpec, segment: string, other: string): boolean {
  if (!segment.startsWith('{')) return segment === other;
  return (
    other.startsWith('{') || z.object(params?.shape).shape[segment.slice(1, -1)]?.safeParse(other).success === true
  );
}
