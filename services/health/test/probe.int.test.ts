import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { probeOfAll } from '../src/probes/probe.ts';

const servers: Server[] = [];
let port = 0;
beforeAll(async () => {
  for (const address of ['127.0.0.1', '127.0.0.2']) {
    const server = createServer((_request, response) => {
      response.end(JSON.stringify({ status: 'ready', checks: { database: { ok: true } } }));
    });
    await new Promise<void>((resolve) => server.listen(port, address, resolve));
    port = (server.address() as AddressInfo).port;
    servers.push(server);
  }
});
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

const named = (...addresses: readonly string[]) => {
  const found = async () => addresses.map((address) => ({ address, family: 4 }));
  return probeOfAll([`http://shop:${port}`], found);
};

describe('a look at a service whose name has several addresses', () => {
  it('is one at each of them', async () => {
    expect((await named('127.0.0.1', '127.0.0.2')()).readiness).toMatchObject({
      status: 'ready',
      database: { ok: true },
      instances: ['ready', 'ready'],
    });
  });

  it('shows the one that does not answer', async () => {
    expect((await named('127.0.0.1', '127.0.0.2', '127.0.0.3')()).readiness).toMatchObject({
      status: 'degraded',
      instances: ['ready', 'ready', 'unreachable'],
    });
  });

  it('says that it is unreachable, and why, while the name can not be looked up', async () => {
    const look = probeOfAll([`http://shop.invalid:${port}`], async () => Promise.reject(new Error('no such name')));
    expect(await look()).toEqual({
      readiness: { status: 'unreachable' },
      reason: expect.stringMatching(/^unreachable: getaddrinfo/),
    });
  });
});
