import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { eventually } from '@storefront/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failuresDuring } from './support/failures-during.ts';
import { createFakeBus } from './support/fake-bus.ts';
import { startFakeIdentity, type FakeIdentity } from './support/fake-identity.ts';
import { startGateway } from './support/gateway.ts';
import { answersLivez } from './support/livez.ts';

/** An instance at an address of its own, which counts its requests and the connections that were made to it. */
interface Instance {
  readonly address: string;
  requests: number;
  /** Requests whose answer is not sent yet. */
  underWay: number;
  connections: number;
  stop(): Promise<void>;
}

let identity: FakeIdentity;
let gateway: Awaited<ReturnType<typeof startGateway>>;
let port: number;
let instances: Map<string, Instance>;
/** The addresses that the name of the service has now; a name that has none can't be looked up. */
let addresses: readonly string[];
let lookUps: number;

beforeEach(async () => {
  identity = await startFakeIdentity();
  instances = new Map();
  lookUps = 0;
  port = 0;
  for (const last of [1, 2, 3]) await startInstance(`127.0.0.${last}`);
});

afterEach(async () => {
  await gateway.close();
  await identity.stop();
  await Promise.all([...instances.values()].map((instance) => instance.stop()));
});

async function startInstance(address: string): Promise<void> {
  const open = new Set<Socket>();
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    if (answersLivez(request, response)) return;
    instance.requests += 1;
    instance.underWay += 1;
    response.on('close', () => (instance.underWay -= 1));
    response.setHeader('x-request-id', String(request.headers['x-request-id']));
    request.resume();
    setTimeout(() => response.end(address), 5);
  });
  const instance: Instance = {
    address,
    requests: 0,
    underWay: 0,
    connections: 0,
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise<unknown>((resolve) => server.close(resolve));
    },
  };
  server.on('connection', (socket) => {
    instance.connections += 1;
    open.add(socket.on('close', () => open.delete(socket)));
  });
  await new Promise<void>((resolve) => server.listen(port, address, resolve));
  port = (server.address() as AddressInfo).port;
  instances.set(address, instance);
}

const at = (address: string) => instances.get(address) as Instance;

/** A gateway that knows the service by its name alone. */
async function start(first: readonly string[], settings: Record<string, string> = {}): Promise<void> {
  addresses = first;
  const fake = createFakeBus();
  gateway = await startGateway(
    identity,
    fake,
    {
      UPSTREAM_CATALOG: `http://localhost:${port}`,
      UPSTREAM_TIMEOUT_MS: '60000',
      MAX_EVENT_LOOP_DELAY_MS: '0',
      ...settings,
    },
    {
      lookup: async (hostname) => {
        lookUps += 1;
        if (hostname !== 'localhost' || addresses.length === 0) throw new Error(`getaddrinfo ENOTFOUND ${hostname}`);
        // In another order each time, as name servers do.
        return addresses.map((_, turn) => ({
          address: addresses[(turn + lookUps) % addresses.length] ?? '',
          family: 4,
        }));
      },
    },
  );
  fake.keepFresh();
  await eventually(async () => (await fetch(`${gateway.url}/readyz`)).status === 200, 'the gateway to be ready');
}

const read = async () => {
  const response = await fetch(`${gateway.url}/v1/products`);
  return `${response.status} ${await response.text()}`;
};

/** Reads one after the other, so over connections that are warm; resolves to how often each address answered. */
async function readInTurn(count: number): Promise<Record<string, number>> {
  const answers: Record<string, number> = {};
  for (let sent = 0; sent < count; sent += 1) {
    const answer = await read();
    answers[answer] = (answers[answer] ?? 0) + 1;
  }
  return answers;
}

/** Waits until the addresses that the name has now, and no others, answer. */
async function untilAllAnswer(): Promise<void> {
  const expected = addresses.map((address) => `200 ${address}`).toSorted();
  await eventually(
    async () => {
      expect(Object.keys(await readInTurn(3 * addresses.length)).toSorted()).toEqual(expected);
      return true;
    },
    `answers of ${expected.join(', ')} alone`,
  );
}

describe('requests to a service whose name has several addresses', () => {
  it('are spread evenly over connections that are warm', async () => {
    await start(['127.0.0.1', '127.0.0.2', '127.0.0.3']);
    await untilAllAnswer();
    const opened = [...instances.values()].map(({ connections }) => connections);
    expect(await readInTurn(90)).toEqual({ '200 127.0.0.1': 30, '200 127.0.0.2': 30, '200 127.0.0.3': 30 });
    // A connection ends after 10 s, so one of each may have been made anew.
    const openedNow = [...instances.values()].map(({ connections }) => connections);
    for (const [index, connections] of openedNow.entries())
      expect(connections - (opened[index] ?? 0)).toBeLessThanOrEqual(1);
  });

  it('go to an address that is added as well', async () => {
    await start(['127.0.0.1', '127.0.0.2']);
    await untilAllAnswer();
    addresses = ['127.0.0.1', '127.0.0.2', '127.0.0.3'];
    await eventually(async () => (await read()) === '200 127.0.0.3', 'an answer of the new address');
    expect(await readInTurn(90)).toEqual({ '200 127.0.0.1': 30, '200 127.0.0.2': 30, '200 127.0.0.3': 30 });
  });

  it('go to the others once an address is removed, and none fails', async () => {
    await start(['127.0.0.1', '127.0.0.2', '127.0.0.3']);
    await untilAllAnswer();
    const failed = await failuresDuring(gateway.url, async () => {
      addresses = ['127.0.0.1', '127.0.0.3'];
      await untilAllAnswer();
      await eventually(() => at('127.0.0.2').underWay === 0, 'the last answer of the one that is gone');
      await at('127.0.0.2').stop();
      addresses = ['127.0.0.1'];
      await untilAllAnswer();
      await eventually(() => at('127.0.0.3').underWay === 0, 'the last answer of the next one');
      await at('127.0.0.3').stop();
      const before = at('127.0.0.1').requests;
      await eventually(() => at('127.0.0.1').requests > before + 100, 'more requests');
    });
    expect(failed).toEqual([]);
  });

  it('go to the addresses that a name had last while it can not be looked up', async () => {
    await start(['127.0.0.1', '127.0.0.2']);
    await untilAllAnswer();
    addresses = [];
    const before = lookUps;
    await eventually(() => lookUps > before + 1, 'two look-ups that find nothing');
    expect(await readInTurn(10)).toEqual({ '200 127.0.0.1': 5, '200 127.0.0.2': 5 });
    expect(gateway.lines.filter((line) => line.includes('could not be looked up'))).toHaveLength(1);
  });

  it('wait until the new addresses are found where all of them were replaced at once', async () => {
    // Less than there is between two look-ups where nothing fails.
    await start(['127.0.0.1', '127.0.0.2'], { UPSTREAM_RETRY_MS: '2500' });
    await untilAllAnswer();
    const before = lookUps;
    await eventually(() => lookUps > before, 'a look-up');
    await Promise.all([at('127.0.0.1').stop(), at('127.0.0.2').stop()]);
    await startInstance('127.0.0.4');
    addresses = ['127.0.0.3', '127.0.0.4'];
    expect(await read()).toMatch(/^200 127\.0\.0\.[34]$/);
  });
});
