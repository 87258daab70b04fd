import { collectionOf, type Database, type DocumentOf, type Transaction } from '@storefront/mongo';
import mongoose from 'mongoose';
import { segments, type Segment } from '../../domain/facts/fact.ts';
import type { PeopleSet } from '../../domain/facts/count.ts';
import { spanLengths } from '../../domain/roll-ups/split-interval.ts';
import { createUnionCount, holdsAll, noPeople, unionOf, type PeopleChunk } from '../../domain/roll-ups/people.ts';
import type { PeopleSizes } from '../../domain/roll-ups/roll-ups.ts';
import {
  isKeptOfAllTime,
  keptOfAllTime,
  ofAllTime,
  type PeopleAddition,
  type Unit,
} from '../../domain/roll-ups/set-units.ts';
import type { DayIndex } from '../../domain/roll-ups/shop-days.ts';
import {
  afterPrefix,
  bytesOf,
  partsOfPeopleId,
  peopleId,
  rollUpSets,
  rollUpSizes,
  setOfPeopleId,
  setPrefix,
  unitId,
  unitsPrefix,
} from './collections.ts';
import { sizesIn } from './people-sizes.ts';

/** How many different people have been in a set so far, over all time. */
export interface AllTime {
  readonly sizes: PeopleSizes;
  /** The number of people in all segments together, each counted once. */
  readonly together: number;
  /** The first and the last day on which anybody was added to the set. */
  readonly first: DayIndex;
  readonly last: DayIndex;
}

type Session = Pick<Transaction, 'session'>;

/**
 * Keeps the people of all time, for the sets that `isKeptOfAllTime` names. During a rebuild they may be missing; the
 * spans then have the same people. They are written in the same transaction as the people of spans.
 */
export interface PeopleOfAllTime {
  /** The sizes that are stored, by unit id. Sets without stored people are left out. */
  find(sets: readonly PeopleSet[]): Promise<ReadonlyMap<string, AllTime>>;
  /**
   * Adds people. Must be called after the people were added to the spans. Where a set is not stored for all time yet,
   * it is made from the spans.
   */
  add(additions: readonly PeopleAddition[], transaction: Session): Promise<void>;
  /** Makes the people of all time of the set from its spans. */
  make(set: PeopleSet, transaction: Session): Promise<void>;
  forget(set: PeopleSet, transaction: Session): Promise<void>;
  /** Every set that has people and is kept for all time. */
  sets(): AsyncIterable<PeopleSet>;
}

const day = spanLengths[0];
const longest = spanLengths[3];

