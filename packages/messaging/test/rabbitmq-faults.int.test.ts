import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { newId, type Event } from '@storefront/contracts';
import { eventually, memoryLogger } from '@storefront/testing';
import { connect as connectAmqp, type Channel } from 'amqplib';
import { expect, test } from 'vitest';
import { connectRabbitmq } from '../src/index.ts';
import { eventsExchange } from '../src/topology.ts';
import { idsOf, collectInto } from './bus-contract.ts';
import { inEachTest } from './buses.ts';
import { event, registered, revoked, statistics, stockChanged, topology, welcome } from './events.ts';
import { openRabbitmq } from './rabbitmq-harness.ts';

const { connect, harness } = inEachTest(openRabbitmq);

/** The arguments of a queue that an operator made with a limit of its own. */
const limitedTo20 = {
  'x-queue-type': 'quorum',
  'x-dead-letter-exchange': '',
  'x-dead-letter-routing-key': 'storefront.dead',
  'x-dead-letter-strategy': 'at-least-once',
  'x-overflow': 'reject-publish',
  'x-delivery-limit': 20,
};

/** Does something as an operator would, past the bus. */
async function operate<Result>(work: (channel: Channel) => Promise<Result>): Promise<Result> {
  const connection = await connectAmqp(harness().url);
  try {
    const channel = await connection.createConfirmChannel();
    const result = await work(channel);
    await channel.waitForConfirms();
    await channel.close();
    return result;
  } finally {
    await connection.close();
  }
}

test('loses nothing while its connections are cut again and again', async () => {
  const publisher = await connect();
  const consumer = await connect();
  const received = new Set<string>();
  await consumer.subscribe({
    ...welcome,
    async handle({ id, sequence }, { attempt }) {
      await wait(1);
      // Some take the way through a waiting queue, which must lose nothing either.
      if (sequence % 4 === 0 && attempt === 1) return 'retry';
      received.add(id);
      return 'done';
    },
  });
  // What an outbox does: publish again until confirmed.
  let pending = Array.from({ length: 1_000 }, (_, sequence) => event(registered, { sequence }));
  const all = idsOf(pending);
  let confirmedBefore = 0;
  let progress = -1;
  const cutting = setInterval(() => {
    // Not before something has come through since the last time: a slow machine would get nowhere.
    if (confirmedBefore + received.size === progress) return;
    progress = confirmedBefore + received.size;
    harness().network.cut();
  }, 150);
  while (pending.length > 0) {
    const confirmed = new Set<string>();
    for (const each of await publisher.publish(pending.slice(0, 40))) if (each.confirmed) confirmed.add(each.id);
    pending = pending.filter(({ id }) => !confirmed.has(id));
    confirmedBefore = all.length - pending.length;
    await wait(20);
  }
  clearInterval(cutting);
  await eventually(() => received.size === all.length, 'every event');
  expect(received).toEqual(new Set(all));
  const nothing = { queues: [{ queue: welcome.queue, ready: 0 }], delayed: 0 };
  await eventually(async () => isDeepStrictEqual(await consumer.backlog(), nothing), 'the queues to be empty');
  expect(await consumer.deadLetters.count()).toBe(0);
});

test('while the broker is away a publish comes back unconfirmed, and all is well after its return', async () => {
  const bus = await connect();
  const received: Event[] = [];
  const bindings: string[] = [];
  await bus.subscribe({ ...welcome, handle: collectInto(received) });
  await bus.broadcast({
    name: 'revocations',
    types: [revoked],
    handle: (each) => received.push(each),
    onBound: () => bindings.push('bound'),
    onLost: () => bindings.push('lost'),
  });
  harness().network.refuse();
  harness().network.cut();
  await eventually(() => !bus.health().connected && bindings.length === 2, 'the loss to be noticed');
  // Without waiting for the broker: the reason would be that it did not confirm in time.
  expect(await bus.publish([event(registered)])).toMatchObject([
    { confirmed: false, reason: expect.stringMatching(/^broker away: ./) },
  ]);
  expect(bus.health().reason).toEqual(expect.any(String));
  await expect(bus.backlog()).rejects.toMatchObject({ code: 'messaging_broker_away' });

  // Long enough for several tries in vain.
  await wait(1_500);
  harness().network.accept();
  await eventually(() => bus.health().connected, 'the connections');
  const events = [event(registered), event(revoked)];
  expect(await bus.publish(events)).toMatchObject([{ confirmed: true }, { confirmed: true }]);
  await eventually(() => received.length === 2, 'both events');
  expect(bindings).toEqual(['bound', 'lost', 'bound']);
});

