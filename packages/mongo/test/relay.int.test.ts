import { changed, defineEvent, deleted, fact, type Event } from '@storefront/contracts';
import type { Bus, BusHealth, Published } from '@storefront/messaging';
import { eventually, freshDatabase, memoryLogger } from '@storefront/testing';
import mongoose from 'mongoose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import {
  createRelay,
  byId,
  defineCollection,
  inTransaction,
  noRelay,
  openCollections,
  openRepository,
  withEvents,
  type Relay,
  type Repository,
  type Stored,
} from '../src/index.ts';

interface Note {
  readonly id: string;
  readonly text: string;
}

const data = z.object({ text: z.string() });
const good = defineEvent('test.good', 'Something that queues take.', data);
const bad = defineEvent('test.bad', 'Something that queues may not take.', data);
const notes = defineCollection('notes', { ...withEvents, text: z.string() }, { sharding: byId });
const drafts = defineCollection('drafts', { ...withEvents, text: z.string() }, { sharding: byId });

type Answer = true | string | Promise<true | string>;

/** A bus that answers for each event what the test says, and keeps every call. */
function fakeBus() {
  const calls: (readonly Event[])[] = [];
  const confirmed: Event[] = [];
  const { promise: never, resolve: end } = Promise.withResolvers<string>();
  const fake = {
    canPublish: true,
    /** Comes when the test is over. */
    never,
    end,
    answer: (_event: Event): Answer => true,
    calls,
    confirmed,
    bus: {
      async publish(events: readonly Event[]): Promise<Published[]> {
        calls.push(events);
        const answers = await Promise.all(events.map(async (event) => fake.answer(event)));
        confirmed.push(...events.filter((_event, place) => answers[place] === true));
        return events.map(({ id }, place) => {
          const answer = answers[place] as true | string;
          return answer === true ? { id, confirmed: true } : { id, confirmed: false, reason: answer };
        });
      },
      health: (): BusHealth => ({ kind: 'rabbitmq', connected: true, canPublish: fake.canPublish, queues: [] }),
    } as unknown as Bus,
  };
  return fake;
}

let place: ReturnType<typeof freshDatabase>;
let connection: mongoose.Connection;
let broker: ReturnType<typeof fakeBus>;
let relay: Relay;
let repository: Repository<Note>;
const commands: mongoose.mongo.CommandStartedEvent[] = [];
beforeEach(async () => {
  place = freshDatabase('relay');
  connection = await mongoose.createConnection(place.url, { monitorCommands: true }).asPromise();
  commands.length = 0;
  connection.getClient().on('commandStarted', (command) => commands.push(command));
  await openCollections(connection, [notes]);
  open();
});
afterEach(async () => {
  vi.useRealTimers();
  broker.answer = () => 'the test is over';
  broker.end('the test is over');
  await relay.close();
  await connection.close();
  await place.drop();
});

/** A relay and a repository as of another process, whose clock is that many seconds ahead. */
function open({ secondsAhead = 0, sweepMs = 50, monotonic = () => performance.now() } = {}): void {
  broker = fakeBus();
  relay = createRelay({ bus: broker.bus, logger: memoryLogger().logger, sweepMs, monotonic });
  const now = () => new Date(Date.now() + secondsAhead * 1000);
  repository = openRepository<Note>(notes, { database: connection, relay, now });
}

type Contract = typeof good | typeof bad;

const write = (id: string, ...contracts: readonly Contract[]) =>
  repository.change(id, () =>
    changed(
      { id, text: id },
      contracts.map((contract) => fact(contract, id, { text: id })),
    ),
  );

/** Writes documents whose events only a sweep can publish: their process is gone. */
async function leaveBehind(...documents: readonly (readonly [id: string, ...contracts: readonly Contract[]])[]) {
  const gone = openRepository<Note>(notes, {
    database: connection,
    relay: noRelay,
    now: () => new Date(),
  });
  await gone.insertNew(
    documents.map(([id, ...contracts]) => ({
      state: { id, text: id },
      facts: contracts.map((contract) => fact(contract, id, { text: id })),
    })),
  );
}

