import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFakeBus } from './support/fake-bus.ts';
import { startFakeIdentity, type FakeIdentity } from './support/fake-identity.ts';
import { startGateway } from './support/gateway.ts';

interface Document {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, object>;
  tags: { name: string }[];
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> };
}

let identity: FakeIdentity;
let gateway: Awaited<ReturnType<typeof startGateway>>;
const read = async () => (await (await fetch(`${gateway.url}/openapi.json`)).json()) as Document;

beforeEach(async () => {
  identity = await startFakeIdentity();
  gateway = await startGateway(identity, createFakeBus(), { UPSTREAM_CATALOG: identity.url });
});
afterEach(async () => {
  await Promise.all([gateway.close(), identity.stop()]);
});

describe('/openapi.json', () => {
  it('has the operations of the services that have an address, and those of the gateway itself', async () => {
    const document = await read();
    expect(document).toMatchObject({ openapi: '3.1.1', info: { version: '0.1.0' } });
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/v1/health', '/v1/products', '/v1/users/me']));
    expect(Object.keys(document.paths).filter((path) => /customers|campaigns|internal/.test(path))).toEqual([]);
    expect(document.components.securitySchemes.bearer).toMatchObject({ type: 'http', scheme: 'bearer' });
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(['Health', 'Problem', 'Product']));
    expect(document.components.schemas).not.toHaveProperty('Customer');
    expect(document.tags.map(({ name }) => name)).not.toContain('customers');
  });

  it('needs no service', async () => {
    const before = await read();
    await identity.stop();
    expect(await read()).toEqual(before);
    expect(identity.reached).toEqual([]);
  });

  it('is JSON that clients ask for anew', async () => {
    const { headers } = await fetch(`${gateway.url}/openapi.json`);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-cache');
  });
});

describe('the page', () => {
  it('loads nothing from other hosts', async () => {
    const response = await fetch(`${gateway.url}/docs`);
    expect(response.url).toBe(`${gateway.url}/docs/`);
    const page = await response.text();
    expect([...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address)).toEqual(['js/scalar.js']);
    expect(page).toContain('"url": "/openapi.json"');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none';script-src 'self' 'sha256-");
    expect(policy).not.toMatch(/https?:|unsafe-eval|script-src[^;]*unsafe-inline/);
    const script = await fetch(`${gateway.url}/docs/js/scalar.js`);
    expect(script.status).toBe(200);
    expect(script.headers.get('content-type')).toContain('javascript');
    await script.body?.cancel();
  });
});
