import { changed, defineEvent, deleted, fact, unchanged, type Event } from '@storefront/contracts';
import type { Bus, BusHealth, Published } from '@storefront/messaging';
import { eventually, freshDatabase, memoryLogger } from '@storefront/testing';
import mongoose from 'mongoose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  createRelay,
  byId,
  defineCollection,
  openCollections,
  openRepository,
  withEvents,
  type Relay,
  type Repository,
} from '../src/index.ts';

interface Counter {
  readonly id: string;
  readonly count: number;
  readonly note?: string;
}

const definition = defineCollection(
  'counters',
  { ...withEvents, count: z.int(), note: z.string().optional() },
  { sharding: byId },
);
const counted = defineEvent('test.counted', 'The counter went up.', z.object({ count: z.int() }));

/** A bus whose answers the test chooses. */
function fakeBus() {
  const seen: Event[] = [];
  let answer: (event: Event) => true | string = () => true;
  let connected = true;
  const bus = {
    publish(events: readonly Event[]): Promise<Published[]> {
      return Promise.resolve(
        events.map((event) => {
          const verdict = answer(event);
          if (verdict !== true) return { id: event.id, confirmed: false, reason: verdict };
          seen.push(event);
          return { id: event.id, confirmed: true };
        }),
      );
    },
    health: () => ({ kind: 'in-process', connected, canPublish: connected, queues: [] }) satisfies BusHealth,
  } as unknown as Bus;
  return {
    bus,
    seen,
    answers: (next: typeof answer) => (answer = next),
    connected: (is: boolean) => (connected = is),
  };
}

const database = () => freshDatabase('outbox');
let place: ReturnType<typeof database>;
let connection: mongoose.Connection;
let relay: Relay;
let counters: Repository<Counter>;
let broker: ReturnType<typeof fakeBus>;
const collection = () => connection.getClient().db(connection.name).collection<any>('counters');

beforeEach(async () => {
  place = database();
  connection = await mongoose.createConnection(place.url).asPromise();
  broker = fakeBus();
  relay = createRelay({ bus: broker.bus, logger: memoryLogger().logger, sweepMs: 50 });
  await openCollections(connection, [definition]);
  counters = openRepository<Counter>(definition, { database: connection, relay, now: () => new Date() });
  relay.start();
});

afterEach(async () => {
  await relay.close();
  await connection.close();
  await place.drop();
});

const countUp = (id: string) =>
  counters.change(id, (state) => {
    const next = { id, count: (state?.count ?? 0) + 1 };
    return changed(next, [fact(counted, id, { count: next.count })]);
  });

const emptyOutboxes = () => eventually(async () => (await relay.status()).depth === 0, 'every outbox to be empty');

describe('a change', () => {
  it('is one write of state and event, and the event goes out with the version it made', async () => {
    const { result, version } = await countUp('a');
    expect({ result, version }).toEqual({ result: { id: 'a', count: 1 }, version: 1 });
    await eventually(() => broker.seen.length === 1, 'the event');
    expect(broker.seen[0]).toMatchObject({ type: 'test.counted', subject: 'a', sequence: 1, data: { count: 1 } });
    await emptyOutboxes();
  });

  it('keeps the event in the document while the broker refuses it, and publishes the very same one later', async () => {
    broker.answers(() => 'no');
    await countUp('a');
    const [kept] = ((await collection().findOne({ _id: 'a' })) as { outbox: Event[] }).outbox;
    broker.answers(() => true);
    await eventually(() => broker.seen.length === 1, 'the event, by a sweep');
    expect(broker.seen[0]).toEqual(kept);
    await emptyOutboxes();
  });

  it('loses no count and no event when a hundred happen at once', async () => {
    await Promise.all(Array.from({ length: 100 }, () => countUp('a')));
    expect((await counters.load('a'))?.state.count).toBe(100);
    await emptyOutboxes();
    const counts = broker.seen.map((event) => (event.data as { count: number }).count).toSorted((x, y) => x - y);
    expect([...new Set(counts)]).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  });

  it('leaves everything as it was when the decision throws, or changes nothing', async () => {
    await countUp('a');
    await expect(
      counters.change('a', () => {
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await counters.change('a', () => unchanged('same'))).toEqual({ result: 'same', version: 1 });
    expect(await counters.load('a')).toEqual({ state: { id: 'a', count: 1 }, version: 1 });
  });

  it('removes the fields that the new state no longer has', async () => {
    await counters.change('a', () => changed({ id: 'a', count: 1, note: 'x' }, []));
    await counters.change('a', (state) => changed({ id: 'a', count: state?.count ?? 0 }, []));
    expect((await counters.load('a'))?.state).toEqual({ id: 'a', count: 1 });
  });
});

describe('a deletion', () => {
  it('leaves a tombstone until its event is published', async () => {
    await countUp('a');
    await emptyOutboxes();
    broker.answers(() => 'no');
    await counters.change('a', () => deleted([fact(counted, 'a', { count: 0 })], null));
    expect(await counters.load('a')).toBeNull();
    expect(await collection().countDocuments()).toBe(1);
    broker.answers(() => true);
    await eventually(async () => (await collection().countDocuments()) === 0, 'the tombstone to go');
    expect(broker.seen.at(-1)?.data).toEqual({ count: 0 });
  });

  it('can be followed by a new document before its event is published', async () => {
    await countUp('a');
    broker.answers(() => 'no');
    await counters.change('a', () => deleted([fact(counted, 'a', { count: 0 })], null));
    const { result } = await countUp('a');
    expect(result.count).toBe(1);
    broker.answers(() => true);
    await emptyOutboxes();
    expect((await counters.load('a'))?.state).toEqual({ id: 'a', count: 1 });
  });
});

describe('the relay', () => {
  it('publishes nothing while the broker is away, and reports how far behind it is', async () => {
    broker.connected(false);
    broker.answers(() => 'away');
    await Promise.all(['a', 'b', 'c'].map(countUp));
    await eventually(async () => (await relay.status()).oldestAgeSeconds > 0, 'the outbox to be of some age');
    expect((await relay.status()).depth).toBe(3);
    broker.answers(() => true);
    broker.connected(true);
    await emptyOutboxes();
    expect(broker.seen).toHaveLength(3);
  });

  it('counts a collection once that has several repositories', async () => {
    openRepository<Counter>(definition, { database: connection, relay, now: () => new Date() });
    broker.connected(false);
    broker.answers(() => 'away');
    await countUp('a');
    expect((await relay.status()).depth).toBe(1);
  });

  it('publishes the others later when the broker takes only some', async () => {
    let refused = 0;
    broker.answers(() => (refused++ % 3 === 0 ? 'nack' : true));
    await Promise.all(Array.from({ length: 60 }, (_, index) => countUp(`c${index}`)));
    await emptyOutboxes();
    expect(new Set(broker.seen.map((event) => event.subject)).size).toBe(60);
  });

  it('finds what is pending by an index', async () => {
    await countUp('a');
    const plan = await collection()
      .find({ 'outbox.0': { $exists: true } }, { hint: 'outbox_types' })
      .explain();
    expect(JSON.stringify(plan)).toContain('IXSCAN');
    expect(JSON.stringify(plan)).not.toContain('COLLSCAN');
  });
});