const many = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${String(index).padStart(5, '0')}`);
const looks = () => commands.filter(({ command }) => command.aggregate === 'notes' && command.pipeline[1].$limit === 1);
const sweepsSoFar = () => looks().length;
const sweeps = async (count: number) => {
  const before = sweepsSoFar();
  await eventually(() => sweepsSoFar() > before + count, 'some sweeps');
};
const subjectsOf = (events: readonly Event[]) => events.map(({ subject }) => subject);
const isPublished = (subject: string) => subjectsOf(broker.confirmed).includes(subject);

describe('a type that is refused', () => {
  it('costs the others nothing, however many documents it fills, before or after them', async () => {
    await leaveBehind(
      ...many(600, 'b').map((id) => [id, bad] as const),
      ['a', good],
      ['z', good],
      ['both', bad, good, bad],
    );
    broker.answer = ({ type }) => (type === bad.type ? 'no queue takes it' : true);
    relay.start();
    await eventually(() => ['a', 'z', 'both'].every(isPublished), 'the good events');
    expect(broker.confirmed.map(({ type }) => type)).toEqual([good.type, good.type, good.type]);
    await eventually(async () => (await relay.status()).depth === 601, 'the good events to be pulled');
  });

  it('is tried less and less often', async () => {
    await leaveBehind(['a', bad]);
    broker.answer = () => 'no queue takes it';
    let time = 0;
    await relay.close();
    open({ monotonic: () => time });
    broker.answer = () => 'no queue takes it';
    relay.start();
    await sweeps(3);
    expect(broker.calls).toHaveLength(0);
    for (const [tries, backOff] of [25, 50, 100, 200].entries()) {
      time += backOff - 1;
      await sweeps(3);
      expect(broker.calls).toHaveLength(tries);
      time += 1;
      await eventually(() => broker.calls.length === tries + 1, 'another try');
      await sweeps(3);
    }
  });

  it('hides nothing behind it of its own type', async () => {
    await leaveBehind(...many(1200, 'b').map((id) => [id, bad] as const), ['z', bad]);
    broker.answer = ({ subject }) => (subject === 'z' ? true : 'no queue takes it');
    relay.start();
    await eventually(() => isPublished('z'), 'the event behind those that are refused');
    expect(subjectsOf(broker.confirmed)).toEqual(['z']);
  });

  it('is published in order for each subject once it is taken', async () => {
    broker.answer = () => 'no queue takes it';
    await write('a', bad);
    await eventually(() => broker.calls.length > 0, 'the first try');
    await write('a', bad);
    await write('b', bad);
    await write('a', bad);
    expect(broker.confirmed).toEqual([]);
    broker.answer = () => true;
    await write('a', bad);
    relay.start();
    await eventually(() => broker.confirmed.length >= 5, 'all events');
    const ofA = broker.confirmed.filter(({ subject }) => subject === 'a');
    expect(ofA.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    await eventually(async () => (await relay.status()).depth === 0, 'every outbox to be empty');
    await eventually(async () => {
      const before = broker.confirmed.length;
      await write('a', bad);
      for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
      return broker.confirmed.length > before;
    }, 'events to be published at once again');
  });
});

describe('a type that is never confirmed', () => {
  it('has one batch under way, while the others are published', async () => {
    broker.answer = ({ type }) => (type === bad.type ? broker.never : true);
    relay.start();
    await write('a', bad, good);
    for (const id of many(20, 'n')) await write(id, bad, good);
    await eventually(() => broker.confirmed.length === 21, 'the good events');
    const underWay = broker.calls.filter(([event]) => event?.type === bad.type);
    expect(underWay.map(subjectsOf)).toEqual([['a']]);
    await eventually(async () => (await relay.status()).oldestAgeSeconds >= 0.3, 'the outbox to be of some age');
  });

  it('is not published again by the sweep, nor is what waits behind it', async () => {
    await relay.close();
    // A majority on a slow disk shows what was pulled for a moment longer, and two sweeps in it would publish that again.
    open({ sweepMs: 500 });
    const { promise: held, resolve: release } = Promise.withResolvers<true>();
    broker.answer = () => held;
    relay.start();
    await write('a', good);
    await write('b', good);
    await leaveBehind(['c', good]);
    await sweeps(3);
    release(true);
    await eventually(() => ['a', 'b', 'c'].every(isPublished), 'all events');
    await eventually(async () => (await relay.status()).depth === 0, 'every outbox to be empty');
    expect(subjectsOf(broker.calls.flat()).toSorted()).toEqual(['a', 'b', 'c']);
  });

  it('keeps a bounded number of events in memory, and loses none', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<true>();
    broker.answer = () => held;
    await write('a', good);
    await repository.insertNew(
      many(6000, 'n').map((id) => ({ state: { id, text: id }, facts: [fact(good, id, { text: id })] })),
    );
    release(true);
    await eventually(() => broker.confirmed.length >= 5001, 'those in memory');
    await eventually(async () => (await relay.status()).depth === 1000, 'those in memory to be pulled');
    relay.start();
    await eventually(async () => (await relay.status()).depth === 0, 'every outbox to be empty');
    expect(new Set(subjectsOf(broker.confirmed)).size).toBe(6001);
    expect(Math.max(...broker.calls.map((events) => events.length))).toBe(500);
  });
});

describe.each([-600, 600])('an event whose writer has a clock that is %i s ahead', (secondsAhead) => {
  it('is swept as soon as any other event, and is as old as it was seen', async () => {
    await relay.close();
    open({ secondsAhead });
    broker.canPublish = false;
    broker.answer = () => 'broker away';
    await write('a', good);
    relay.start();
    await eventually(async () => (await relay.status()).oldestAgeSeconds >= 0.2, 'the outbox to be of some age');
    expect((await relay.status()).oldestAgeSeconds).toBeLessThan(100);
    broker.answer = () => true;
    broker.canPublish = true;
    await eventually(() => isPublished('a'), 'the event');
  });
});

describe('events that were left while the broker was away', () => {
  it('are published by the process that has written them; by others at their next look', async () => {
    broker.canPublish = false;
    broker.answer = () => 'broker away';
    await leaveBehind(['a', good]);
    await write('b', good);
    relay.start();
    await eventually(async () => (await relay.status()).oldestAgeSeconds >= 0.2, 'both to be seen');
    broker.answer = () => true;
    broker.canPublish = true;
    await eventually(() => isPublished('a'), 'the event of the other process');
    expect(subjectsOf(broker.confirmed)).toEqual(['b', 'a']);
  });
});

describe('a sweep', () => {
  it('finds the events of all collections by one command, which the index answers', async () => {
    await openCollections(connection, [drafts]);
    const gone = openRepository<Note>(drafts, { database: connection, relay: noRelay, now: () => new Date() });
    await gone.insertNew([{ state: { id: 'a', text: 'a' }, facts: [fact(good, 'a', { text: 'a' })] }]);
    openRepository<Note>(drafts, { database: connection, relay, now: () => new Date() });
    expect((await relay.status()).depth).toBe(1);
    relay.start();
    await eventually(() => isPublished('a'), 'the event of the other collection');
    // No event of the collection without any is looked for.
    expect(commands.filter(({ command }) => command.find === 'notes')).toEqual([]);
    const found = commands.filter(({ command }) => command.aggregate === 'notes');
    expect(found.length).toBeGreaterThan(2);
    for (const { command } of found) {
      expect(command).toMatchObject({ readConcern: { level: 'majority' }, hint: 'outbox_types' });
      const { pipeline, hint } = command;
      const plan = await connection
        .getClient()
        .db(connection.name)
        .collection('notes')
        .aggregate(pipeline, { hint })
        .explain('queryPlanner');
      expect(JSON.stringify(plan).match(/"stage":"(IXSCAN|COLLSCAN)"/g)).toEqual([
        '"stage":"IXSCAN"',
        '"stage":"IXSCAN"',
      ]);
    }
  });

  it('is due each turn while something waits, otherwise each third turn', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    relay.start();
    const sweepsOfTurns: number[] = [];
    let unanswered = 0;
    const client = connection.getClient();
    client.on('commandStarted', () => (unanswered += 1));
    for (const end of ['commandSucceeded', 'commandFailed'] as const) client.on(end, () => (unanswered -= 1));
    // A sweep sends its next command right after an answer, so it has ended when nothing but these two was sent, and all
    // were answered.
    async function sweepToEnd() {
      let before: number;
      do {
        before = commands.length;
        await relay.status();
        await relay.status();
      } while (commands.length > before + 2 || unanswered > 0);
    }
    async function turns(count: number) {
      for (let turn = 0; turn < count; turn += 1) {
        const before = sweepsSoFar();
        vi.advanceTimersByTime(50);
        await sweepToEnd();
        sweepsOfTurns.push(sweepsSoFar() - before);
      }
    }
    await turns(6);
    await leaveBehind(['a', bad]);
    broker.answer = () => 'no queue takes it';
    await turns(4);
    expect(sweepsOfTurns).toEqual([1, 0, 1, 0, 0, 1, 0, 0, 1, 1]);
  });
});

describe('what is read of outboxes', () => {
  it('is what no failover rolls back, found by the index', async () => {
    await leaveBehind(['a', good]);
    relay.start();
    await eventually(() => isPublished('a'), 'the event');
    const readsOfNotes = () => commands.filter(({ command }) => command.find === 'notes').map(({ command }) => command);
    await eventually(() => readsOfNotes().length > 3, 'another sweep');
    const reads = readsOfNotes();
    for (const read of reads) expect(read).toMatchObject({ readConcern: { level: 'majority' }, hint: 'outbox_types' });
    const plans = await Promise.all(
      reads.map(({ filter, hint, sort }) =>
        connection
          .getClient()
          .db(connection.name)
          .collection('notes')
          .find(filter, { hint, sort: sort ?? {} })
          .explain(),
      ),
    );
    for (const plan of plans) expect(JSON.stringify(plan['queryPlanner'])).not.toMatch(/COLLSCAN|"SORT"/);
  });
});

describe('a tombstone', () => {
  const stored = () => connection.collection<{ _id: string }>('notes');
  const isGone = async (id: string) => (await stored().findOne({ _id: id })) === null;
  const remove = (id: string) => repository.change(id, () => deleted([fact(good, id, { text: id })], null));
  /** The last event was pulled by an instance that ended before it removed the tombstone. */
  const leaveFinished = (id: string) => stored().insertOne({ _id: id, deletedAt: new Date(), outbox: [] } as never);

  it('goes once its last event is published', async () => {
    relay.start();
    await write('a');
    await sweeps(2);
    await remove('a');
    await eventually(() => isGone('a'), 'the tombstone to go');
    expect(isPublished('a')).toBe(true);
  });

  it('of a transaction goes at the next sweep, also without an event of its own', async () => {
    relay.start();
    await write('a');
    await sweeps(2);
    await inTransaction(connection, (transaction) => repository.changeAll(transaction, ['a'], () => deleted([], null)));
    expect(await eventually(() => isGone('a'), 'the tombstone to go', 10_000)).toBe(true);
  });

  it('that could not be removed is removed by the next sweep', async () => {
    let attempts = 0;
    const source = connection.getClient().db(connection.name).collection<Stored>('notes');
    const deleteMany = source.deleteMany.bind(source);
    source.deleteMany = async (...args) => {
      attempts += 1;
      if (attempts === 1) throw new Error('no primary');
      return deleteMany(...args);
    };
    relay.start();
    await sweeps(2);
    await leaveFinished('a');
    relay.leftTombstone(source);
    await eventually(() => isGone('a'), 'the tombstone to go', 10_000);
    expect(attempts).toBe(2);
  });

  it('of an instance that ended goes within a minute, and none is looked for meanwhile', async () => {
    await relay.close();
    let seconds = 0;
    open({ monotonic: () => seconds * 1000 });
    relay.start();
    await leaveFinished('first');
    await eventually(() => isGone('first'), 'the first sweep to remove it');
    await leaveFinished('next');
    commands.length = 0;
    seconds = 59;
    await sweeps(5);
    expect(commands.filter(({ commandName }) => commandName === 'delete')).toEqual([]);
    seconds = 60;
    await eventually(() => isGone('next'), 'a sweep a minute later to remove it');
  });
});
