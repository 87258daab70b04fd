import type { Collection, Transaction } from '@storefront/mongo';
import { addSums } from '../domain/cells.ts';
import type { DayCell, Sums } from '../domain/cells.ts';
import { spanLengths, spanWith } from '../domain/cover.ts';
import { cellId } from './collections.ts';
import type { CellDocument } from './collections.ts';

/** Adds to the days, and to every span that has them. */
export async function addToCells(
  cells: Collection<CellDocument>,
  added: readonly DayCell[],
  { session }: Pick<Transaction, 'session'>,
): Promise<void> {
  const increments = new Map<string, Record<string, number>>();
  for (const cell of added) {
    const of = incrementsOf(cell.sums);
    for (const [quarter, sums] of cell.quarters) Object.assign(of, incrementsOf(sums, `q.${quarter}.`));
    increments.set(cellId(cell, spanWith(cell.day, 1)), of);
  }
  for (const [id, sums] of sumsOfSpans(added)) increments.set(id, incrementsOf(sums));
  await incrementCells(cells, increments, { session });
}

/** What the spans of several days get by what is added to single days, by the ids of their cells. */
export function sumsOfSpans(
  days: readonly Pick<DayCell, 'family' | 'of' | 'day' | 'sums'>[],
): ReadonlyMap<string, Sums> {
  const found = new Map<string, Sums>();
  for (const cell of days)
    for (const length of spanLengths.slice(1)) {
      const id = cellId(cell, spanWith(cell.day, length));
      const sums = found.get(id) ?? {};
      addSums(sums, cell.sums);
      found.set(id, sums);
    }
  return found;
}

export function incrementsOf(sums: Sums, prefix = ''): Record<string, number> {
  const increments: Record<string, number> = {};
  for (const [segment, measures] of Object.entries(sums))
    for (const [name, value] of Object.entries(measures)) increments[`${prefix}${segment}.${name}`] = value;
  return increments;
}

export async function incrementCells(
  cells: Collection<CellDocument>,
  increments: ReadonlyMap<string, Readonly<Record<string, number>>>,
  { session }: Pick<Transaction, 'session'>,
): Promise<void> {
  const writes = [...increments]
    .filter(([, each]) => Object.keys(each).length > 0)
    .map(([_id, $inc]) => ({ updateOne: { filter: { _id }, update: { $inc }, upsert: true } }));
  if (writes.length > 0) await cells.bulkWrite(writes, { session, ordered: false });
}
