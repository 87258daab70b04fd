import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@storefront/testing';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { failuresDuring } from './support/failures-during.ts';
import { createFakeBus } from './support/fake-bus.ts';
import { startFakeIdentity, type FakeIdentity } from './support/fake-identity.ts';
import { startGateway } from './support/gateway.ts';
import { answersLivez } from './support/livez.ts';

const patient = { UPSTREAM_TIMEOUT_MS: '60000', MAX_EVENT_LOOP_DELAY_MS: '0' };

/** An instance of a service over real HTTP, which counts its requests. */
interface Instance {
  readonly url: string;
  requests: number;
  /** Accepts requests and answers none of them. */
  hangs: boolean;
  /** Answers 503 to all requests, as a service does that has no database. */
  refuses: boolean;
  readonly openStreams: Set<ServerResponse>;
  /** Resets all connections and stops listening, as the end of its process does. */
  kill(): void;
  listenAgain(): Promise<void>;
}

let identity: FakeIdentity;
let gateway: Awaited<ReturnType<typeof startGateway>>;
let first: Instance;
let second: Instance;

beforeEach(async () => {
  identity = await startFakeIdentity();
  [first, second] = await Promise.all([startInstance(), startInstance()]);
  gateway = await start();
});

afterEach(async () => {
  await Promise.all([gateway.close(), identity.stop()]);
  first.kill();
  second.kill();
});

/** A gateway in front of both instances. A machine with much else to do is slow: nothing is expected of its time limits. */
async function start(settings: Record<string, string> = patient): ReturnType<typeof startGateway> {
  const fake = createFakeBus();
  const started = await startGateway(identity, fake, {
    UPSTREAM_CATALOG: `${first.url}, ${second.url}`,
    UPSTREAM_ENGAGEMENT: `${first.url},${second.url}`,
    ...settings,
  });
  fake.keepFresh();
  await eventually(async () => (await fetch(`${started.url}/readyz`)).status === 200, 'the gateway to be ready');
  return started;
}

async function startInstance(): Promise<Instance> {
  let server: Server;
  const listen = async (port: number) => {
    server = createServer((request, response) => {
      if (answersLivez(request, response)) return;
      instance.requests += 1;
      if (instance.hangs) return;
      response.setHeader('x-request-id', String(request.headers['x-request-id']));
      request.resume();
      if (instance.refuses) response.writeHead(503).end('{}');
      else if (request.url === '/v1/notifications/stream') {
        instance.openStreams.add(response);
        response.on('close', () => instance.openStreams.delete(response));
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: first\n\n');
      } else setTimeout(() => response.end('{}'), 5);
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(0);
  const instance: Instance = {
    url: `http://127.0.0.1:${port}`,
    requests: 0,
    hangs: false,
    refuses: false,
    openStreams: new Set(),
    kill() {
      server.close();
      server.closeAllConnections();
    },
    listenAgain: async () => void (await listen(port)),
  };
  return instance;
}

const read = (url = gateway.url) =>
  fetch(`${url}/v1/products`).then(async (response) => [response.status, await response.text()]);

describe('requests to a service with two instances', () => {
  it('are spread evenly', async () => {
    for (let sent = 0; sent < 100; sent += 1) expect(await read()).toEqual([200, '{}']);
    expect([first.requests, second.requests]).toEqual([50, 50]);
  });

  it('all succeed while one of them is killed, and it gets its part again when it is back', async () => {
    const failed = await failuresDuring(
      gateway.url,
      async () => {
        await eventually(() => first.requests > 20 && second.requests > 20, 'calls to both');
        first.kill();
        const [before, others] = [first.requests, second.requests];
        await eventually(() => second.requests > others + 200, 'calls to the one that is left');
        await first.listenAgain();
        await eventually(() => first.requests > before + 200, 'calls to the one that is back');
      },
      (caller, call) => `key-${caller}-${call}`,
    );
    expect(failed).toEqual([]);
  });

  // It gets one request now and then, to find out whether it answers again.
  const expectFewAtFirst = () => {
    expect(first.requests).toBeGreaterThan(0);
    expect(first.requests).toBeLessThan(10);
  };

  it('go to the other once one has not answered in time', async () => {
    first.hangs = true;
    const hasty = await start({ ...patient, UPSTREAM_TIMEOUT_MS: '1000' });
    onTestFinished(() => hasty.close());
    let answered = 0;
    for (let sent = 0; sent < 60; sent += 1) if ((await read(hasty.url))[0] === 200) answered += 1;
    // On a machine with much else to do the other one may be late as well.
    expect(answered).toBeLessThanOrEqual(second.requests);
    expect(first.requests + second.requests).toBe(60);
    expectFewAtFirst();
  });

  it('go to the other once clients have waited in vain, however soon they give up', async () => {
    first.hangs = true;
    for (let sent = 0; sent < 20; sent += 1)
      await fetch(`${gateway.url}/v1/products`, { signal: AbortSignal.timeout(1200) }).catch(() => undefined);
    expectFewAtFirst();
  });

  it('go to the other while one answers 503, and each is sent once', async () => {
    first.refuses = true;
    const statuses: unknown[] = [];
    for (let sent = 0; sent < 60; sent += 1) statuses.push((await read())[0]);
    expect(statuses.filter((status) => status === 503)).toHaveLength(first.requests);
    expect(first.requests + second.requests).toBe(60);
    expectFewAtFirst();
    first.refuses = false;
    await eventually(async () => {
      const before = first.requests;
      await read();
      await read();
      return first.requests > before;
    }, 'the one that answers again to get its part');
  });
});

describe('live streams of a service with two instances', () => {
  it('are spread evenly, and go to the other one where one is away', async () => {
    const token = await identity.sign();
    const open = async () => {
      const controller = new AbortController();
      const response = await fetch(`${gateway.url}/v1/notifications/stream`, {
        headers: { authorization: `Bearer ${token}` },
        signal: controller.signal,
      });
      expect(response.status).toBe(200);
      return controller;
    };
    const streams = [await open(), await open(), await open(), await open()];
    expect([first.openStreams.size, second.openStreams.size]).toEqual([2, 2]);
    first.kill();
    streams.push(await open(), await open());
    expect(second.openStreams.size).toBe(4);
    for (const stream of streams) stream.abort();
  });
});
