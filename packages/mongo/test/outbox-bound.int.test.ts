import { changed, defineEvent, fact, unchanged } from '@storefront/contracts';
import { createInProcessBroker, type Bus } from '@storefront/messaging';
import { eventually, freshDatabase, memoryLogger } from '@storefront/testing';
import mongoose from 'mongoose';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import {
  collectionOf,
  createRelay,
  databaseRefusal,
  byId,
  defineCollection,
  inTransaction,
  isOutboxFull,
  noRelay,
  openCollections,
  openDatabase,
  openRepository,
  withEvents,
  type Database,
  type Repository,
} from '../src/index.ts';

interface Note {
  readonly id: string;
  readonly text: string;
}

const noted = defineEvent('test.noted', 'A note was written.', z.object({ text: z.string() }));
const notes = defineCollection('notes', { ...withEvents, text: z.string() }, { sharding: byId });
const megabyte = 'x'.repeat(1_000_000);

let place: ReturnType<typeof freshDatabase>;
let database: Database;
let repository: Repository<Note>;
beforeEach(async () => {
  place = freshDatabase('bound');
  database = await openDatabase(place.url, memoryLogger().logger);
  await openCollections(database, [notes]);
  // Nobody publishes: the outboxes only grow.
  repository = openRepository<Note>(notes, { database, relay: noRelay, now: () => new Date() });
});
afterEach(async () => {
  await database.close();
  await place.drop();
});

const withEventOf = (id: string, data: string) => changed({ id, text: id }, [fact(noted, id, { text: data })]);
const grow = (id: string, data = megabyte) => repository.change(id, () => withEventOf(id, data));
const stored = (id: string) => collectionOf<any>(database, 'notes').findOne({ _id: id });
const fill = async (id: string) => {
  for (let events = 0; events < 7; events += 1) await grow(id);
};

it('a change that would make an outbox larger than 8 MB is refused, and writes nothing', async () => {
  await fill('a');
  const before = await stored('a');
  const error = await grow('a').catch((thrown: unknown) => thrown);
  expect(isOutboxFull(error)).toBe(true);
  expect(databaseRefusal(error)).toMatchObject({ kind: 'unavailable', code: 'outbox_full', retryAfterSeconds: 10 });
  expect(await stored('a')).toEqual(before);
});

it('a change without events is done all the same, and with events again once some are pulled', async () => {
  await fill('a');
  await expect(grow('a')).rejects.toThrow('Document failed validation');
  await repository.change('a', () => changed({ id: 'a', text: 'other' }, []));
  expect((await repository.load('a'))?.state.text).toBe('other');
  await collectionOf<any>(database, 'notes').updateOne({ _id: 'a' }, { $pop: { outbox: -1 } });
  await grow('a');
  expect((await stored('a')).outbox).toHaveLength(7);
});

it('several writers at once can not exceed it together', async () => {
  const all = await Promise.allSettled(Array.from({ length: 12 }, () => grow('a')));
  const refused = all.filter((one) => one.status === 'rejected');
  expect(refused.map(({ reason }) => isOutboxFull(reason))).toEqual(Array.from({ length: 5 }, () => true));
  expect((await stored('a')).outbox).toHaveLength(7);
});

it('of writes that are sent together only those of the full one are refused', async () => {
  await fill('full');
  const [refused, ...done] = await Promise.allSettled([grow('full'), grow('a', 'small'), grow('b', 'small')]);
  expect(refused).toMatchObject({ status: 'rejected', reason: { code: 121 } });
  expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
});

it('a transaction that would exceed it writes nothing at all', async () => {
  await fill('full');
  await grow('a', 'small');
  const changing = inTransaction(database, (transaction) =>
    repository.changeAll(transaction, ['a', 'full'], (id) => withEventOf(id, megabyte)),
  );
  expect(isOutboxFull(await changing.catch((thrown: unknown) => thrown))).toBe(true);
  expect((await stored('a')).outbox).toHaveLength(1);
});

