import type { Collection, DocumentOf, Transaction } from '@storefront/mongo';
import mongoose from 'mongoose';
import type { Segment } from '../../domain/facts/fact.ts';
import { holdsAll, noPeople, sizeOf, unionOf } from '../../domain/roll-ups/people.ts';
import type { PeopleAddition } from '../../domain/roll-ups/set-units.ts';
import { bytesOf, peopleId, unitId, type rollUpSets } from './collections.ts';
import type { PeopleOfAllTime } from './people-of-all-time.ts';
import type { Growth, StoredSizes } from './people-sizes.ts';

export type PeopleDocument = DocumentOf<typeof rollUpSets>;

/** How many documents are read at a time. Each has at most 128 KiB. */
const atOnce = 100;

/**
 * Adds people to sets, and updates the sizes of the sets. Only the holder of the counting job may call this function,
 * because two callers at once would overwrite each other's changes.
 */
export async function addPeople(
  {
    people: collection,
    sizes,
    allTime,
  }: {
    readonly people: Collection<PeopleDocument>;
    readonly sizes: StoredSizes;
    readonly allTime: Pick<PeopleOfAllTime, 'add'>;
  },
  additions: readonly PeopleAddition[],
  transaction: Pick<Transaction, 'session'>,
): Promise<void> {
  const { session } = transaction;
  const byId = new Map(
    additions.map((each) => [peopleId(each.set, each.unit, each.segment, each.chunk), each] as const),
  );
  const growths = collectGrowths();
  const all = [...byId];
  for (let from = 0; from < all.length; from += atOnce) {
    const part = all.slice(from, from + atOnce);
    const found = await collection.find({ _id: { $in: part.map(([_id]) => _id) } }, { session }).toArray();
    const before = new Map(found.map(({ _id, people }) => [_id, bytesOf(people)]));
    const writes = part.flatMap(([_id, addition]) => {
      const chunk = before.get(_id) ?? noPeople;
      const { places, day } = addition;
      if (holdsAll(chunk, places)) return [];
      const united = unionOf([chunk], places);
      growths.add(addition, sizeOf(united) - sizeOf(chunk));
      const people = new mongoose.mongo.Binary(united);
      return [
        { updateOne: { filter: { _id }, update: { $set: { people, ...(day !== null && { day }) } }, upsert: true } },
      ];
    });
    if (writes.length > 0) await collection.bulkWrite(writes, { session, ordered: false });
  }
  await sizes.add(growths.all(), transaction);
  await allTime.add(additions, transaction);
}

/**
 * Collects how much the sets of spans of days grow. The sizes of quarters of an hour are not stored, so they are left
 * out.
 */
function collectGrowths() {
  const found = new Map<string, Growth & { readonly grown: Partial<Record<Segment, number>> }>();
  return {
    add({ set, unit, day, segment }: PeopleAddition, by: number): void {
      if (unit.length === 'quarter') return;
      const id = unitId(set, unit);
      let growth = found.get(id);
      if (!growth) found.set(id, (growth = { set, unit, day, grown: {} }));
      growth.grown[segment] = (growth.grown[segment] ?? 0) + by;
    },
    all: (): readonly Growth[] => [...found.values()],
  };
}