test('starts while the broker is away and binds when it comes', async () => {
  harness().network.refuse();
  const bus = await connect();
  expect(bus.health()).toMatchObject({ connected: false, reason: expect.any(String) });
  const received: Event[] = [];
  await bus.subscribe({ ...welcome, handle: collectInto(received) });
  harness().network.accept();
  await eventually(() => bus.health().connected, 'the connections');
  await bus.publish([event(registered)]);
  await eventually(() => received.length === 1, 'the event');
});

test('gives up on a broker that says nothing, and connects when it is back', async () => {
  harness().network.silence();
  const bus = await connect();
  expect(bus.health().connected).toBe(false);
  harness().network.accept();
  await eventually(() => bus.health().connected, 'the connections');
});

test('a publish that gets no answer in time is unconfirmed', async () => {
  const bus = await connect({ confirmTimeoutMs: 200 });
  harness().network.silence();
  expect(await bus.publish([event(registered)])).toMatchObject([
    { confirmed: false, reason: 'not confirmed within 200 ms' },
  ]);
  harness().network.cut();
});

test('publishes more at once than the connection takes at once, in order', async () => {
  const bus = await connect();
  const received: Event[] = [];
  await bus.subscribe({ ...welcome, handle: collectInto(received) });
  const events = Array.from({ length: 5_000 }, () => event(registered));
  expect((await bus.publish(events)).every(({ confirmed }) => confirmed)).toBe(true);
  await eventually(() => received.length === events.length, 'all of them');
  expect(idsOf(received)).toEqual(idsOf(events));
});

test('closes although the broker is away or says nothing', async () => {
  for (const trouble of ['refuse', 'silence'] as const) {
    const bus = await connect();
    await bus.subscribe({ ...welcome, handle: collectInto([]) });
    harness().network[trouble]();
    if (trouble === 'refuse') harness().network.cut();
    await expect(bus.close()).resolves.toBeUndefined();
    harness().network.accept();
  }
});

test('subscribes again when the broker takes the subscription away', async () => {
  const bus = await connect();
  const received: Event[] = [];
  await bus.subscribe({ ...welcome, handle: collectInto(received) });
  await operate((channel) => channel.deleteQueue(welcome.queue));
  await eventually(async () => {
    const [published] = await bus.publish([event(registered)]);
    return published?.confirmed && received.length > 0;
  }, 'an event through the queue made anew');
  expect(bus.health().connected).toBe(true);
});

test('an event whose queue is missing is not published, all others are, and it is once the queue is there', async () => {
  await operate((channel) => channel.deleteQueue(welcome.queue));
  const bus = await connect();
  const counted: Event[] = [];
  await bus.subscribe({ ...statistics, handle: collectInto(counted) });
  // Another queue takes it as well: the broker alone would confirm it.
  const held = event(registered);
  const others = [event(stockChanged), event('catalog.category-created')];
  expect(await bus.publish([others[0] as Event, held, others[1] as Event])).toMatchObject([
    { confirmed: true },
    { id: held.id, confirmed: false, reason: `the queue ${welcome.queue} is missing` },
    { confirmed: true },
  ]);
  expect(bus.health()).toMatchObject({ connected: true, canPublish: true, missing: [welcome.queue] });
  await eventually(() => counted.length === 1, 'the event of the other queue');

  const received: Event[] = [];
  await (await connect()).subscribe({ ...welcome, handle: collectInto(received) });
  await eventually(async () => (await bus.publish([held]))[0]?.confirmed, 'the event to be published');
  await eventually(() => received.length === 1, 'the event');
  expect(bus.health()).not.toHaveProperty('missing');
});

