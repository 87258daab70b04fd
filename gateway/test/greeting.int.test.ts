import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFakeBus } from './support/fake-bus.ts';
import { startFakeIdentity, type FakeIdentity } from './support/fake-identity.ts';
import { startGateway } from './support/gateway.ts';

let identity: FakeIdentity;
let gateway: Awaited<ReturnType<typeof startGateway>>;
beforeAll(async () => {
  identity = await startFakeIdentity();
  gateway = await startGateway(identity, createFakeBus(), { MAILBOX_URL: 'http://127.0.0.1:8025/' });
});
afterAll(async () => {
  await Promise.all([gateway.close(), identity.stop()]);
});

it('a program that asks for / learns where to go on', async () => {
  const response = await fetch(gateway.url);
  expect(response.headers.get('content-type')).toContain('application/json');
  expect(await response.json()).toEqual({
    name: 'Storefront Commerce API',
    version: '0.1.0',
    docs: '/docs',
    guides: '/docs/guides',
    openapi: '/openapi.json',
    health: '/v1/health',
    mailbox: 'http://127.0.0.1:8025',
  });
});

it('a browser gets a page with the same links, and an icon', async () => {
  const response = await fetch(gateway.url, { headers: { accept: 'text/html,application/xhtml+xml' } });
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'sha256-");
  const page = await response.text();
  const links = [...page.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href);
  expect(links).toEqual(['/docs', '/docs/guides', '/openapi.json', '/v1/health', 'http://127.0.0.1:8025']);
  for (const path of ['/docs', '/openapi.json', '/v1/health'])
    expect((await fetch(gateway.url + path, { method: 'HEAD' })).status).toBe(200);
  const icon = await fetch(`${gateway.url}/favicon.ico`);
  expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
});
