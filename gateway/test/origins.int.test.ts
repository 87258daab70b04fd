import { eventually } from '@storefront/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFakeBus } from './support/fake-bus.ts';
import { startFakeIdentity, type FakeIdentity } from './support/fake-identity.ts';
import { startGateway } from './support/gateway.ts';

const shop = 'https://shop.example';
let identity: FakeIdentity;
let gateway: Awaited<ReturnType<typeof startGateway>>;
const begin = async (CORS_ORIGINS: string) => {
  gateway = await startGateway(identity, createFakeBus(), { CORS_ORIGINS });
};
const get = (path: string, origin: string) => fetch(gateway.url + path, { headers: { origin } });
const allowed = async (origin: string) => (await get('/v1/health', origin)).headers.get('access-control-allow-origin');
const warnings = () => gateway.lines.filter((line) => line.includes('CORS_ORIGINS'));

beforeEach(async () => {
  identity = await startFakeIdentity();
});
afterEach(async () => {
  await Promise.all([gateway.close(), identity.stop()]);
});

describe('pages of other origins', () => {
  it('may not call the API unless they are configured', async () => {
    await begin('');
    expect(await allowed(shop)).toBeNull();
  });

  it('may where they are configured, and see errors too', async () => {
    await begin(shop);
    const headers = { origin: shop };
    const preflight = await fetch(`${gateway.url}/v1/users/me`, {
      method: 'OPTIONS',
      headers: { ...headers, 'access-control-request-method': 'PATCH' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH');
    for (const path of ['/v1/users/me', '/v1/unknown'])
      expect((await get(path, shop)).headers.get('access-control-allow-origin')).toBe(shop);
    const bad = await fetch(`${gateway.url}/v1/users/me`, { headers: { ...headers, authorization: 'x' } });
    expect([bad.status, bad.headers.get('access-control-allow-origin')]).toEqual([401, shop]);
    expect(await allowed('https://evil.example')).toBeNull();
  });

  it('may from every port where the port is *', async () => {
    await begin('http://localhost:*, http://127.0.0.1:*');
    for (const origin of ['http://localhost:5173', 'http://127.0.0.1']) expect(await allowed(origin)).toBe(origin);
    expect(await allowed('http://localhost:5173.evil.example')).toBeNull();
  });

  it('may all where that is configured', async () => {
    await begin('*');
    expect(await allowed(shop)).toBe('*');
    expect(await allowed('null')).toBe('*');
  });
});

describe('the first refusal of an origin', () => {
  it('is logged with the setting that would allow it', async () => {
    await begin('https://other.example');
    await get('/v1/health', shop);
    await get('/v1/unknown', shop);
    await fetch(`${gateway.url}/v1/auth/login`, {
      method: 'OPTIONS',
      headers: { origin: 'http://localhost:5173', 'access-control-request-method': 'POST' },
    });
    await eventually(() => warnings().length >= 2, 'both origins in the log');
    expect(warnings().map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      `pages of ${shop} may not call the API; CORS_ORIGINS=https://other.example,${shop} lets them`,
      'pages of http://localhost:5173 may not call the API; CORS_ORIGINS=https://other.example,http://localhost:5173 lets them',
    ]);
  });

  it('is not of what may call, of the gateway itself, nor of what is no origin', async () => {
    await begin(shop);
    for (const origin of [shop, gateway.url, 'null', 'no origin']) await get('/v1/health', origin);
    // The log of requests is in order, so a warning about one of them would be there before this one.
    await get('/v1/health', 'https://last.example');
    await eventually(() => warnings().length > 0, 'the last origin in the log');
    expect(warnings()).toHaveLength(1);
  });
});

it.each([
  ['shop.example', 'must be origins such as'],
  ['https://shop.example/', 'must be origins such as'],
  ['https://shop.example,*', 'must name nothing beside *'],
])('the setting %s is refused', async (CORS_ORIGINS, message) => {
  await begin('');
  await expect(startGateway(identity, createFakeBus(), { CORS_ORIGINS })).rejects.toThrow(message);
});
