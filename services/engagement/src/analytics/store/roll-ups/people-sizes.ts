import { collectionOf, type Database, type DocumentOf, type Transaction } from '@storefront/mongo';
import { segments, type Segment } from '../../domain/facts/fact.ts';
import type { PeopleSet } from '../../domain/facts/count.ts';
import { sizeOf, type PeopleChunk } from '../../domain/roll-ups/people.ts';
import type { PeopleSizes } from '../../domain/roll-ups/roll-ups.ts';
import type { Unit } from '../../domain/roll-ups/set-units.ts';
import type { DayIndex } from '../../domain/roll-ups/shop-days.ts';
import { afterPrefix, bytesOf, partsOfPeopleId, rollUpSets, rollUpSizes, unitId, unitIdOf } from './collections.ts';

/** How many people have come into a set, in the segments of a span of days. */
export interface Growth {
  readonly set: PeopleSet;
  readonly unit: Unit;
  /** Of a single day. */
  readonly day: DayIndex | null;
  readonly grown: Partial<Record<Segment, number>>;
}

/** Only who alone writes the people of sets writes how many they are, in the same transaction. */
export interface StoredSizes {
  /** Those of spans that have them, by their ids. */
  find(ids: readonly string[]): Promise<ReadonlyMap<string, PeopleSizes>>;
  /** Those of every set on the day, by their ids. */
  ofDay(day: DayIndex): Promise<ReadonlyMap<string, PeopleSizes>>;
  /** To be called once the people are written. A span that has no sizes yet gets those of all its people. */
  add(growths: readonly Growth[], transaction: Pick<Transaction, 'session'>): Promise<void>;
  /** Makes the sizes of a span these; none where nobody is in it. */
  set(id: string, day: DayIndex | null, sizes: PeopleSizes, transaction: Pick<Transaction, 'session'>): Promise<void>;
}

/** So many spans are looked at by one command. */
const atOnce = 200;

export function openStoredSizes(database: Database): StoredSizes {
  const collection = collectionOf(database, rollUpSizes);
  const people = collectionOf(database, rollUpSets);

  async function find(ids: readonly string[], options: { session?: Transaction['session'] } = {}) {
    if (ids.length === 0) return new Map<string, PeopleSizes>();
    const found = await collection.find({ _id: { $in: [...ids] } }, options).toArray();
    return new Map(found.map((each) => [each._id, sizesIn(each)]));
  }

  /** What the people of the spans come to, by the ids of the spans. */
  async function countAnew(ids: readonly string[], { session }: Pick<Transaction, 'session'>) {
    const counted = new Map<string, PeopleSizes>(ids.map((id) => [id, {}]));
    for (let from = 0; from < ids.length; from += atOnce) {
      const $or = ids.slice(from, from + atOnce).map((id) => ({ _id: { $gte: `${id} `, $lt: afterPrefix(`${id} `) } }));
      const found = await people.find({ $or }, { session }).toArray();
      for (const [id, sizes] of sizesOf(found.map((chunk) => [chunk._id, bytesOf(chunk.people)])))
        counted.set(id, sizes);
    }
    return counted;
  }

  return {
    find: (ids) => find(ids),

    async ofDay(day) {
      const found = await collection.find({ day }).toArray();
      return new Map(found.map((each) => [each._id, sizesIn(each)]));
    },

    async add(growths, transaction) {
      const byId = new Map(growths.map((each) => [unitId(each.set, each.unit), each]));
      const known = await find([...byId.keys()], { session: transaction.session });
      const counted = await countAnew(
        [...byId.keys()].filter((id) => !known.has(id)),
        transaction,
      );
      const writes = [...byId].map(([_id, { day, grown }]) => {
        const sizes = counted.get(_id);
        return sizes
          ? { insertOne: { document: { _id, ...sizes, ...(day !== null && { day }) } } }
          : { updateOne: { filter: { _id }, update: { $inc: grown } } };
      });
      const { session } = transaction;
      if (writes.length > 0) await collection.bulkWrite(writes, { session, ordered: false });
    },

    async set(_id, day, sizes, { session }) {
      const replacement = { ...sizes, ...(day !== null && { day }) };
      if (Object.keys(sizes).length === 0) await collection.deleteOne({ _id }, { session });
      else await collection.replaceOne({ _id }, replacement, { session, upsert: true });
    },
  };
}

/** How many people are in each segment, as the document says; it names none that has nobody. */
export function sizesIn(document: DocumentOf<typeof rollUpSizes>): PeopleSizes {
  return Object.fromEntries(segments.flatMap((each) => (document[each] ? [[each, document[each]]] : [])));
}

/** How many people are in the chunks, by the ids of their units. */
export function sizesOf(chunks: Iterable<readonly [string, PeopleChunk]>): ReadonlyMap<string, PeopleSizes> {
  const found = new Map<string, Partial<Record<Segment, number>>>();
  for (const [id, people] of chunks) {
    const unit = unitIdOf(id);
    const sizes = found.get(unit) ?? {};
    const { segment } = partsOfPeopleId(id);
    sizes[segment] = (sizes[segment] ?? 0) + sizeOf(people);
    found.set(unit, sizes);
  }
  return found;
}
