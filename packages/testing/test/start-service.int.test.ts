import { setTimeout as wait } from 'node:timers/promises';
import {
  accountEvents,
  catalogEvents,
  changed,
  fact,
  newId,
  operation,
  operationsOf,
  ordersEvents,
} from '@storefront/contracts';
import type { Subscription } from '@storefront/messaging';
import { byId, defineCollection, openCollections, openRepository, withEvents } from '@storefront/mongo';
import { ConfigError, configTypes, defineService, serviceConfig } from '@storefront/process';
import { openResources, serve } from '@storefront/service';
import mongoose from 'mongoose';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import {
  anonymous,
  newEvent,
  principal,
  startService,
  times,
  type Harness,
  type HarnessOptions,
} from '../src/index.ts';

const orders = defineCollection('orders', { ...withEvents, isCounted: z.boolean() }, { sharding: byId });
const whoAmI = operation({
  id: 'whoAmI',
  method: 'GET',
  path: '/v1/me',
  access: 'public',
  responses: { 200: z.object({ id: z.string().nullable(), at: z.string(), secret: z.string() }) },
  tags: ['me'],
  summary: 'Who is calling',
});
let running = 0;

/** Has the name of a real service, since it consumes that one's queue. */
const service = defineService({
  name: 'account',
  config: z.object({ ...serviceConfig, CODE_SECRET: configTypes.secret, MORE: z.string().default('none') }),
  async start(config, overrides) {
    await using resources = await openResources('account', config, overrides);
    const { database, relay, now } = resources;
    await openCollections(database, [orders]);
    const repository = openRepository<{ id: string; isCounted: boolean }>(orders, { database, relay, now });
    const onOrderPlaced: Subscription = {
      queue: 'account.on-order-placed',
      types: [ordersEvents.orderPlaced.type],
      async handle({ subject }) {
        await wait(200);
        const data = { userId: subject, change: 'ordered-for', by: 'order', orderCount: 1 } as const;
        const facts = [fact(accountEvents.customerSaved, subject, data)];
        await repository.change(subject, () => changed({ id: subject, isCounted: true }, facts));
        return 'done';
      },
    };
    running += 1;
    resources.opened.defer(() => void (running -= 1));
    return await serve(resources, {
      operations: operationsOf(whoAmI),
      areas: [
        {
          handlers: {
            whoAmI: ({ caller }) => ({ id: caller?.sub ?? null, at: now().toISOString(), secret: config.MORE }),
          },
          subscriptions: [onOrderPlaced],
        },
      ],
    });
  },
});

let harness: Harness | undefined;
const start = async (options: HarnessOptions = {}) => (harness = await startService(service, options));
afterEach(async () => {
  await harness?.close();
  harness = undefined;
  if (running !== 0) throw new Error(`${running} instances are still running`);
});

const order = (orderId: string) =>
  newEvent(ordersEvents.orderPlaced, orderId, {
    orderId,
    userId: newId('user'),
    recipient: { firstName: 'Ada', lastName: 'Lovelace' },
    placedAt: '2026-11-01T10:00:00.000Z',
    lines: [{ productId: 'prod_1', quantity: 1, unitPrice: { amount: 100, currency: 'EUR' } }],
  });

it.each(['rabbitmq', 'in-process'] as const)('is idle once all is handled and published, over %s', async (bus) => {
  const { publish, idle, events, eventsOf, collection, another } = await start({
    bus,
    contracts: [accountEvents.customerSaved],
    definitions: [orders],
  });
  await another();
  const ids = Array.from({ length: 20 }, (_, index) => `order-${index}`);
  // No queue of the service takes the second event: nobody waits for it.
  await publish(
    ...ids.map(order),
    newEvent(catalogEvents.productDeleted, 'prod_1', { id: 'prod_1', sku: 'S', name: 'N' }),
  );
  await idle();
  expect(await collection('orders').countDocuments({ isCounted: true })).toBe(20);
  await expect.poll(() => events.length, { timeout: 30_000 }).toBe(20);
  expect(events.map(({ subject }) => subject).toSorted()).toEqual(ids.toSorted());
  expect(eventsOf('order-7', 'account.customer-saved')).toHaveLength(1);
  expect(eventsOf('order-7', 'account.address-changed')).toHaveLength(0);
});

