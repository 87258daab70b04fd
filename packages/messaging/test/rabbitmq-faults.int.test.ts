import { setTimeout as wait } from 'node:timers/promises';
import type { Event } from '@storefront/contracts';
import { eventually, memoryLogger } from '@storefront/testing';
import { connect as connectAmqp } from 'amqplib';
import type { Channel } from 'amqplib';
import { expect, test } from 'vitest';
import { connectRabbitmq } from '../src/index.ts';
import { idsOf, collectInto } from './bus-contract.ts';
import { inEachTest } from './buses.ts';
import { event, registered, revoked, topology, welcome } from './events.ts';
import { openRabbitmq } from './rabbitmq-harness.ts';

const { connect, harness } = inEachTest(openRabbitmq);

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
  const empty = async () => (await consumer.backlog()).every(({ ready, delayed }) => ready + delayed === 0);
  await eventually(empty, 'the queues to be empty');
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

test('says so when no queue takes an event that is awaited, and puts the queue back', async () => {
  const bus = await connect();
  for (const { queue } of topology) await operate((channel) => channel.deleteQueue(queue));
  const lost = event(registered);
  const kept = event('catalog.category-created');
  expect(await bus.publish([lost, kept])).toMatchObject([
    { confirmed: false, reason: expect.stringMatching(/^no queue takes it: NO_ROUTE/) },
    { confirmed: true },
  ]);
  await eventually(async () => (await bus.publish([lost]))[0]?.confirmed, 'the queue to be back');
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

test('what crashes its consumer each time ends as a dead letter that can be replayed', async () => {
  const bus = await connect();
  const sent = event(registered);
  await bus.publish([sent]);
  await operate(async (channel) => {
    let deliveries = 0;
    await eventually(async () => {
      const message = await channel.get(welcome.queue);
      if (message) {
        deliveries++;
        channel.nack(message);
      }
      return !message && deliveries > 20;
    }, 'the broker to give up');
    expect(deliveries).toBe(21);
  });
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

test('refuses an address that is none', async () => {
  const { logger } = memoryLogger();
  await expect(connectRabbitmq({ url: 'localhost:5672', topology, logger, name: 'test' })).rejects.toMatchObject({
    code: 'messaging_address_invalid',
  });
});
