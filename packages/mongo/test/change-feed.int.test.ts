import { changed, deleted, type Decision } from '@storefront/contracts';
import { eventually, freshDatabase } from '@storefront/testing';
import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import {
  byId,
  defineCollection,
  FeedLostError,
  noRelay,
  openChangeFeed,
  openCollections,
  openRepository,
  withEvents,
  type ChangedDocument,
  type ChangeFeed,
  type Repository,
} from '../src/index.ts';

interface Book {
  readonly id: string;
  readonly title: string;
}

const books = defineCollection('books', { ...withEvents, title: z.string() }, { sharding: byId });
const places = defineCollection('places', { ...withEvents, title: z.string() }, { sharding: byId });
const place = freshDatabase('change-feed');
const needs = () => ({ database, relay: noRelay, now: () => new Date() });
let database: mongoose.Connection;
let repository: Repository<Book>;

beforeAll(async () => {
  database = await mongoose.createConnection(place.url).asPromise();
  await openCollections(database, [books, places]);
  repository = openRepository<Book>(books, needs());
});
afterAll(async () => {
  await database.close();
  await place.drop();
});

const titled = (id: string, title: string) =>
  repository.change(id, (): Decision<Book, null> => changed({ id, title }, [], null));

/** Everything up to the document with this id. */
async function readUpTo(feed: ChangeFeed, id: string): Promise<ChangedDocument[]> {
  const found: ChangedDocument[] = [];
  await eventually(async () => {
    found.push(...(await feed.read()));
    return found.at(-1)?.id === id;
  }, `the change of ${id}`);
  return found;
}

it('names each changed document of the collections, in order, and not what leaves the version as it is', async () => {
  const feed = openChangeFeed(database, ['books']);
  await titled('before', 'Before the feed');
  expect(await feed.read()).toEqual([]);

  await titled('one', 'One');
  await titled('two', 'Two');
  await titled('one', 'One again');
  await repository.collection.updateOne({ _id: 'two' }, { $pull: { outbox: { id: 'evt_1' } } });
  await repository.collection.updateOne({ _id: 'two' }, { $set: { outbox: [] } });
  await openRepository<Book>(places, needs()).change('place', () => changed({ id: 'place', title: 'Place' }, [], null));
  await repository.change('two', () => deleted([], null));
  await titled('three', 'Three');
  const ids = (await readUpTo(feed, 'three')).map(({ collection, id }) => `${collection} ${id}`);
  // A deletion first leaves a tombstone, which is then deleted.
  expect(ids).toEqual(['books one', 'books two', 'books one', 'books two', 'books two', 'books three']);

  // After a failure it goes on where it was.
  await feed.close();
  await titled('four', 'Four');
  await titled('five', 'Five');
  expect((await readUpTo(feed, 'five')).map(({ id }) => id)).toEqual(['four', 'five']);
  await feed.close();
});

it('says that changes are lost where the database can not tell them any more, and begins anew', async () => {
  const feed = openChangeFeed(database, ['books']);
  await feed.read();
  await database.dropDatabase();
  await openCollections(database, [books]);
  const lost = await eventually(
    () =>
      feed.read().then(
        () => false,
        (error: unknown) => error,
      ),
    'the feed to end with its database',
  );
  // The stream ends once, and can then not be resumed.
  const error = lost instanceof FeedLostError ? lost : await feed.read().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(FeedLostError);
  await feed.read();
  await titled('new', 'New');
  expect((await readUpTo(feed, 'new')).map(({ id }) => id)).toContain('new');
  await feed.close();
});