it('records an event once, however often it comes', async () => {
  const { publish, events } = await start({ contracts: [accountEvents.customerSaved] });
  const saved = (subject: string) =>
    newEvent(accountEvents.customerSaved, subject, { userId: 'user_1', change: 'created', by: 'user', orderCount: 0 });
  const first = saved('cust_1');
  await publish(first, first, saved('cust_2'));
  await expect.poll(() => events.map(({ subject }) => subject), { timeout: 30_000 }).toEqual(['cust_1', 'cust_2']);
});

it('calls the service as the gateway does, at any instance', async () => {
  const { call, another, instances, stop, headersFor, url } = await start({ bus: 'in-process', instances: 2 });
  const ada = principal('retail');
  expect(await call(ada, 'GET', '/v1/me')).toMatchObject({ status: 200, body: { id: ada.sub } });
  expect((await call(anonymous, 'GET', '/v1/me')).body.id).toBeNull();
  const third = await another();
  expect((await third.call(ada, 'GET', '/v1/me')).body.id).toBe(ada.sub);
  expect(new Set(instances.map((instance) => instance.url)).size).toBe(3);
  expect((await fetch(`${url()}/v1/me`)).status).toBe(403);
  expect((await fetch(`${url()}/v1/me`, { headers: await headersFor(ada) })).status).toBe(200);
  await stop();
  expect(instances).toEqual([]);
  await expect(call(ada, 'GET', '/v1/me')).rejects.toThrow('no instance of account is running');
});

it('gives the service the settings that its configuration has', async () => {
  const { settings, another, call } = await start({ bus: 'in-process', settings: { MORE: 'first' } });
  expect(Object.keys(settings).toSorted()).toEqual([
    'API_SECRET',
    'CODE_SECRET',
    'INTERNAL_TOKEN_PUBLIC_KEY',
    'MONGODB_URL',
    'MORE',
    'NODE_ENV',
  ]);
  const other = await another({ settings: { MORE: 'second' } });
  expect((await call(anonymous, 'GET', '/v1/me')).body.secret).toBe('first');
  expect((await other.call(anonymous, 'GET', '/v1/me')).body.secret).toBe('second');
  await expect(another({ settings: { API_SECRET: 'short' } })).rejects.toThrow(ConfigError);
});

it('moves the time of service and tokens, and holds it', async () => {
  const { call, advance, atOneMoment, now } = await start({ bus: 'in-process' });
  const time = async () => Date.parse((await call(principal('retail'), 'GET', '/v1/me')).body.at);
  advance(3600);
  expect(await time()).toBeGreaterThan(Date.now() + 3_500_000);
  await atOneMoment(async () => {
    const before = now().getTime();
    expect(await time()).toBe(before);
    advance(2);
    expect(await time()).toBe(before + 2000);
  });
});

it('finds what is stored and not defined when it closes, and drops everything all the same', async () => {
  const { collection, connection, settings, close } = await start({ bus: 'in-process', definitions: [orders] });
  await collection('orders').insertOne({ _id: 'order-1' as never, version: 1, outbox: [], isCounted: 'yes' });
  await expect(close()).rejects.toThrow(/account has stored what it does not define:\norders\.isCounted/);
  harness = undefined;
  const again = await mongoose.createConnection(settings['MONGODB_URL'] ?? '').asPromise();
  expect(await again.listCollections()).toEqual([]);
  await again.close();
  expect(connection.readyState).toBe(mongoose.STATES.disconnected);
});

it('leaves nothing running where one of several instances does not start', async () => {
  const failing = { ...service, startWith: startEverySecond() };
  await expect(startService(failing, { bus: 'in-process', instances: 4 })).rejects.toThrow('the second one fails');
});

function startEverySecond(): typeof service.startWith {
  let starts = 0;
  return async (env, overrides) => {
    starts += 1;
    if (starts % 2 === 0) throw new Error('the second one fails');
    return service.startWith(env, overrides);
  };
}

it('says why a service does not start as a process of its own', async () => {
  const { settings, process } = await start();
  settings['API_SECRET'] = 'short';
  await expect(process()).rejects.toThrow(/account ended with 1 before it listened:\n(.|\n)*API_SECRET/);
});

it('gives each harness a database and a broker of its own', async () => {
  const [one, other] = await times(2, () => startService(service));
  expect(one?.settings['MONGODB_URL']).not.toBe(other?.settings['MONGODB_URL']);
  expect(await one?.amqpUrl()).not.toBe(await other?.amqpUrl());
  await Promise.all([one?.close(), other?.close()]);
});