test('says so when no queue takes an event that is awaited, and binds the queue again', async () => {
  const bus = await connect();
  for (const { queue, types } of topology)
    await operate(async (channel) => {
      for (const type of types) await channel.unbindQueue(queue, eventsExchange, type);
    });
  const lost = event(registered);
  expect(await bus.publish([lost, event('catalog.category-created')])).toMatchObject([
    { confirmed: false, reason: expect.stringMatching(/^no queue takes it: NO_ROUTE/) },
    { confirmed: true },
  ]);
  await eventually(async () => (await bus.publish([lost]))[0]?.confirmed, 'the binding to be back');
});

test('a queue that an operator made with another limit is used as it is, and everything else goes on', async () => {
  await operate(async (channel) => {
    await channel.deleteQueue(welcome.queue);
    await channel.assertQueue(welcome.queue, {
      durable: true,
      arguments: { ...limitedTo20, 'x-delivery-limit': 7 },
    });
  });
  const publisher = await connect();
  const { logger, lines } = memoryLogger();
  const consumer = await connect({ logger });
  const [welcomed, counted]: [Event[], Event[]] = [[], []];
  await consumer.subscribe({ ...welcome, handle: collectInto(welcomed) });
  await consumer.subscribe({ ...statistics, handle: collectInto(counted) });
  const events = [event(registered), event(stockChanged)];
  expect(await publisher.publish(events)).toMatchObject([{ confirmed: true }, { confirmed: true }]);
  await eventually(() => welcomed.length === 1 && counted.length === 2, 'the events in both queues');
  expect(consumer.health()).toMatchObject({
    connected: true,
    differing: [{ queue: welcome.queue, difference: expect.stringContaining('x-delivery-limit') }],
  });

  harness().network.cut();
  const afterwards = event(registered);
  await eventually(async () => (await publisher.publish([afterwards]))[0]?.confirmed, 'the publisher to be back');
  await eventually(() => idsOf(welcomed).includes(afterwards.id), 'the event after the reconnect');
  expect(lines.filter((line) => line.includes('a queue has other arguments'))).toHaveLength(1);

  await operate((channel) => channel.deleteQueue(welcome.queue));
  await eventually(() => !('differing' in consumer.health()), 'the queue that is as it is declared');
});

test('an event of a type that only a newer version handles waits', async () => {
  const type = 'identity.user-promoted';
  let tries = 0;
  const bus = await connect({ retryDelaysMs: [20, 20, 20, 20], onDelivery: () => tries++ });
  await bus.subscribe({ ...welcome, handle: collectInto([]) });
  await operate((channel) => channel.bindQueue(welcome.queue, eventsExchange, type));
  await bus.publish([event(type)]);
  await eventually(() => tries > 6, 'more tries than there are delays');
  expect(await bus.deadLetters.count()).toBe(0);
});

test('makes a dead letter of what is not even JSON', async () => {
  const bus = await connect();
  await bus.subscribe({ ...welcome, handle: collectInto([]) });
  await operate(async (channel) => channel.sendToQueue(welcome.queue, Buffer.from('junk')));
  await eventually(async () => (await bus.deadLetters.count()) === 1, 'the dead letter');
  expect(await bus.deadLetters.list()).toMatchObject([
    { queue: welcome.queue, reason: expect.stringMatching(/^not JSON/), event: { unreadable: 'junk' } },
  ]);
});

/** Takes the message as a consumer does that ends before it answers. */
async function takeAndDie(): Promise<boolean> {
  const connection = await connectAmqp(harness().url);
  try {
    return Boolean(await (await connection.createChannel()).get(welcome.queue));
  } finally {
    await connection.close();
  }
}

