import { collectionOf, type Database, type Transaction } from '@storefront/mongo';
import mongoose, { type mongo } from 'mongoose';
import { segments, type Segment } from '../../domain/facts/fact.ts';
import { addContents, emptyCell, type CellContent, type Sums } from '../../domain/roll-ups/cells.ts';
import { spanWith } from '../../domain/roll-ups/split-interval.ts';
import type { Medians } from '../../domain/roll-ups/roll-ups.ts';
import { medianOf, packValues, unpackValues } from '../../domain/roll-ups/values.ts';
import { bytesOf, cellId, rollUpValues, type ValuesDocument } from './collections.ts';
import { replacements, sumsOfSpans, type StoredCells } from './stored-cells.ts';

type InTransaction = Pick<Transaction, 'session'>;
type Packed = Partial<Record<Segment, mongo.Binary>>;

/** How many documents are read at a time. */
const atOnce = 500;

/**
 * Stores how often each value was counted, in cells whose measures are the codes of the values. Values are packed, so a
 * cell is read, changed and written back.
 */
export function openStoredValues(database: Database): StoredCells {
  const collection = collectionOf(database, rollUpValues);

  async function find(filter: object, options: Partial<InTransaction> = {}) {
    const found = await collection.find(filter, options).toArray();
    return new Map(found.map((each) => [each._id, contentOf(each)]));
  }

  async function write(contents: ReadonlyMap<string, CellContent>, { session }: InTransaction): Promise<void> {
    const writes = replacements(contents, documentOf);
    if (writes.length > 0) await collection.bulkWrite(writes, { session, ordered: false });
  }

  async function addTo(more: ReadonlyMap<string, CellContent>, { session }: InTransaction): Promise<void> {
    const all = [...more];
    for (let from = 0; from < all.length; from += atOnce) {
      const part = all.slice(from, from + atOnce);
      const before = await find({ _id: { $in: part.map(([id]) => id) } }, { session });
      const after = part.map(([id, each]) => [id, addContents(before.get(id) ?? emptyCell, each)] as const);
      await write(new Map(after), { session });
    }
  }

  return {
    find: (filter) => find(filter),

    async add(added, transaction) {
      const days = added.map((cell) => [cellId(cell, spanWith(cell.day, 1)), cell] as const);
      await addTo(new Map([...days, ...contentsOf(sumsOfSpans(added))]), transaction);
    },

    async replace(days, toSpans, transaction) {
      await write(days, transaction);
      await addTo(new Map(contentsOf(toSpans)), transaction);
    },
  };
}

function contentsOf(sums: ReadonlyMap<string, Sums>): [string, CellContent][] {
  return [...sums].map(([id, each]) => [id, { ...emptyCell, sums: each }]);
}

function documentOf(_id: string, { sums, quarters }: CellContent): ValuesDocument {
  const packed = packedOf(sums);
  const q = Object.fromEntries([...quarters].map(([quarter, each]) => [String(quarter), packedOf(each)]));
  return { _id, median: mediansIn(packed), ...packed, ...(quarters.size > 0 && { q }) };
}

function packedOf(sums: Sums): Packed {
  return bySegment((segment) => {
    const counts = sums[segment];
    return counts && new mongoose.mongo.Binary(packValues(counts));
  });
}

function mediansIn(packed: Packed): Medians {
  return bySegment((segment) => {
    const values = packed[segment];
    return values && (medianOf([bytesOf(values)]) ?? undefined);
  });
}

function contentOf(document: ValuesDocument): CellContent {
  const quarters = Object.entries(document.q ?? {}).map(
    ([quarter, each]) => [Number(quarter), countsIn(each)] as const,
  );
  return { sums: countsIn(document), quarters: new Map(quarters) };
}

function countsIn(packed: Packed): Sums {
  return bySegment((segment) => {
    const values = packed[segment];
    return values && unpackValues(bytesOf(values));
  });
}

function bySegment<Each>(each: (segment: Segment) => Each | undefined): Partial<Record<Segment, Each>> {
  const found: Partial<Record<Segment, Each>> = {};
  for (const segment of segments) {
    const one = each(segment);
    if (one !== undefined) found[segment] = one;
  }
  return found;
}
