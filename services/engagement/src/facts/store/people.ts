import { createHmac } from 'node:crypto';
import { collectionOf, date, defineCollection, insertNew, integer, optional } from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import { nameOf, userOf } from '../domain/person.ts';
import type { Somebody } from '../domain/person.ts';
import { monthsAfter } from '../domain/retention.ts';

/** The number of each person. The id is a keyed hash of who it is; `last` has the number that was given last. */
export const people = defineCollection(
  'people',
  { number: integer(), keptUntil: optional(date()) },
  { indexes: { keptUntil_1: { keys: { keptUntil: 1 }, expireAfterSeconds: 0 } } },
);

/** Which number a person has in facts, from 1 on. Nothing else leads from a number to the person, or back. */
export interface People {
  /** The numbers by the names of those who have one. */
  find(some: readonly Somebody[]): Promise<ReadonlyMap<string, number>>;
  /** Gives a number to each of them who has none. Returns all their numbers by their names. */
  add(some: readonly Somebody[]): Promise<ReadonlyMap<string, number>>;
  /** Forgets who has their numbers. A number is never given again. */
  forget(some: readonly Somebody[]): Promise<void>;
}

const last = 'last';

/** `secret` keys the hashes. Visitors without an account are forgotten after so many months, and are somebody else then. */
export function openPeople(
  { database, now }: Pick<Resources, 'database' | 'now'>,
  { secret, months }: { readonly secret: string; readonly months: number },
): People {
  const collection = collectionOf(database, people);
  const keyOf = (name: string) => createHmac('sha256', secret).update(`person\0${name}`).digest('base64url');

  async function find(some: readonly Somebody[]): Promise<ReadonlyMap<string, number>> {
    if (some.length === 0) return new Map();
    const names = new Map(some.map(nameOf).map((name) => [keyOf(name), name]));
    const found = await collection.find({ _id: { $in: [...names.keys()] } }).toArray();
    return new Map(found.map(({ _id, number }) => [names.get(_id) ?? '', number]));
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
      await collection.deleteMany({ _id: { $in: some.map((by) => keyOf(nameOf(by))) } });
    },
  };
}