test('what ends its consumer each time is a dead letter in the end, which can be replayed', async () => {
  const sent = event(registered);
  const headers = { 'x-returns': 95, 'x-first-seen': sent.time };
  await operate(async (channel) =>
    channel.sendToQueue(welcome.queue, Buffer.from(JSON.stringify(sent)), { headers, persistent: true }),
  );
  for (let deaths = 0; deaths < 5; deaths++) await eventually(takeAndDie, 'the message to be back');
  const bus = await connect();
  const received: Event[] = [];
  await bus.subscribe({ ...welcome, handle: collectInto(received) });
  await eventually(async () => (await bus.deadLetters.count()) === 1, 'the dead letter');
  expect(received).toEqual([]);
  const [deadLetter] = await bus.deadLetters.list();
  expect(deadLetter).toMatchObject({
    queue: welcome.queue,
    reason: 'its consumer was gone 100 times before it answered',
    event: sent,
  });
  expect(await bus.deadLetters.replay(() => true)).toBe(1);
  await eventually(() => received.length === 1, 'the replayed event');
});

test('a dead letter that the broker made at its limit can be read and replayed', async () => {
  await operate(async (channel) => {
    await channel.deleteQueue(welcome.queue);
    await channel.assertQueue(welcome.queue, { durable: true, arguments: limitedTo20 });
  });
  const bus = await connect();
  const sent = event(registered);
  await eventually(async () => (await bus.publish([sent]))[0]?.confirmed, 'the event to be published');
  for (let deaths = 0; deaths < 21; deaths++) await eventually(takeAndDie, 'the message to be back');
  await eventually(async () => (await bus.deadLetters.count()) === 1, 'the dead letter');
  const [deadLetter] = await bus.deadLetters.list();
  expect(deadLetter).toMatchObject({
    queue: welcome.queue,
    reason: expect.stringMatching(/^delivery limit/),
    event: sent,
  });
  expect(await bus.deadLetters.replay(() => true)).toBe(1);
  const received: Event[] = [];
  await bus.subscribe({ ...welcome, handle: collectInto(received) });
  await eventually(() => received.length === 1, 'the replayed event');
});

test('a network that is cut 30 times while an event is held makes no dead letter of it', async () => {
  // Of a limit in the arguments and one in a policy the lower one holds, so this one can't be raised.
  await operate(async (channel) => {
    await channel.deleteQueue(welcome.queue);
    await channel.assertQueue(welcome.queue, { durable: true, arguments: limitedTo20 });
  });
  const publisher = await connect();
  const consumer = await connect();
  const released = Promise.withResolvers<void>();
  const done = new Set<string>();
  // The second has the same subject and waits behind the first.
  const subject = newId('user');
  const held = [event(registered, { subject }), event(registered, { subject })];
  let begun = 0;
  await consumer.subscribe({
    ...welcome,
    async handle({ id }) {
      begun++;
      await released.promise;
      done.add(id);
      return 'done';
    },
  });
  await eventually(
    async () => (await publisher.publish(held)).every(({ confirmed }) => confirmed),
    'the events to be published',
  );
  await eventually(() => begun > 0, 'the handler');
  let losses = 0;
  await consumer.broadcast({ name: 'cuts', types: [revoked], handle: () => {}, onLost: () => losses++ });
  while (losses < 30) {
    const before = losses;
    harness().network.cut();
    await eventually(() => losses > before, 'the loss to be noticed');
    await eventually(() => consumer.health().connected, 'the connections');
    // Delivered anew, or moved: neither is there to be taken.
    await eventually(
      async () => (await consumer.backlog()).queues[0]?.ready === 0,
      'the messages to be delivered again',
    );
  }
  released.resolve();
  await eventually(() => done.size === 2, 'both events to be handled');
  const nothing = { queues: [{ queue: welcome.queue, ready: 0 }], delayed: 0 };
  await eventually(async () => isDeepStrictEqual(await consumer.backlog(), nothing), 'the queues to be empty');
  expect(await consumer.deadLetters.count()).toBe(0);
});

test('refuses an address that is none', async () => {
  const { logger } = memoryLogger();
  await expect(connectRabbitmq({ url: 'localhost:5672', topology, logger, name: 'test' })).rejects.toMatchObject({
    code: 'messaging_address_invalid',
  });
});
