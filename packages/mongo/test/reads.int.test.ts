import { changed, defineEvent, deleted, fact, type Position } from '@storefront/contracts';
import { freshDatabase } from '@storefront/testing';
import mongoose from 'mongoose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  collectionOf,
  countByIndex,
  byId,
  defineCollection,
  inTransaction,
  noRelay,
  openCollections,
  openRepository,
  readPage,
  toPage,
  withEvents,
  withId,
  type Order,
  type Repository,
} from '../src/index.ts';

interface Book {
  readonly id: string;
  readonly shelf: string;
  readonly title: string;
  readonly words: readonly string[];
  readonly price: { readonly amount: number };
  readonly addedAt: Date;
}

const books = defineCollection(
  'books',
  {
    ...withEvents,
    shelf: z.string(),
    title: z.string(),
    words: z.array(z.string()),
    price: z.object({ amount: z.int() }),
    addedAt: z.date(),
  },
  { sharding: byId, indexes: { newest: { keys: { shelf: 1, addedAt: -1, _id: -1 } } } },
);
const bookSold = defineEvent('test.book-sold', 'A book was sold.', z.object({}));
const newestFirst = { addedAt: -1, _id: -1 } as const;
const start = { limit: 10, after: undefined };

const place = freshDatabase('reads');
let database: mongoose.Connection;
let repository: Repository<Book>;
beforeAll(async () => {
  database = await mongoose.createConnection(place.url, { monitorCommands: true }).asPromise();
  await openCollections(database, [books]);
  repository = openRepository<Book>(books, { database, relay: noRelay, now: () => new Date() });
});
beforeEach(() => repository.collection.deleteMany({}));
afterAll(async () => {
  await database.close();
  await place.drop();
});

/** A book of the shelf `a`; two and two have the same time, three and three the same price. */
const book = (number: number): Book => ({
  id: `book-${String(number).padStart(2, '0')}`,
  shelf: 'a',
  title: `Title ${number}`,
  words: ['title', String(number)],
  price: { amount: Math.floor(number / 3) },
  addedAt: new Date(1000 * Math.floor(number / 2)),
});
const add = (...added: Book[]) => repository.insertNew(added.map((state) => ({ state, facts: [] })));
const addMany = (count: number) => add(...Array.from({ length: count }, (_, number) => book(number)));

/** A deletion whose event is not published yet. */
const sell = (id: string) => repository.change(id, () => deleted([fact(bookSold, id, {})], null));

/** The ids of a whole list, page by page. */
async function walk(order: Order, limit: number): Promise<string[][]> {
  const pages: string[][] = [];
  let after: Position | undefined;
  do {
    const { items, next } = await repository.page({ filter: { shelf: 'a' }, order, slice: { limit, after } });
    pages.push(items.map(({ state }) => state.id));
    after = next ?? undefined;
  } while (after);
  return pages;
}

