import { collectionOf, type Database, type Transaction } from '@storefront/mongo';
import { segments } from '../../domain/facts/fact.ts';
import {
  addContents,
  addSums,
  emptyCell,
  totalOf,
  type CellContent,
  type DayCell,
  type Sums,
} from '../../domain/roll-ups/cells.ts';
import { spanLengths, spanWith } from '../../domain/roll-ups/split-interval.ts';
import { cellId, cellKeptUntil, rollUpCells, type CellDocument } from './collections.ts';

type InTransaction = Pick<Transaction, 'session'>;

/** Stores the cells of days and of longer spans. Only the holder of the counting job writes these cells. */
export interface StoredCells {
  /** The contents of the documents that match the filter, by id, without sums of 0. */
  find(filter: object): Promise<ReadonlyMap<string, CellContent>>;
  /** Adds to cells of days, and to the cells of all longer spans that contain these days. */
  add(added: readonly DayCell[], transaction: InTransaction): Promise<void>;
  /** Replaces cells of days, and adds `toSpans` to the cells of longer spans. Both maps are by the ids of the cells. */
  replace(
    days: ReadonlyMap<string, CellContent>,
    toSpans: ReadonlyMap<string, Sums>,
    transaction: InTransaction,
  ): Promise<void>;
}

/** Opens the cells with sums. Sums of searched texts are kept as long as facts; all other sums never expire. */
export function openStoredSums(database: Database, factMonths: number): StoredCells {
  const cells = collectionOf(database, rollUpCells);

  async function increment(
    increments: ReadonlyMap<string, Readonly<Record<string, number>>>,
    { session }: InTransaction,
  ): Promise<void> {
    const writes = [...increments]
      .filter(([, each]) => Object.keys(each).length > 0)
      .map(([_id, $inc]) => {
        const keptUntil = cellKeptUntil(_id, factMonths);
        const update = { $inc, ...(keptUntil && { $setOnInsert: { keptUntil } }) };
        return { updateOne: { filter: { _id }, update, upsert: true } };
      });
    if (writes.length > 0) await cells.bulkWrite(writes, { session, ordered: false });
  }

  return {
    async find(filter) {
      const found = await cells.find(filter).toArray();
      return new Map(found.map((cell) => [cell._id, contentOf(cell)]));
    },

    async add(added, transaction) {
      const increments = new Map<string, Record<string, number>>();
      for (const cell of added) {
        const of = incrementsOf(cell.sums);
        for (const [quarter, sums] of cell.quarters) Object.assign(of, incrementsOf(sums, `q.${quarter}.`));
        increments.set(cellId(cell, spanWith(cell.day, 1)), of);
      }
      for (const [id, sums] of sumsOfSpans(added)) increments.set(id, incrementsOf(sums));
      await increment(increments, transaction);
    },

    async replace(days, toSpans, transaction) {
      const writes = replacements(days, (_id, content) => documentOf(_id, content, cellKeptUntil(_id, factMonths)));
      if (writes.length > 0) await cells.bulkWrite(writes, { session: transaction.session, ordered: false });
      await increment(new Map([...toSpans].map(([_id, sums]) => [_id, incrementsOf(sums)])), transaction);
    },
  };
}

/** What to add to the longer spans when `days` are added, by the ids of the spans' cells. */
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

/** The writes that store the contents under their ids. An empty cell is deleted. */
export function replacements<Document>(
  contents: ReadonlyMap<string, CellContent>,
  documentOf: (_id: string, content: CellContent) => Document,
) {
  return [...contents].map(([_id, content]) =>
    isEmpty(content)
      ? { deleteOne: { filter: { _id } } }
      : { replaceOne: { filter: { _id }, replacement: documentOf(_id, content), upsert: true } },
  );
}

function isEmpty({ sums, quarters }: CellContent): boolean {
  return [sums, ...quarters.values()].every((each) => Object.keys(each).length === 0);
}

function incrementsOf(sums: Sums, prefix = ''): Record<string, number> {
  const increments: Record<string, number> = {};
  for (const [segment, measures] of Object.entries(sums))
    for (const [name, value] of Object.entries(measures)) increments[`${prefix}${segment}.${name}`] = value;
  return increments;
}

function documentOf(_id: string, { sums, quarters }: CellContent, keptUntil: Date | null): CellDocument {
  const q = Object.fromEntries([...quarters].map(([quarter, each]) => [String(quarter), each]));
  return { _id, ...sums, ...(quarters.size > 0 && { q }), ...(keptUntil && { keptUntil }) };
}

/**
 * The content of a cell, without rounding errors of floating point. These errors would differ with the order of adding.
 */
function contentOf(cell: CellDocument): CellContent {
  const sums = segments.flatMap((segment) => (cell[segment] ? [[segment, cell[segment]] as const] : []));
  const quarters = Object.entries(cell.q ?? {}).map(([quarter, each]) => [Number(quarter), each] as const);
  return addContents({ sums: totalOf([Object.fromEntries(sums)]), quarters: new Map(quarters) }, emptyCell);
}
