import { changed, defineEvent, deleted, fact, unchanged, type Event } from '@storefront/contracts';
import { freshDatabase } from '@storefront/testing';
import mongoose from 'mongoose';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import {
  byId,
  defineCollection,
  inTransaction,
  openCollections,
  openRepository,
  versioned,
  withEvents,
  type Repository,
} from '../src/index.ts';

interface Note {
  readonly id: string;
  readonly owner: string;
  readonly words: string;
}

interface Ring {
  readonly id: string;
  readonly keys: readonly string[];
  readonly changedAt: Date;
}

const notes = defineCollection('notes', { ...withEvents, owner: z.string(), words: z.string() }, { sharding: byId });
const rings = defineCollection(
  'rings',
  { ...versioned, keys: z.array(z.string()), changedAt: z.date() },
  { sharding: byId },
);
const noted = defineEvent('test.noted', 'Somebody wrote a note.', z.object({ words: z.string() }));
const aFact = (id: string) => fact(noted, id, { words: 'x' });
const at = new Date(5000);

const place = freshDatabase('writes');
let database: mongoose.Connection;
let published: Event[];
let repository: Repository<Note>;
beforeAll(async () => {
  database = await mongoose.createConnection(place.url).asPromise();
  await openCollections(database, [notes, rings]);
  const relay = {
    watch() {},
    publish: (_source: unknown, _id: string, events: readonly Event[]) => void published.push(...events),
    leftTombstone() {},
  };
  repository = openRepository<Note>(notes, { database, relay, now: () => at });
});
beforeEach(async () => {
  published = [];
  await Promise.all([repository.collection.deleteMany({}), ringRepository().collection.deleteMany({})]);
});
afterAll(async () => {
  await database.close();
  await place.drop();
});

const note = (id: string, owner = 'ann'): Note => ({ id, owner, words: 'secret words' });
const stored = () => repository.collection.find().sort({ _id: 1 }).toArray();
const ringRepository = () => openRepository<Ring>(rings, { database });

describe('new documents', () => {
  it('are inserted with their events, which get the sequence that is given', async () => {
    const added = await repository.insertNew([
      { state: note('a'), facts: [aFact('a')], sequence: 7 },
      { state: note('b'), facts: [aFact('b')] },
      { state: note('c'), facts: [] },
    ]);
    expect(added).toEqual(new Set(['a', 'b', 'c']));
    expect(published.map(({ subject, sequence }) => [subject, sequence])).toEqual([
      ['a', 7],
      ['b', 1],
    ]);
    expect(await stored()).toEqual([
      { _id: 'a', version: 1, outbox: [published[0]], owner: 'ann', words: 'secret words' },
      { _id: 'b', version: 1, outbox: [published[1]], owner: 'ann', words: 'secret words' },
      { _id: 'c', version: 1, outbox: [], owner: 'ann', words: 'secret words' },
    ]);
  });

  it('leave those that exist as they are, and their events are not published again', async () => {
    await repository.insertNew([{ state: note('b'), facts: [] }]);
    const again = ['a', 'b', 'c'].map((id) => ({ state: note(id, 'bob'), facts: [aFact(id)] }));
    expect(await repository.insertNew(again)).toEqual(new Set(['a', 'c']));
    expect(await repository.insertNew(again)).toEqual(new Set());
    expect(published.map(({ subject }) => subject)).toEqual(['a', 'c']);
    expect((await stored()).map(({ _id, owner }) => `${_id} ${owner}`)).toEqual(['a bob', 'b ann', 'c bob']);
    expect(await repository.insertNew([])).toEqual(new Set());
  });

  it('fail where it is not known whether they are safe, though some of them are known to be there already', async () => {
    const taken = { message: 'duplicate key', code: 11_000, writeErrors: [{ code: 11_000, index: 1 }] };
    const result = { getWriteConcernError: () => ({ code: 64, errmsg: 'waiting for replication timed out' }) };
    vi.spyOn(mongoose.mongo.Collection.prototype, 'insertMany').mockRejectedValueOnce(
      new mongoose.mongo.MongoBulkWriteError(taken as never, result as never),
    );
    const again = ['a', 'b'].map((id) => ({ state: { id, keys: [], changedAt: at }, facts: [] }));
    await expect(ringRepository().insertNew(again)).rejects.toThrow('duplicate key');
  });

  it('fail where the database refuses one for another reason; the sweep publishes the events of the others', async () => {
    const impossible = note(['b'] as unknown as string);
    const added = [note('a'), impossible].map((state) => ({ state, facts: [aFact('x')] }));
    await expect(repository.insertNew(added)).rejects.toThrow(/array/);
    expect(published).toEqual([]);
    expect(await stored()).toMatchObject([{ _id: 'a', outbox: [{ subject: 'x' }] }]);
  });
});

