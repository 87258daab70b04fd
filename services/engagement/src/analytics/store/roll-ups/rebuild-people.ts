import { isDeepStrictEqual } from 'node:util';
import { collectionOf, inTransaction, type Database, type JobHolders, type Transaction } from '@storefront/mongo';
import mongoose from 'mongoose';
import { spanLengths, spanWith, type SpanLength } from '../../domain/roll-ups/split-interval.ts';
import { noPeople, unionOf, type PeopleChunk } from '../../domain/roll-ups/people.ts';
import { isKeptOfAllTime, spanUnit, type PeopleAddition } from '../../domain/roll-ups/set-units.ts';
import type { DayIndex } from '../../domain/roll-ups/shop-days.ts';
import {
  afterPrefix,
  bytesOf,
  partsOfPeopleId,
  peopleId,
  peoplePrefix,
  rollUpSets,
  setOfPeopleId,
  unitId,
} from './collections.ts';
import { countingJob } from './count-batch.ts';
import { openPeopleOfAllTime } from './people-of-all-time.ts';
import { openStoredSizes, sizesOf } from './people-sizes.ts';

type Chunks = ReadonlyMap<string, PeopleChunk>;

/** Replaces the sets of people of days, and their sizes. */
export function openPeopleRebuild({
  database,
  jobHolders,
}: {
  readonly database: Database;
  readonly jobHolders: Pick<JobHolders, 'fence'>;
}) {
  const collection = collectionOf(database, rollUpSets);
  const sizes = openStoredSizes(database);
  const allTime = openPeopleOfAllTime(database);

  async function read(filter: object, transaction?: Transaction): Promise<Chunks> {
    const options = transaction ? { session: transaction.session } : {};
    const found = await collection.find(filter, options).toArray();
    return new Map(found.map(({ _id, people }) => [_id, bytesOf(people)]));
  }

  async function write(day: DayIndex | null, before: Chunks, after: Chunks, { session }: Transaction): Promise<void> {
    const gone = [...before.keys()].filter((_id) => !after.has(_id)).map((_id) => ({ deleteOne: { filter: { _id } } }));
    const changed = [...after]
      .filter(([_id, people]) => !isSame(before.get(_id), people))
      .map(([_id, people]) => {
        const replacement = { people: new mongoose.mongo.Binary(people), ...(day !== null && { day }) };
        return { replaceOne: { filter: { _id }, replacement, upsert: true } };
      });
    const writes = [...gone, ...changed];
    if (writes.length > 0) await collection.bulkWrite(writes, { session, ordered: false });
  }

  /** Makes the set of a span from the sets of the shorter spans in it. */
  async function unite(of: SetOf, day: DayIndex, length: SpanLength, shorter: SpanLength, transaction: Transaction) {
    const span = spanWith(day, length);
    const unit = spanUnit(span);
    const first = (span.index * length) / shorter;
    const partOf = (index: number) => peoplePrefix(of, spanUnit({ days: shorter, index }));
    const parts = await read({ _id: { $gte: partOf(first), $lt: partOf(first + length / shorter) } }, transaction);
    const after = new Map<string, PeopleChunk>();
    for (const [_id, people] of parts) {
      const { segment, chunk } = partsOfPeopleId(_id);
      const id = peopleId(of, unit, segment, chunk);
      after.set(id, unionOf([people, after.get(id) ?? noPeople]));
    }
    const prefix = peoplePrefix(of, unit);
    await write(null, await read({ _id: { $gte: prefix, $lt: afterPrefix(prefix) } }, transaction), after, transaction);
    const id = unitId(of, unit);
    await sizes.set(id, null, sizesOf(after).get(id) ?? {}, transaction);
  }

  return {
    /**
     * Replaces the sets of the day and its quarters by `made`. The sets of longer spans are made again from their days.
     */
    async replace(day: DayIndex, made: readonly PeopleAddition[]): Promise<void> {
      const after = new Map(
        made.map(({ set, unit, segment, chunk, places }) => [peopleId(set, unit, segment, chunk), unionOf([], places)]),
      );
      const [before, sizesBefore] = await Promise.all([read({ day }), sizes.ofDay(day)]);
      const sizesAfter = sizesOf(after);
      const ofDay = spanUnit(spanWith(day, 1));
      const ids = [...new Set([...before.keys(), ...after.keys()])];
      const bySet = Map.groupBy([...ids, ...sizesBefore.keys()], (id) => JSON.stringify(setOfPeopleId(id)));
      for (const all of bySet.values()) {
        const of = setOfPeopleId(all[0] ?? '');
        const some = all.filter((id) => !sizesBefore.has(id));
        const sizesId = unitId(of, ofDay);
        const size = sizesAfter.get(sizesId) ?? {};
        const isSameSize = isDeepStrictEqual(sizesBefore.get(sizesId) ?? {}, size);
        if (isSameSize && some.every((id) => isSame(before.get(id), after.get(id)))) continue;
        await inTransaction(database, async (transaction) => {
          await jobHolders.fence(countingJob, transaction);
          await write(day, only(before, some), only(after, some), transaction);
          await sizes.set(sizesId, day, size, transaction);
          for (const [at, length] of spanLengths.slice(1).entries())
            await unite(of, day, length, spanLengths[at] ?? 1, transaction);
          // `finish` makes the people of all time again after the last day. Until then reports use the spans.
          if (isKeptOfAllTime(of)) await allTime.forget(of, transaction);
        });
      }
    },

    /** Makes the sets of all time again. */
    async finish(): Promise<void> {
      for await (const set of allTime.sets())
        await inTransaction(database, async (transaction) => {
          await jobHolders.fence(countingJob, transaction);
          await allTime.make(set, transaction);
        });
    },
  };
}

type SetOf = ReturnType<typeof setOfPeopleId>;

function only(chunks: Chunks, ids: readonly string[]): Chunks {
  return new Map(ids.flatMap((id) => (chunks.has(id) ? [[id, chunks.get(id) ?? noPeople] as const] : [])));
}

function isSame(a: PeopleChunk | undefined, b: PeopleChunk | undefined): boolean {
  return a !== undefined && b !== undefined && Buffer.compare(a, b) === 0;
}
