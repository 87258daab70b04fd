import type { Event } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { connect as connectAmqp } from 'amqplib';
import { expect, test } from 'vitest';
import type { Bus, DeadLetter } from '../src/index.ts';
import { idsOf } from './bus-contract.ts';
import { inEachTest } from './buses.ts';
import { event, registered, welcome } from './events.ts';
import { openRabbitmq } from './rabbitmq-harness.ts';

const { connect, harness } = inEachTest(openRabbitmq);

// More than two of the blocks in which they are read.
const count = 4_500;

async function makeDeadLetters(): Promise<Event[]> {
  const events = Array.from({ length: count }, (_, index) => event(registered, { sequence: index + 1 }));
  const connection = await connectAmqp(harness().url);
  const channel = await connection.createConfirmChannel();
  for (const each of events) {
    const headers = { 'x-handler': welcome.queue, 'x-reason': 'broken', 'x-died-at': each.time };
    channel.sendToQueue('storefront.dead', Buffer.from(JSON.stringify(each)), { headers, persistent: true });
  }
  await channel.waitForConfirms();
  await connection.close();
  return events;
}

const idOf = ({ event: dead }: DeadLetter) => ('id' in dead ? dead.id : '');
const sequenceOf = ({ event: dead }: DeadLetter) => ('id' in dead ? dead.sequence : 0);

async function listAll(bus: Bus): Promise<string[]> {
  return (await bus.deadLetters.list({ limit: 2 * count })).map(idOf);
}

test('any page of many dead letters can be listed again and again, and their order stays', async () => {
  const events = await makeDeadLetters();
  const bus = await connect();
  for (const after of [4_400, 0, 1_990, 4_400]) {
    const page = await bus.deadLetters.list({ after, limit: 20 });
    expect(page.map(idOf)).toEqual(idsOf(events.slice(after, after + 20)));
    expect(page[0]?.position).toBe(after + 1);
  }
  expect(await bus.deadLetters.list({ after: count })).toEqual([]);
  expect(await listAll(bus)).toEqual(idsOf(events));
  expect(await bus.deadLetters.count()).toBe(count);
});

test('those that match are replayed or dropped wherever they are, and the others keep their order', async () => {
  const events = await makeDeadLetters();
  const bus = await connect();
  expect(await bus.deadLetters.drop((each) => sequenceOf(each) % 2 === 0)).toBe(count / 2);
  expect(await bus.deadLetters.replay((each) => sequenceOf(each) % 5 === 0)).toBe(count / 10);
  const kept = events.filter(({ sequence }) => sequence % 2 === 1 && sequence % 5 !== 0);
  expect(await listAll(bus)).toEqual(idsOf(kept));
  const replayed: number[] = [];
  await bus.subscribe({
    ...welcome,
    async handle({ sequence }) {
      replayed.push(sequence);
      return 'done';
    },
  });
  await eventually(() => replayed.length === count / 10, 'the replayed events');
  expect(replayed.every((sequence) => sequence % 10 === 5)).toBe(true);
});

test('a replay that is interrupted loses nothing', async () => {
  const events = await makeDeadLetters();
  const operator = await connect();
  let judged = 0;
  const replay = operator.deadLetters.replay(() => {
    judged += 1;
    // In the second block: the first one is in the queue again.
    if (judged === 3_000) harness().network.cut();
    return true;
  });
  await expect(replay).rejects.toThrow(/lost|closed/i);
  const bus = await connect();
  await eventually(async () => (await bus.deadLetters.count()) >= count - 4_000, 'the others to be back');
  const left = await listAll(bus);
  const received = new Set<string>();
  await bus.subscribe({
    ...welcome,
    async handle({ id }) {
      received.add(id);
      return 'done';
    },
  });
  await eventually(() => new Set([...received, ...left]).size === count, 'every event to be in one place or the other');
  expect(left.length).toBeGreaterThan(0);
  expect(left).toEqual(idsOf(events.filter(({ id }) => left.includes(id))));
});