describe('a list in pages', () => {
  it.each<[string, Order]>([
    ['newest first', newestFirst],
    ['oldest first', { addedAt: 1, _id: 1 }],
    ['by a field of an object', { 'price.amount': 1, _id: 1 }],
    ['in different directions', { 'price.amount': -1, addedAt: 1, _id: -1 }],
  ])('has every item once and in order, %s', async (_name, order) => {
    await addMany(13);
    await add({ ...book(20), shelf: 'b' });
    const sorted = await repository.find({ shelf: 'a' }, { order });
    for (const limit of [1, 2, 3, 5, 13, 20]) {
      const pages = await walk(order, limit);
      expect(pages.flat()).toEqual(sorted.map(({ state }) => state.id));
      expect(pages.map((ids) => ids.length)).toEqual(
        Array.from({ length: Math.ceil(13 / limit) }, (_, index) => Math.min(limit, 13 - limit * index)),
      );
    }
  });

  it('has no next position where the last page is full, or there is nothing', async () => {
    expect(await repository.page({ order: newestFirst, slice: start })).toEqual({ items: [], next: null });
    await addMany(2);
    const full = await repository.page({ order: newestFirst, slice: { limit: 2, after: undefined } });
    expect(full.next).toBeNull();
  });

  it('goes on after the position although its item is gone', async () => {
    await addMany(4);
    const first = await repository.page({ order: newestFirst, slice: { limit: 2, after: undefined } });
    expect(first.next).toEqual([new Date(1000), 'book-02']);
    await sell('book-02');
    await add(book(9));
    const second = await repository.page({ order: newestFirst, slice: { limit: 2, after: first.next ?? undefined } });
    expect(second.items.map(({ state }) => state.id)).toEqual(['book-01', 'book-00']);
  });

  it('takes a filter with alternatives of its own, and leaves deleted documents out', async () => {
    await addMany(6);
    await sell('book-03');
    const filter = {
      $or: [{ title: 'Title 1' }, { title: 'Title 3' }, { title: 'Title 5' }],
      addedAt: { $lt: new Date(9000) },
    };
    const after = [new Date(2000), 'book-05'];
    const { items } = await repository.page({ filter, order: newestFirst, slice: { limit: 5, after } });
    expect(items.map(({ state }) => state.id)).toEqual(['book-01']);
  });

  it('is read by the index that is named, from the position on', async () => {
    await addMany(40);
    const commands: any[] = [];
    const listen = ({ command }: { command: any }) => void (command.find && commands.push(command));
    database.getClient().on('commandStarted', listen);
    const slice = { limit: 2, after: [new Date(5000), 'book-10'] };
    await repository.page({ filter: { shelf: 'a' }, order: newestFirst, slice, hint: 'newest' });
    database.getClient().off('commandStarted', listen);
    const { filter, sort, hint, limit } = commands[0];
    expect({ hint, limit }).toEqual({ hint: 'newest', limit: 3 });
    const plan = await repository.collection.find(filter, { hint }).sort(sort).limit(limit).explain('executionStats');
    expect(plan['executionStats'].totalKeysExamined).toBeLessThanOrEqual(5);
  });

  it('reads only the fields that are named, and what the position needs', async () => {
    await addMany(2);
    const order = { 'price.amount': 1, addedAt: -1, _id: -1 } as const;
    const slice = { limit: 1, after: undefined };
    const named = await repository.page({ order, slice, fields: ['title', 'price'] });
    expect(named).toEqual({
      items: [{ state: { id: 'book-01', title: 'Title 1', price: { amount: 0 }, addedAt: new Date(0) }, version: 1 }],
      next: [0, new Date(0), 'book-01'],
    });
    const without = await repository.page({ order, slice, without: ['words', 'title', 'shelf'] });
    expect(without).toEqual({
      ...named,
      items: [{ state: { id: 'book-01', price: { amount: 0 }, addedAt: new Date(0) }, version: 1 }],
    });
  });

  it('can not be ordered by a field that has no value', async () => {
    await addMany(2);
    const slice = { limit: 1, after: undefined };
    await expect(repository.page({ order: { soldAt: 1, _id: 1 }, slice })).rejects.toThrow('no value: soldAt');
  });

  it('may be put together from several reads', () => {
    const items = [book(4), book(3), book(1)];
    expect(toPage(items, { order: newestFirst, limit: 2 })).toEqual({
      items: [book(4), book(3)],
      next: [new Date(1000), 'book-03'],
    });
    expect(toPage(items, { order: newestFirst, limit: 3 })).toEqual({ items, next: null });
  });

  it('may be of a collection without a repository', async () => {
    const notes = collectionOf<{ _id: string; n: number }>(database, 'notes');
    await notes.insertMany([1, 2, 3].map((n) => ({ _id: `note-${n}`, n })));
    const slice = { limit: 2, after: [3] };
    const filter = { n: { $gt: 1 } };
    expect(await readPage(notes, { filter, order: { n: -1 }, slice }, withId)).toEqual({
      items: [{ id: 'note-2', n: 2 }],
      next: null,
    });
  });
});

describe('a search', () => {
  it('finds living documents only, with id and version', async () => {
    await addMany(3);
    await repository.change('book-01', (current) => changed({ ...(current ?? book(1)), shelf: 'b' }, []));
    await sell('book-02');
    expect(await repository.find({}, { order: { _id: 1 } })).toEqual([
      { state: book(0), version: 1 },
      { state: { ...book(1), shelf: 'b' }, version: 2 },
    ]);
    expect(await repository.find({ shelf: 'a' }, { fields: ['title'] })).toEqual([
      { state: { id: 'book-00', title: 'Title 0' }, version: 1 },
    ]);
    expect(await repository.find({}, { order: { _id: -1 }, limit: 1, without: ['words'] })).toMatchObject([
      { state: { id: 'book-01', title: 'Title 1' } },
    ]);
    expect(await repository.findOne({ 'price.amount': 0, shelf: 'b' })).toMatchObject({ state: { id: 'book-01' } });
    expect(await repository.findOne({ _id: 'book-02' })).toBeNull();
    expect(await repository.findOne({ _id: 'book-00' }, { fields: ['shelf'] })).toEqual({
      state: { id: 'book-00', shelf: 'a' },
      version: 1,
    });
  });

  it('counts living documents, or keys of an index with the deleted ones', async () => {
    await addMany(5);
    await sell('book-02');
    expect(await repository.count({ shelf: 'a' })).toBe(4);
    expect(await repository.count({ shelf: 'a' }, { limit: 3, hint: 'newest' })).toBe(3);
    const options = { filter: { shelf: 'a' }, hint: 'newest' };
    expect(await countByIndex(database, 'books', { ...options, limit: 100 })).toBe(5);
    expect(await countByIndex(database, 'books', { ...options, limit: 2 })).toBe(2);
  });

  it('sees the snapshot of its transaction', async () => {
    await addMany(1);
    const seen = await inTransaction(database, async (transaction) => {
      const before = await repository.load('book-00', transaction);
      await addMany(3);
      await repository.change('book-00', (current) => changed({ ...(current ?? book(0)), shelf: 'b' }, []));
      return {
        before: before?.version,
        after: (await repository.load('book-00', transaction))?.version,
        found: (await repository.find({}, { transaction })).length,
        one: await repository.findOne({ _id: 'book-01' }, { transaction }),
        page: (await repository.page({ order: newestFirst, slice: start, transaction })).items.length,
        counted: await repository.count({}, { transaction }),
        outside: await repository.count({}),
      };
    });
    expect(seen).toEqual({ before: 1, after: 1, found: 1, one: null, page: 1, counted: 1, outside: 3 });
  });
});
