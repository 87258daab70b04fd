import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFakeBus } from './support/fake-bus.ts';
import { startFakeIdentity, type FakeIdentity } from './support/fake-identity.ts';
import { startGateway } from './support/gateway.ts';

let identity: FakeIdentity;
let gateway: Awaited<ReturnType<typeof startGateway>>;
let plain: Awaited<ReturnType<typeof startGateway>>;
beforeAll(async () => {
  identity = await startFakeIdentity();
  gateway = await startGateway(identity, createFakeBus(), { STAND_IN_SHOP: 'on' });
  plain = await startGateway(identity, createFakeBus());
});
afterAll(async () => {
  await Promise.all([gateway.close(), plain.close(), identity.stop()]);
});

it.each([
  ['/shop', 'SHOP_URL'],
  ['/shop/login', 'POST /v1/auth/login'],
  ['/shop/password/forgot', 'POST /v1/auth/password/forgot'],
  ['/shop/password/reset', 'POST /v1/auth/password/reset'],
  ['/shop/changes/revert', 'POST /v1/auth/changes/revert'],
  ['/shop/account/data', 'GET /v1/users/me/exports/{id}'],
  ['/shop/wishlist', 'GET /v1/wishlist'],
  ['/shop/invoices', 'GET /v1/invoices'],
  ['/shop/invoices/inv_1', 'GET /v1/invoices/{id}'],
  ['/shop/notifications/preferences', 'GET /v1/notifications/preferences'],
])('%s says what a shop would do there, where it is switched on', async (path, words) => {
  const response = await fetch(gateway.url + path);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(await response.text()).toContain(words);
  expect((await fetch(plain.url + path)).status).toBe(404);
});

it('has no other pages, and takes nothing', async () => {
  expect((await fetch(`${gateway.url}/shop/other`)).status).toBe(404);
  expect((await fetch(`${gateway.url}/shop/login`, { method: 'POST' })).status).toBe(405);
});
