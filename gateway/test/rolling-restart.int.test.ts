import { createInternalTokenVerifier, newInternalKeyPair } from '@storefront/access-token';
import { createServer, type Server } from '@storefront/http';
import { createMetrics } from '@storefront/process';
import { eventually, memoryLogger } from '@storefront/testing';
import { describe, expect, it } from 'vitest';
import { createFakeBus } from './support/fake-bus.ts';
import { startFakeIdentity } from './support/fake-identity.ts';
import { startGateway } from './support/gateway.ts';

describe('a rolling restart of a service under load', () => {
  it('fails no request and processes none twice', async () => {
    const identity = await startFakeIdentity();
    const keys = await newInternalKeyPair();
    const done: string[] = [];
    const startService = async (port: number): Promise<[Server, string]> => {
      const server = createServer({
        name: 'catalog',
        logger: memoryLogger().logger,
        tokens: createInternalTokenVerifier(keys.publicJwk, 'catalog'),
        readiness: {},
        metrics: createMetrics('catalog'),
      });
      server.app.post<{ Body: { n: string } }>('/v1/products', { config: { access: 'public' } }, (request) => {
        done.push(request.body.n);
        return {};
      });
      server.app.get('/v1/products', { config: { access: 'public' } }, () => ({}));
      return [server, await server.listen('127.0.0.1', port)];
    };
    let [server, url] = await startService(0);
    const gateway = await startGateway(identity, createFakeBus(), {
      UPSTREAM_CATALOG: url,
      INTERNAL_TOKEN_PRIVATE_KEY: JSON.stringify(keys.privateJwk),
    });

    const stop = new AbortController();
    const failed: string[] = [];
    const sent: string[] = [];
    const callers = Array.from({ length: 16 }, async (_, caller) => {
      for (let call = 0; !stop.signal.aborted; call += 1) {
        const n = `${caller}-${call}`;
        const writes = call % 2 === 0;
        const response = await fetch(`${gateway.url}/v1/products`, {
          method: writes ? 'POST' : 'GET',
          ...(writes ? { body: JSON.stringify({ n }), headers: { 'content-type': 'application/json' } } : {}),
        });
        const body = await response.text();
        if (writes) sent.push(n);
        if (response.status !== 200) failed.push(`${n}: ${response.status} ${body}`);
      }
    });
    try {
      for (let restart = 0; restart < 5; restart += 1) {
        const before = done.length;
        await eventually(() => done.length > before + 50, 'calls to go through');
        await server.drain();
        [server] = await startService(Number(new URL(url).port));
      }
    } finally {
      stop.abort();
      await Promise.all(callers);
      await Promise.all([gateway.close(), server.drain(), identity.stop()]);
    }
    expect(failed).toEqual([]);
    expect(done.toSorted()).toEqual(sent.toSorted());
  });
});
