import { describe, expect, it } from 'vitest';
import { publicApi } from '../upstreams.ts';
import { createRouteTable } from './route-table.ts';

const table = createRouteTable(publicApi);

describe('the public API map', () => {
  it.each([
    ['/.well-known/jwks.json', 'identity'],
    ['/v1/auth/login', 'identity'],
    ['/v1/auth/sessions/sess_1', 'identity'],
    ['/v1/users/me', 'identity'],
    ['/v1/users/me/export', 'identity'],
    ['/v1/users/me/exports/exp_1', 'identity'],
    ['/v1/users/me/addresses', 'account'],
    ['/v1/users/me/addresses/addr_1', 'account'],
    ['/v1/trade-accounts', 'identity'],
    ['/v1/trade-accounts/user_1', 'identity'],
    ['/v1/trade-accounts/user_1/approve', 'identity'],
    ['/v1/trade-accounts/user_1/credit', 'billing'],
    ['/v1/trade-accounts/{id}/credit', 'billing'],
    ['/v1/wishlist', 'account'],
    ['/v1/wishlist/items/wli_1', 'account'],
    ['/v1/wishlists/shared/abc', 'account'],
    ['/v1/customers', 'account'],
    ['/v1/categories/cat_1', 'catalog'],
    ['/v1/products/prod_1/stock', 'catalog'],
    ['/v1/notifications', 'engagement'],
    ['/v1/notifications/stream', 'engagement'],
    ['/v1/campaigns/active', 'engagement'],
    ['/v1/discounts/evaluate', 'engagement'],
    ['/v1/analytics/events', 'engagement'],
    ['/v1/invoices/inv_1/pdf', 'billing'],
    ['/v1/payments/callbacks/demo', 'billing'],
    ['/v1/health/ready', 'health'],
    ['/v1/health/history', 'health'],
  ])('sends %s to %s', (path, service) => {
    expect(table(path)?.service).toBe(service);
  });

  it.each([
    '/',
    '/v1',
    '/v1/',
    '/v1/auths',
    '/v1/AUTH/login',
    '/v1/users',
    '/v1/users/user_1',
    '/v1/users/me/',
    '/v1/users/me/secrets',
    '/v1/users/meaddresses',
    '/v1/health',
    '/v1/health/ready/x',
    '/v2/auth/login',
    '/internal/revocations',
    '/livez',
    '/metrics',
    '/openapi.json',
    '/xwell-known/jwks.json',
  ])('has no row for %s', (path) => {
    expect(table(path)).toBeUndefined();
  });

  it('gives what guesses passwords and codes the small budget, and nothing else', () => {
    expect(table('/v1/auth/login')?.budget).toBe('auth');
    expect(table('/v1/users/me')?.budget).toBeUndefined();
    expect(table('/v1/notifications/stream')?.stream).toBe(true);
  });
});
