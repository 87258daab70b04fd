import { createHmac } from 'node:crypto';
import { collectionOf, byId, defineCollection, insertNew } from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { nameOf, userOf, type Person } from '../domain/facts/person.ts';
import { monthsAfter } from '../domain/facts/retention.ts';

/**
 * The number of each person. The id is a keyed hash of the person. The document `last` has the number that was assigned
 * last.
 */
export const people = defineCollection(
  'people',
  { number: z.int(), keptUntil: z.date().optional() },
  { sharding: byId, indexes: { keptUntil_1: { keys: { keptUntil: 1 }, expireAfterSeconds: 0 } } },
);

/**
 * Assigns numbers to persons, from 1 on. Facts contain only these numbers. Nothing else connects a number with a
 * person.
 */
export interface People {
  /** The numbers of the persons who have one, by `nameOf` the person. */
  find(some: readonly Person[]): Promise<ReadonlyMap<string, number>>;
  /**
   * Gives a number to each person who has none. Returns the numbers of all persons in `some`, by `nameOf` the person.
   */
  add(some: readonly Person[]): Promise<ReadonlyMap<string, number>>;
  /** Deletes the connection between the persons and their numbers. A number is never assigned again. */
  forget(some: readonly Person[]): Promise<void>;
}

const last = 'last';
/** For how many visitors without an account the number is remembered in memory. */
const remembered = 10_000;

/**
 * `secret` is the key of the hashes. Visitors without an account are forgotten after `months` months. Later they get a
 * new number.
 */
export function openPeople(
  { database, now }: Pick<Resources, 'database' | 'now'>,
  { secret, months }: { readonly secret: string; readonly months: number },
): People {
  const collection = collectionOf(database, people);
  const keyOf = (name: string) => createHmac('sha256', secret).update(`person\0${name}`).digest('base64url');

  // Only visitors without an account are remembered. The number of a user could be outdated, because an erasure on
  // another instance deletes it only in the database.
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
      // For these persons another instance was faster. The numbers of that instance are used.
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