it('collections from before the bound get it, and a document that is too large already can still be emptied', async () => {
  const older = defineCollection('older', { ...withEvents, text: z.string() }, { sharding: byId });
  const driver: mongoose.mongo.Db = database.getClient().db(database.name);
  const documents = await driver.createCollection<any>('older');
  const event = { id: 'evt', type: 'test.noted', data: megabyte };
  await documents.insertOne({ _id: 'a', version: 1, outbox: Array.from({ length: 9 }, () => event), text: 'a' });
  await Promise.all(Array.from({ length: 10 }, () => openCollections(database, [older])));
  await openCollections(database, [older]);

  await documents.updateOne({ _id: 'a' }, { $pop: { outbox: 1 } });
  await documents.updateOne({ _id: 'a' }, { $pop: { outbox: 1 } });
  const outbox = { $each: [event, event] };
  await expect(documents.updateOne({ _id: 'a' }, { $push: { outbox } } as object)).rejects.toMatchObject({ code: 121 });
});

it.each([
  ['a new document', 'x'.repeat(17_000_000), []],
  ['a new document that is far too large', 'x'.repeat(40_000_000), []],
  ['the events of one change', 'small', Array.from({ length: 9 }, () => megabyte)],
])('%s beyond what MongoDB takes is refused for its size', async (_what, value, events) => {
  const create = () =>
    changed(
      { id: 'a', text: value },
      events.map((data) => fact(noted, 'a', { text: data })),
    );
  const error = await repository.change('a', create).catch((thrown: unknown) => thrown);
  expect(databaseRefusal(error), String(error)).toMatchObject({ kind: 'too-large', code: 'document_too_large' });
  await repository.change('a', () => changed({ id: 'a', text: 'small' }, []));
  const again = await repository.change('a', create).catch((thrown: unknown) => thrown);
  expect(databaseRefusal(again), String(again)).toMatchObject({ kind: 'too-large', code: 'document_too_large' });
  expect((await repository.change('a', (state) => unchanged(state))).result?.text).toBe('small');
});

it('of new documents, one that is too large is refused with all of them', async () => {
  const states = [
    { id: 'a', text: 'small' },
    { id: 'b', text: 'x'.repeat(17_000_000) },
  ];
  const error = await repository
    .insertNew(states.map((state) => ({ state, facts: [] })))
    .catch((thrown: unknown) => thrown);
  expect(databaseRefusal(error), String(error)).toMatchObject({ code: 'document_too_large' });
});

it('an outbox of more than 1 MB is reported, and warned of once a minute', async () => {
  const { logger, lines } = memoryLogger();
  const own = await mongoose.createConnection(place.url, { monitorCommands: true }).asPromise();
  let sweepsSoFar = 0;
  own.getClient().on('commandStarted', ({ command }) => {
    // With this each sweep begins to look for what waits.
    if (command.aggregate === 'notes' && command.pipeline[1].$limit === 1) sweepsSoFar += 1;
  });
  const connected = createInProcessBroker({ topology: [] }).connect({ name: 'test', logger });
  const bus: Bus = { ...connected, health: () => ({ ...connected.health(), canPublish: false }) };
  let now = 0;
  const relay = createRelay({ bus, logger, sweepMs: 20, monotonic: () => now });
  openRepository<Note>(notes, { database: own, relay, now: () => new Date() });
  await grow('a');
  await grow('a');
  expect((await relay.status()).largestBytes).toBeGreaterThan(2_000_000);
  const warnings = () => lines.filter((line) => JSON.stringify(line).includes('an outbox is large'));
  const sweeps = async (count: number) => {
    const before = sweepsSoFar;
    await eventually(() => sweepsSoFar >= before + count, `${count} sweeps`);
  };
  relay.start();
  await eventually(() => warnings().length === 1, 'a warning');
  await sweeps(10);
  expect(warnings()).toHaveLength(1);
  now += 61_000;
  await eventually(() => warnings().length === 2, 'another warning');
  await relay.close();
  await bus.close();
  await own.close();
});
