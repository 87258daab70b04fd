import { collectionOf, type Database, type DocumentOf, type Transaction } from '@storefront/mongo';
import { segments, type Segment } from '../../domain/facts/fact.ts';
import type { PeopleSet } from '../../domain/facts/count.ts';
import { sizeOf, type PeopleChunk } from '../../domain/roll-ups/people.ts';
import type { PeopleSizes } from '../../domain/roll-ups/roll-ups.ts';
import type { Unit } from '../../domain/roll-ups/set-units.ts';
import type { DayIndex } from '../../domain/roll-ups/shop-days.ts';
import { partsOfPeopleId, rollUpSizes, unitId, unitIdOf } from './collections.ts';

/** How many people were added to a set, by segment, in one span of days. */
export interface Growth {
  readonly set: PeopleSet;
  readonly unit: Unit;
  /** Set for a single day, otherwise null. */
  readonly day: DayIndex | null;
  readonly grown: Partial<Record<Segment, number>>;
}

/** How many people are in each set. The sizes are written in the same transaction as the people. */
export interface StoredSizes {
  /** The sizes with these ids. A span without people is left out. */
  find(ids: readonly string[]): Promise<ReadonlyMap<string, PeopleSizes>>;
  /** The sizes of every set on the day, by id. */
  ofDay(day: DayIndex): Promise<ReadonlyMap<string, PeopleSizes>>;
  add(growths: readonly Growth[], transaction: Pick<Transaction, 'session'>): Promise<void>;
  /** Replaces the sizes of a span. Deletes them where `sizes` is empty. */
  set(id: string, day: DayIndex | null, sizes: PeopleSizes, transaction: Pick<Transaction, 'session'>): Promise<void>;
}

export function openStoredSizes(database: Database): StoredSizes {
  const collection = collectionOf(database, rollUpSizes);

  return {
    async find(ids) {
      if (ids.length === 0) return new Map<string, PeopleSizes>();
      const found = await collection.find({ _id: { $in: [...ids] } }).toArray();
      return new Map(found.map((each) => [each._id, sizesIn(each)]));
    },

    async ofDay(day) {
      const found = await collection.find({ day }).toArray();
      return new Map(found.map((each) => [each._id, sizesIn(each)]));
    },

    async add(growths, { session }) {
      const writes = growths.map(({ set, unit, day, grown }) => ({
        updateOne: {
          filter: { _id: unitId(set, unit) },
          update: { $inc: grown, ...(day !== null && { $setOnInsert: { day } }) },
          upsert: true,
        },
      }));
      if (writes.length > 0) await collection.bulkWrite(writes, { session, ordered: false });
    },

    async set(_id, day, sizes, { session }) {
      const replacement = { ...sizes, ...(day !== null && { day }) };
      if (Object.keys(sizes).length === 0) await collection.deleteOne({ _id }, { session });
      else await collection.replaceOne({ _id }, replacement, { session, upsert: true });
    },
  };
}

/** The number of people in each segment of the document. Segments without people are left out. */
export function sizesIn(document: DocumentOf<typeof rollUpSizes>): PeopleSizes {
  return Object.fromEntries(segments.flatMap((each) => (document[each] ? [[each, document[each]]] : [])));
}

/** The number of people in the chunks, by unit id. */
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