describe('an erasure', () => {
  it('removes documents at once, and leaves of those with unpublished events nothing but these', async () => {
    await repository.insertNew([
      { state: note('a'), facts: [aFact('a')] },
      { state: note('b'), facts: [] },
      { state: note('c', 'bob'), facts: [] },
    ]);
    await repository.eraseMany({ owner: 'ann' });
    expect(await stored()).toEqual([
      { _id: 'a', version: 2, outbox: [published[0]], deletedAt: at },
      { _id: 'c', version: 1, outbox: [], owner: 'bob', words: 'secret words' },
    ]);
    expect(await repository.load('a')).toBeNull();
  });

  it('empties what was deleted before, while its event is not published', async () => {
    await repository.insertNew([{ state: note('a'), facts: [] }]);
    await repository.change('a', () => deleted([aFact('a')], null));
    expect(JSON.stringify(await stored())).toContain('secret words');
    await repository.eraseMany({ owner: 'ann' });
    expect(JSON.stringify(await stored())).not.toContain('secret words');
    expect(await stored()).toMatchObject([{ _id: 'a', outbox: [{ subject: 'a' }] }]);
  });

  it('makes a change that is under way start again from nothing', async () => {
    await repository.insertNew([{ state: note('a'), facts: [aFact('a')] }]);
    const seen: (Note | null)[] = [];
    await repository.change('a', (current) => {
      seen.push(current);
      return current ? changed({ ...current, words: 'more' }, []) : unchanged(undefined);
    });
    const known = await repository.load('a');
    await repository.eraseMany({ owner: 'ann' });
    await repository.change(
      'a',
      (current) => {
        seen.push(current);
        return current ? changed({ ...current, words: 'brought back' }, [], null) : unchanged(null);
      },
      known,
    );
    expect(seen.map((state) => state?.words ?? null)).toEqual(['secret words', 'more', null]);
    expect(await repository.load('a')).toBeNull();
  });
});

describe('a repository without events', () => {
  const ring = (...keys: string[]): Ring => ({ id: 'ring', keys, changedAt: at });
  const change = (decide: Parameters<Repository<Ring>['change']>[1]) => ringRepository().change('ring', decide);

  it('keeps state and version, and nothing else', async () => {
    expect(await ringRepository().load('ring')).toBeNull();
    await change(() => changed(ring('a'), []));
    expect(await change((current) => changed(ring(...(current?.keys ?? []), 'b'), []))).toMatchObject({ version: 2 });
    await ringRepository().insertNew([{ state: { ...ring('c'), id: 'spare' }, facts: [] }]);
    expect(await ringRepository().collection.find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 'ring', version: 2, keys: ['a', 'b'], changedAt: at },
      { _id: 'spare', version: 1, keys: ['c'], changedAt: at },
    ]);
  });

  it('loses nothing when many change the same document at once', async () => {
    await Promise.all(
      Array.from({ length: 30 }, (_, number) =>
        change((current) => changed(ring(...(current?.keys ?? []), String(number)), [])),
      ),
    );
    expect(new Set((await ringRepository().load('ring'))?.state.keys).size).toBe(30);
  });

  it('deletes documents at once, by decision, in a transaction and by filter', async () => {
    const repository = ringRepository();
    await change(() => changed(ring('a'), []));
    await change(() => deleted([], null));
    expect(await repository.collection.countDocuments()).toBe(0);
    await repository.insertNew([{ state: ring('a'), facts: [] }]);
    await inTransaction(database, (transaction) =>
      repository.changeAll(transaction, ['ring'], () => deleted([], null)),
    );
    expect(await repository.collection.countDocuments()).toBe(0);
    await repository.insertNew([{ state: ring('a'), facts: [] }]);
    await repository.eraseMany({ keys: 'a' });
    expect(await repository.collection.countDocuments()).toBe(0);
  });

  it('does not delete a document that changed meanwhile', async () => {
    await change(() => changed(ring('a'), []));
    const known = await ringRepository().load('ring');
    await change(() => changed(ring('b'), []));
    const { result } = await ringRepository().change(
      'ring',
      (current) => (current?.keys[0] === 'a' ? deleted([], 'deleted') : unchanged('kept')),
      known,
    );
    expect(result).toBe('kept');
    expect((await ringRepository().load('ring'))?.state.keys).toEqual(['b']);
  });

  it('refuses facts, which nobody would publish', async () => {
    await expect(change(() => changed(ring('a'), [aFact('ring')]))).rejects.toThrow('no outbox');
    const inserted = ringRepository().insertNew([{ state: ring('a'), facts: [aFact('ring')] }]);
    await expect(inserted).rejects.toThrow('no outbox');
    expect(await ringRepository().load('ring')).toBeNull();
  });
});

it('a repository with events can not be opened without a relay', () => {
  const open = () => openRepository<Note>(notes as never, { database });
  expect(open).toThrow('notes needs a relay');
});