export function openPeopleOfAllTime(database: Database): PeopleOfAllTime {
  const people = collectionOf(database, rollUpSets);
  const sizes = collectionOf(database, rollUpSizes);
  const sizeOfUnion = createUnionCount();

  async function find(sets: readonly PeopleSet[], options: Partial<Session> = {}) {
    const ids = sets.filter(isKeptOfAllTime).map((set) => unitId(set, ofAllTime));
    if (ids.length === 0) return new Map<string, AllTime>();
    const found = await sizes.find({ _id: { $in: ids } }, options).toArray();
    return new Map(found.map((each) => [each._id, allTimeIn(each)]));
  }

  async function dayOfPeople(set: PeopleSet, order: 1 | -1, { session }: Session): Promise<DayIndex | null> {
    const [found] = await people
      .find(inUnits(set, day), { session, projection: { day: 1 } })
      .sort({ _id: order })
      .limit(1)
      .toArray();
    return found?.day ?? null;
  }

  async function forget(set: PeopleSet, { session }: Session): Promise<void> {
    await people.deleteMany(inUnits(set, ofAllTime.length), { session });
    await sizes.deleteOne({ _id: unitId(set, ofAllTime) }, { session });
  }

  async function make(set: PeopleSet, transaction: Session): Promise<void> {
    const { session } = transaction;
    await forget(set, transaction);
    const first = await dayOfPeople(set, 1, transaction);
    const last = await dayOfPeople(set, -1, transaction);
    if (first === null || last === null) return;
    const chunks = new Map<number, Chunk>();
    for await (const { _id, people: some } of people.find(inUnits(set, longest), { session })) {
      const { chunk, segment } = partsOfPeopleId(_id);
      const united = chunks.get(chunk) ?? {};
      united[segment] = unionOf([united[segment] ?? noPeople, bytesOf(some)]);
      chunks.set(chunk, united);
    }
    const changes = [...chunks].map(([chunk, after]): Change => ({ chunk, before: {}, after }));
    await people.insertMany(
      changes.flatMap((change) => changedIn(set, change)),
      { session },
    );
    const all = sumOf(changes.map(growthOf));
    await sizes.insertOne({ _id: unitId(set, ofAllTime), ...all, first, last }, { session });
  }

  async function addTo(set: PeopleSet, additions: readonly PeopleAddition[], { session }: Session): Promise<void> {
    const ofDays = additions.flatMap((each) => (each.day === null ? [] : [each.day]));
    const byChunk = Map.groupBy(additions, ({ chunk }) => chunk);
    const ids = [...byChunk.keys()].flatMap((chunk) =>
      segments.map((segment) => peopleId(set, ofAllTime, segment, chunk)),
    );
    const found = await people.find({ _id: { $in: ids } }, { session }).toArray();
    const stored = new Map(found.map(({ _id, people: some }) => [_id, bytesOf(some)]));
    const changes = [...byChunk].map(([chunk, some]): Change => {
      const before: Chunk = {};
      for (const segment of segments)
        before[segment] = stored.get(peopleId(set, ofAllTime, segment, chunk)) ?? noPeople;
      const after = { ...before };
      for (const { segment, places } of some) {
        const present = after[segment] ?? noPeople;
        if (!holdsAll(present, places)) after[segment] = unionOf([present], places);
      }
      return { chunk, before, after };
    });
    const writes = changes.flatMap((change) =>
      changedIn(set, change).map(({ _id, ...replacement }) => ({
        replaceOne: { filter: { _id }, replacement, upsert: true },
      })),
    );
    if (writes.length > 0) await people.bulkWrite(writes, { session, ordered: false });
    await sizes.updateOne(
      { _id: unitId(set, ofAllTime) },
      {
        $inc: sumOf(changes.map(growthOf)),
        $min: { first: Math.min(...ofDays) },
        $max: { last: Math.max(...ofDays) },
      },
      { session },
    );
  }

  /** By how many people a chunk has grown. */
  function growthOf({ before, after }: Change): Growth {
    const grown = segments.flatMap((segment): [Segment, number][] => {
      if (after[segment] === before[segment]) return [];
      const by = sizeOfUnion([after[segment] ?? noPeople]) - sizeOfUnion([before[segment] ?? noPeople]);
      return by > 0 ? [[segment, by]] : [];
    });
    const together = sizeOfUnion(Object.values(after)) - sizeOfUnion(Object.values(before));
    return { ...Object.fromEntries(grown), together };
  }

  return {
    find: (sets) => find(sets),
    make,
    forget,

    async add(additions, transaction) {
      // Only additions to single days are used, because the longer spans get the same people.
      const ofDays = additions.filter(({ set, unit }) => isKeptOfAllTime(set) && unit.length === day);
      const bySet = Map.groupBy(ofDays, ({ set }) => unitId(set, ofAllTime));
      const sets = [...bySet.values()].flatMap(([first]) => first?.set ?? []);
      const known = await find(sets, transaction);
      for (const set of sets) {
        const id = unitId(set, ofAllTime);
        if (known.has(id)) await addTo(set, bySet.get(id) ?? [], transaction);
        else await make(set, transaction);
      }
    },

    async *sets() {
      for (const family of keptOfAllTime) {
        let after = `${family} `;
        for (;;) {
          const filter = { _id: { $gt: after, $lt: afterPrefix(`${family} `) } };
          const [next] = await people
            .find(filter, { projection: { _id: 1 } })
            .sort({ _id: 1 })
            .limit(1)
            .toArray();
          if (!next) break;
          const set = setOfPeopleId(next._id);
          yield set;
          after = afterPrefix(setPrefix(set));
        }
      }
    },
  };
}

/** People by segment whose numbers are in one chunk. */
type Chunk = Partial<Record<Segment, PeopleChunk>>;

interface Change {
  readonly chunk: number;
  readonly before: Chunk;
  readonly after: Chunk;
}

type Growth = PeopleSizes & { readonly together: number };

function sumOf(growths: readonly Growth[]): Growth {
  const sum: Partial<Record<Segment, number>> & { together: number } = { together: 0 };
  for (const growth of growths)
    for (const name of [...segments, 'together'] as const)
      if (growth[name]) sum[name] = (sum[name] ?? 0) + growth[name];
  return sum;
}

function inUnits(set: PeopleSet, length: Unit['length']) {
  const prefix = unitsPrefix(set, length);
  return { _id: { $gte: prefix, $lt: afterPrefix(prefix) } };
}

/** The documents of the segments that got more people. */
function changedIn(set: PeopleSet, { chunk, before, after }: Change) {
  return segments.flatMap((segment) => {
    const people = after[segment];
    if (people === undefined || people === before[segment]) return [];
    return [{ _id: peopleId(set, ofAllTime, segment, chunk), people: new mongoose.mongo.Binary(people) }];
  });
}

function allTimeIn(document: DocumentOf<typeof rollUpSizes>): AllTime {
  const { together = 0, first = 0, last = 0 } = document;
  return { sizes: sizesIn(document), together, first, last };
}
