import { isDeepStrictEqual } from 'node:util';
import { collectionOf, inTransaction } from '@storefront/mongo';
import type { Database, JobHolders } from '@storefront/mongo';
import { families } from '../../facts/domain/count.ts';
import type { Family } from '../../facts/domain/count.ts';
import { segments } from '../../facts/domain/fact.ts';
import { differenceOf, totalOf } from '../domain/cells.ts';
import type { DayCell, Sums } from '../domain/cells.ts';
import { spanWith } from '../domain/cover.ts';
import type { DayIndex } from '../domain/shop-days.ts';
import { afterPrefix, cellId, cellPrefix, firstCellPrefix, partsOfCellId, rollUpCells } from './collections.ts';
import type { CellDocument } from './collections.ts';
import { countingJob } from './count-batch.ts';
import { incrementCells, incrementsOf, sumsOfSpans } from './write-cells.ts';

/** A cell that is to become another one. */
interface Change {
  readonly to: DayCell;
  /** What the spans with the day get. */
  readonly difference: Sums;
}

const atOnce = 200;
const allFamilies = Object.keys(families) as Family[];

/** Replaces the sums of days. */
export function openCellRebuild({
  database,
  jobHolders,
}: {
  readonly database: Database;
  readonly jobHolders: Pick<JobHolders, 'fence'>;
}) {
  const collection = collectionOf(database, rollUpCells);

  async function changesOf(day: DayIndex, made: readonly DayCell[]): Promise<Change[]> {
    const $or = allFamilies.map((family) => {
      const prefix = cellPrefix(family, spanWith(day, 1));
      return { _id: { $gte: prefix, $lt: afterPrefix(prefix) } };
    });
    const before = new Map((await collection.find({ $or }).toArray()).map((cell) => [cell._id, cell]));
    const after = new Map(made.map((cell) => [cellId(cell, spanWith(day, 1)), cell]));
    for (const _id of before.keys())
      if (!after.has(_id)) after.set(_id, { ...partsOfCellId(_id), day, sums: {}, quarters: new Map() });
    return [...after].flatMap(([_id, to]) => {
      const found = before.get(_id);
      if (found && isDeepStrictEqual(contentOf(documentOf(_id, to)), contentOf(found))) return [];
      return [{ to, difference: differenceOf(to.sums, found ? sumsOf(found) : {}) }];
    });
  }

  async function write(changes: readonly Change[]): Promise<void> {
    await inTransaction(database, async (transaction) => {
      const { session } = transaction;
      await jobHolders.fence(countingJob, transaction);
      const writes = changes.map(({ to }) => {
        const _id = cellId(to, spanWith(to.day, 1));
        if (Object.keys(to.sums).length === 0 && to.quarters.size === 0) return { deleteOne: { filter: { _id } } };
        return { replaceOne: { filter: { _id }, replacement: documentOf(_id, to), upsert: true } };
      });
      await collection.bulkWrite(writes, { session, ordered: false });
      const ofSpans = sumsOfSpans(changes.map(({ to, difference }) => ({ ...to, sums: difference })));
      const increments = new Map([...ofSpans].map(([_id, sums]) => [_id, incrementsOf(sums)]));
      await incrementCells(collection, increments, transaction);
    });
  }

  return {
    /** The last day that has sums. */
    async lastDay(): Promise<DayIndex | null> {
      const found = await Promise.all(
        allFamilies.map((family) => {
          const prefix = firstCellPrefix(family, 1);
          const ofDays = { _id: { $gte: prefix, $lt: afterPrefix(prefix) } };
          return collection
            .find(ofDays, { projection: { _id: 1 } })
            .sort({ _id: -1 })
            .limit(1)
            .toArray();
        }),
      );
      const days = found.flat().map(({ _id }) => partsOfCellId(_id).index);
      return days.length > 0 ? Math.max(...days) : null;
    },

    /** Makes the sums of the day these, and changes those of the spans by the difference. */
    async replace(day: DayIndex, made: readonly DayCell[]): Promise<void> {
      const changes = await changesOf(day, made);
      for (let from = 0; from < changes.length; from += atOnce) await write(changes.slice(from, from + atOnce));
    },
  };
}

function sumsOf(cell: CellDocument): Sums {
  return totalOf([
    Object.fromEntries(segments.flatMap((segment) => (cell[segment] ? [[segment, cell[segment]]] : []))),
  ]);
}

function documentOf(_id: string, { sums, quarters }: DayCell): CellDocument {
  const q = Object.fromEntries([...quarters].map(([quarter, each]) => [String(quarter), each]));
  return { _id, ...sums, ...(quarters.size > 0 && { q }) };
}

/** Without sums of 0 and errors of floating point, which differ by the order of adding. */
function contentOf(cell: CellDocument): unknown {
  const quarters = Object.entries(cell.q ?? {}).map(([quarter, sums]) => [quarter, totalOf([sums])] as const);
  return {
    sums: sumsOf(cell),
    quarters: Object.fromEntries(quarters.filter(([, sums]) => Object.keys(sums).length > 0)),
  };
}
