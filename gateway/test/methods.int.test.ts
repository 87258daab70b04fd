import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFakeBus } from './support/fake-bus.ts';
import { startFakeIdentity, type FakeIdentity } from './support/fake-identity.ts';
import { startGateway } from './support/gateway.ts';
import { sendRaw } from './support/raw.ts';

let identity: FakeIdentity;
let gateway: Awaited<ReturnType<typeof startGateway>>;
const send = (method: string, path: string, headers: Record<string, string> = {}) =>
  fetch(gateway.url + path, { method, headers });
const refusal = async (response: Response) => {
  const { code } = (await response.json()) as { code: string };
  return [response.status, code, response.headers.get('allow')];
};

beforeAll(async () => {
  identity = await startFakeIdentity();
  gateway = await startGateway(identity, createFakeBus(), {
    UPSTREAM_CATALOG: identity.url,
    RATE_LIMITS: 'on',
    CORS_ORIGINS: 'https://shop.example',
  });
});
afterAll(async () => {
  await Promise.all([gateway.close(), identity.stop()]);
});
beforeEach(() => {
  identity.reached.length = 0;
});

describe('a method that a path does not have', () => {
  it.each([
    ['GET', '/v1/auth/login', 'POST'],
    ['HEAD', '/v1/auth/login', 'POST'],
    ['PUT', '/v1/users/me', 'DELETE, GET, HEAD, PATCH'],
    ['POST', '/v1/users/me?x=1', 'DELETE, GET, HEAD, PATCH'],
    ['DELETE', '/v1/products', 'GET, HEAD, POST'],
    ['PUT', '/v1/products/prod_1', 'DELETE, GET, HEAD, PATCH'],
    ['POST', '/v1/products/images/mug.svg', 'GET, HEAD'],
    ['DELETE', '/.well-known/jwks.json', 'GET, HEAD'],
    ['POST', '/v1/health', 'GET, HEAD'],
    ['DELETE', '/openapi.json', 'GET, HEAD'],
    ['PUT', '/readyz', 'GET, HEAD'],
  ])('%s %s is 405 and allows %s', async (method, path, allowed) => {
    const response = await send(method, path);
    expect([response.status, response.headers.get('allow')]).toEqual([405, allowed]);
    expect(await response.text()).toContain(method === 'HEAD' ? '' : '"code":"method_not_allowed"');
    expect(identity.reached).toEqual([]);
  });

  it('is refused whatever the token, counted by the address, and shown to pages of other origins', async () => {
    const response = await send('PUT', '/v1/users/me', { authorization: 'x', origin: 'https://shop.example' });
    expect(response.status).toBe(405);
    expect(response.headers.get('ratelimit')).toMatch(/^"ip";r=\d+;t=\d+$/);
    expect(response.headers.get('access-control-allow-origin')).toBe('https://shop.example');
  });

  it('is refused before its body is read', async () => {
    const head = 'PUT /v1/users/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: text/plain\r\n';
    const received = await sendRaw(gateway.url, `${head}Content-Length: 5\r\n\r\nhello`);
    expect(received).toMatch(/^HTTP\/1\.1 405 /);
    expect(received.toLowerCase()).toContain('\r\nallow: delete, get, head, patch\r\n');
  });

  it.each([
    ['TRACE', '/v1/users/me', 'DELETE, GET, HEAD, PATCH'],
    ['PROPFIND', '/v1/unknown', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'],
  ])('%s, which no path has, is 405 too on %s', async (method, path, allowed) => {
    const received = await sendRaw(gateway.url, `${method} ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(received).toMatch(/^HTTP\/1\.1 405 /);
    expect(received).toContain(`\r\nallow: ${allowed}\r\n`);
  });

  it('is OPTIONS where no origin is allowed', async () => {
    const other = await startGateway(identity, createFakeBus());
    try {
      const response = await fetch(`${other.url}/v1/users/me`, { method: 'OPTIONS' });
      expect(await refusal(response)).toEqual([405, 'method_not_allowed', 'DELETE, GET, HEAD, PATCH']);
    } finally {
      await other.close();
    }
  });
});

describe('a path that no operation has', () => {
  it.each([
    ['GET', '/v1/unknown'],
    ['POST', '/v1/auth/unknown'],
    ['PUT', '/v1/user'],
    ['GET', '/v1/customers'],
    ['GET', '/internal/revocations'],
  ])('is 404 to %s %s', async (method, path) => {
    expect(await refusal(await send(method, path))).toEqual([404, 'route_not_found', null]);
    expect(identity.reached).toEqual([]);
  });
});

describe('HEAD', () => {
  it.each(['/v1/users/me', '/v1/health', '/livez', '/openapi.json'])(
    'of %s is the GET without its body',
    async (path) => {
      const response = await send('HEAD', path);
      expect(response.status).toBe(200);
      expect(await response.text()).toBe('');
    },
  );
});
