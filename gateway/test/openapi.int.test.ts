import { eventually } from '@storefront/testing';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFakeBus } from './support/fake-bus.ts';
import { startFakeIdentity } from './support/fake-identity.ts';
import type { FakeIdentity } from './support/fake-identity.ts';
import { startGateway } from './support/gateway.ts';

const documentOf = (paths: string[], schemas: Record<string, object>) => (app: FastifyInstance) => {
  app.get('/openapi.json', () => ({
    openapi: '3.1.1',
    paths: Object.fromEntries(paths.map((path) => [path, { get: { responses: {} } }])),
    components: { schemas },
  }));
};

interface Document {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, object>;
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> };
}

let identity: FakeIdentity;
let catalog: FakeIdentity;
let gateway: Awaited<ReturnType<typeof startGateway>>;
const read = async () => (await (await fetch(`${gateway.url}/openapi.json`)).json()) as Document;

beforeEach(async () => {
  identity = await startFakeIdentity(
    documentOf(['/v1/users/me', '/internal/secret', '/v1/products'], { Problem: { type: 'object' } }),
  );
  catalog = await startFakeIdentity(documentOf(['/v1/products', '/v1/products/{id}'], { Problem: { type: 'object' } }));
  gateway = await startGateway(identity, createFakeBus(), { UPSTREAM_CATALOG: catalog.url });
});
afterEach(async () => {
  await Promise.all([gateway.close(), identity.stop(), catalog.stop()]);
});

describe('the one document', () => {
  it('has the routes that the gateway sends to each service, and its own', async () => {
    const document = await read();
    expect(document).toMatchObject({ openapi: '3.1.1', info: { version: '0.1.0' } });
    expect(Object.keys(document.paths).sort()).toEqual([
      '/v1/health',
      '/v1/products',
      '/v1/products/{id}',
      '/v1/users/me',
    ]);
    expect(document.components.securitySchemes.bearer).toMatchObject({ type: 'http', scheme: 'bearer' });
    expect(Object.keys(document.components.schemas)).toEqual(['Health', 'Problem']);
  });

  it('keeps the part of a service that is away', async () => {
    await read();
    await catalog.stop();
    expect(Object.keys((await read()).paths)).toContain('/v1/products');
  });

  it('gets the part of a service that was away at first', async () => {
    await catalog.stop();
    expect(Object.keys((await read()).paths)).not.toContain('/v1/products');
    await catalog.again();
    await eventually(async () => '/v1/products' in (await read()).paths, 'the part of the catalog');
  });
});

describe('the page', () => {
  it('loads nothing from outside', async () => {
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
