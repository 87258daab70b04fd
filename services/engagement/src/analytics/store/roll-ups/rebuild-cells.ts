import { isDeepStrictEqual } from 'node:util';
import { collectionOf, inTransaction, type Database, type JobHolders } from '@storefront/mongo';
import { families, type Family } from '../../domain/facts/count.ts';
import { differenceOf, emptyCell, type CellContent, type DayCell, type Sums } from '../../domain/roll-ups/cells.ts';
import { spanWith } from '../../domain/roll-ups/split-interval.ts';
import type { DayIndex } from '../../domain/roll-ups/shop-days.ts';
import { afterPrefix, cellId, cellPrefix, firstCellPrefix, partsOfCellId, rollUpCells } from './collections.ts';
import { countingJob } from './count-batch.ts';
import { sumsOfSpans, type StoredCells } from './stored-cells.ts';

/** A cell whose content is to change to `to`. */
interface Change {
  readonly _id: string;
  readonly to: CellContent;
  /** What has to be added to the longer spans that contain the day. */
  readonly difference: Sums;
}

const atOnce = 200;
const allFamilies = Object.keys(families) as Family[];

/** The last day that has sums; null where there is none. */
export async function lastDayWithSums(database: Database): Promise<DayIndex | null> {
  const collection = collectionOf(database, rollUpCells);
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
}

/**
 * Returns a function that replaces the cells of a day, and adds the difference to the longer spans that contain the
 * day.
 */
export function openCellRebuild({
  database,
  jobHolders,
}: {
  readonly database: Database;
  readonly jobHolders: Pick<JobHolders, 'fence'>;
}): (stored: StoredCells, day: DayIndex, made: readonly DayCell[]) => Promise<void> {
  return async (stored, day, made) => {
    const changes = await changesOf(stored, day, made);
    for (let from = 0; from < changes.length; from += atOnce) {
      const part = changes.slice(from, from + atOnce);
      const days = new Map(part.map(({ _id, to }) => [_id, to]));
      const toSpans = sumsOfSpans(
        part.map(({ _id, difference }) => ({ ...partsOfCellId(_id), day, sums: difference })),
      );
      await inTransaction(database, async (transaction) => {
        await jobHolders.fence(countingJob, transaction);
        await stored.replace(days, toSpans, transaction);
      });
    }
  };
}

async function changesOf(stored: StoredCells, day: DayIndex, made: readonly DayCell[]): Promise<Change[]> {
  const $or = allFamilies.map((family) => {
    const prefix = cellPrefix(family, spanWith(day, 1));
    return { _id: { $gte: prefix, $lt: afterPrefix(prefix) } };
  });
  const before = await stored.find({ $or });
  const after = new Map(
    made.map(({ sums, quarters, ...of }) => [cellId(of, spanWith(day, 1)), { sums, quarters }] as const),
  );
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((_id) => {
    const [to, from] = [after.get(_id) ?? emptyCell, before.get(_id) ?? emptyCell];
    if (isDeepStrictEqual(contentOf(to), contentOf(from))) return [];
    return [{ _id, to, difference: differenceOf(to.sums, from.sums) }];
  });
}

/** Leaves out quarters without sums, because a sum of 0 means the same as no sum. */
function contentOf({ sums, quarters }: CellContent): unknown {
  return { sums, quarters: new Map([...quarters].filter(([, each]) => Object.keys(each).length > 0)) };
}
