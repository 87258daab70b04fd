import { createHmac } from 'node:crypto';
import { collectionOf, date, byId, defineCollection, insertNew, integer, optional } from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import { LRUCache } from 'lru-cache';
import { nameOf, userOf, type Person } from '../domain/facts/person.ts';
import { monthsAfter } from '../domain/facts/retention.ts';

/** The number of each person. The id is a keyed hash of who it is; `last` has the number that was given last. */
export const people = defineCollection(
  'people',
  { number: integer(), keptUntil: optional(date()) },
  { sharding: byId, indexes: { keptUntil_1: { keys: { keptUntil: 1 }, expireAfterSeconds: 0 } } },
);

/** Which number a person has in facts, from 1 on. Nothing else leads from a number to the person, or back. */
export interface People {
  /** The numbers by the names of those who have one. */
  find(some: readonly Person[]): Promise<ReadonlyMap<string, number>>;
  /** Gives a number to each of them who has none. Returns all their numbers by their names. */
  add(some: readonly Person[]): Promise<ReadonlyMap<string, number>>;
  /** Deletes what leads from them to their numbers. A number is never given again. */
  forget(some: readonly Person[]): Promise<void>;
}

const last = 'last';
/** How many visitors without an account are remembered with their numbers. */
const remembered = 10_000;

/** `secret` keys the hashes. Visitors without an account are forgotten after so many months, and get a new number then. */
export function openPeople(
  { database, now }: Pick<Resources, 'database' | 'now'>,
  { secret, months }: { readonly secret: string; readonly months: number },
): People {
  const collection = collectionOf(database, people);
  const keyOf = (name: string) => createHmac('sha256', secret).update(`person\0${name}`).digest('base64url');

  // Of users it could be wrong: an erasure forgets theirs in the database alone.
  const visitors = new LRUCache<string, number>({ max: remembered });

  function remember(some: readonly Person[], numbers: ReadonlyMap<string, number>): void {
    for (const by of some) {
      const number = numbers.get(nameOf(by));
      if (number !== undefined && userOf(by) === null) visitors.set(nameOf(by), number);
    }
  }

  async function find(some: readonly Person[]): Promise<ReadonlyMap<string, number>> {
    const known = new Map(
      some.map(nameOf).flatMap((name) => {
        const number = visitors.get(name);
        return number === undefined ? [] : [[name, number] as const];
      }),
    );
    const others = some.filter((by) => !known.has(nameOf(by)));
    if (others.length === 0) return known;
    const names = new Map(others.map(nameOf).map((name) => [keyOf(name), name]));
    const stored = await collection.find({ _id: { $in: [...names.keys()] } }).toArray();
    const found = new Map(stored.map(({ _id, number }) => [names.get(_id) ?? '', number]));
    remember(others, found);
    return new Map([...known, ...found]);
  }

  return {
    find,

    async add(some) {
      if (some.length === 0) return new Map();
      const counter = await collection.findOneAndUpdate(
        { _id: last },
        { $inc: { number: some.length } },
        { upsert: true, returnDocument: 'after' },
      );
      const first = (counter?.number ?? 0) - some.length + 1;
      const documents = some.map((by, index) => ({
        _id: keyOf(nameOf(by)),
        number: first + index,
        ...(userOf(by) === null && { keptUntil: monthsAfter(now(), months) }),
      }));
      const isNew = await insertNew(collection, documents);
      const added = some.flatMap((by, index) => (isNew[index] ? [[nameOf(by), first + index] as const] : []));
      // Another instance was faster.
      const others = await find(some.filter((_, index) => !isNew[index]));
      return new Map([...added, ...others]);
    },

    async forget(some) {
      if (some.length === 0) return;
      for (const by of some) visitors.delete(nameOf(by));
      await collection.deleteMany({ _id: { $in: some.map((by) => keyOf(nameOf(by))) } });
    },
  };
}
