import { newInternalKeyPair } from '@storefront/access-token';
import { operation, operationsOf, type Operations } from '@storefront/contracts';
import { createInProcessBroker, type Bus, type Subscription } from '@storefront/messaging';
import { openDatabase, type Database } from '@storefront/mongo';
import type { Overrides, Running, ServiceConfig } from '@storefront/process';
import { eventually, freshDatabase, memoryLogger, startProxy } from '@storefront/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openResources, serve, type Area, type Serving } from '../src/index.ts';

const { publicJwk } = await newInternalKeyPair();
const { logger } = memoryLogger();
let place: ReturnType<typeof freshDatabase>;
let observer: Database;
let config: ServiceConfig;
let closed: string[];

beforeEach(async () => {
  place = freshDatabase('serve');
  observer = await openDatabase(place.url, logger);
  const url = new URL(place.url);
  url.searchParams.set('appName', url.pathname.slice(1));
  config = {
    HOST: '127.0.0.1',
    PORT: 0,
    MONGODB_URL: url.href,
    INTERNAL_TOKEN_PUBLIC_KEY: publicJwk as ServiceConfig['INTERNAL_TOKEN_PUBLIC_KEY'],
    API_SECRET: 'a quiet secret of the tests, long enough',
    LOG_LEVEL: 'silent',
    NODE_ENV: 'test',
  };
  closed = [];
});
afterEach(async () => {
  await observer.close();
  await place.drop();
});

const listThings = operation({
  id: 'listThings',
  method: 'GET',
  path: '/v1/things',
  access: 'public',
  responses: { 200: z.object({}) },
  tags: ['things'],
  summary: 'List things',
});
const things: Area = { handlers: { listThings: () => ({}) } };
const serving: Serving<Operations> = { operations: operationsOf(listThings), areas: [things] };

/** A service that also runs a worker by itself. */
async function start(wanted: Serving<Operations>, overrides: Overrides = { connectBus }, port = 0): Promise<Running> {
  await using resources = await openResources('kit', { ...config, PORT: port }, { logger, ...overrides });
  resources.opened.defer(async () => void closed.push('worker'));
  return await serve(resources, wanted);
}

/** A bus that notes when it is closed, and whether the database was still open then. */
async function connectBus(): Promise<Bus> {
  const bus = createInProcessBroker({ topology: [] }).connect({ name: 'kit', logger });
  return {
    ...bus,
    async close() {
      closed.push((await connections()) > 0 ? 'bus' : 'bus, too late');
      await bus.close();
    },
  };
}

/** How many connections the service holds, as the server of the database sees it. */
async function connections(): Promise<number> {
  const appName = new URL(config.MONGODB_URL).searchParams.get('appName');
  const admin = observer.getClient().db('admin');
  const found = await admin
    .aggregate([{ $currentOp: { allUsers: true, idleConnections: true } }, { $match: { appName } }], {
      readConcern: { level: 'local' },
    })
    .toArray();
  return found.length;
}

const noConnections = () => eventually(async () => (await connections()) === 0, 'the connections to be closed');

it('a service that closes closes everything, the last opened first', async () => {
  const running = await start({ ...serving, areas: [{ ...things, drain: () => closed.push('streams') }] });
  expect(await connections()).toBeGreaterThan(0);
  await running.close();
  expect(closed).toEqual(['streams', 'worker', 'bus']);
  await noConnections();
  await expect(fetch(`${running.url}/livez`)).rejects.toThrow('fetch failed');
});

it('a bus that can not be opened leaves no database open', async () => {
  const refused = start(serving, { connectBus: () => Promise.reject(new Error('no such broker')) });
  await expect(refused).rejects.toThrow('no such broker');
  await noConnections();
});

it('a service without a bus needs the address of RabbitMQ', async () => {
  await expect(start(serving, {})).rejects.toThrow('AMQP_URL: is required');
  await noConnections();
});

const unknownQueue: Subscription = { queue: 'kit.on-nothing', types: ['kit.nothing'], handle: async () => 'done' };
const open = { ...listThings, access: undefined as never };

it.each<[string, Serving<Operations>]>([
  ['an operation that can not be served', { ...serving, operations: { listThings: open } }],
  ['an operation without a handler', { ...serving, areas: [{ handlers: {} }] }],
  ['a queue that can not be consumed', { ...serving, areas: [{ ...things, subscriptions: [unknownQueue] }] }],
])('%s leaves nothing open', async (_what, wanted) => {
  await expect(start(wanted)).rejects.toThrow(/who may call it|handles listThings|kit\.on-nothing/);
  expect(closed).toEqual(['worker', 'bus']);
  await noConnections();
});

it('a port that is taken leaves nothing open, and the other service at work', async () => {
  const first = await start(serving);
  await expect(start(serving, { connectBus }, Number(new URL(first.url).port))).rejects.toThrow('EADDRINUSE');
  expect(closed).toEqual(['worker', 'bus']);
  expect((await fetch(`${first.url}/livez`)).status).toBe(200);
  await first.close();
  await noConnections();
});

describe('whether a service takes requests', () => {
  const look = async ({ url }: Running) => {
    const answer = await fetch(`${url}/readyz`);
    return { code: answer.status, ...((await answer.json()) as { status: string; checks: any }) };
  };

  it('does not depend on the broker, which is reported', async () => {
    const health = { kind: 'rabbitmq', connected: false, canPublish: false, reason: 'refused', queues: [] } as const;
    const backlog = () => Promise.reject(new Error('RabbitMQ is away'));
    const away = async () => ({ ...(await connectBus()), health: () => health, backlog });
    const running = await start(serving, { connectBus: away });
    expect(await look(running)).toMatchObject({
      code: 200,
      status: 'degraded',
      checks: {
        database: { ok: true },
        broker: { ok: false, reason: 'refused' },
        consumers: { ok: false, reason: 'RabbitMQ is away' },
        outbox: { ok: true },
      },
    });
    const figures = await (await fetch(`${running.url}/metrics`)).text();
    expect(figures).toMatch(/^broker_connected\{service="kit"\} 0$/m);
    expect(figures).toMatch(/^outbox_oldest_age_seconds\{service="kit"\} 0$/m);
    await running.close();
  });

  it('is answered while the broker says nothing', async () => {
    const silent = async () => ({ ...(await connectBus()), backlog: () => new Promise<never>(() => {}) });
    const running = await start(serving, { connectBus: silent });
    expect(await look(running)).toMatchObject({ code: 200, status: 'degraded', checks: { consumers: { ok: false } } });
    await running.close();
  });

  it('depends on the database', async () => {
    const proxy = await startProxy(`http://${new URL(config.MONGODB_URL).host}`);
    const url = new URL(config.MONGODB_URL);
    url.host = new URL(proxy.url).host;
    url.searchParams.set('directConnection', 'true');
    config = { ...config, MONGODB_URL: url.href };
    const running = await start(serving);
    expect(await look(running)).toMatchObject({ code: 200, status: 'ready' });
    proxy.refuse();
    proxy.cut();
    expect(await look(running)).toMatchObject({ code: 503, status: 'not-ready', checks: { database: { ok: false } } });
    proxy.accept();
    await running.close();
    await proxy.close();
  });
});
