import { collectionOf, type Database } from '@storefront/mongo';
import { families, type Family } from '../../domain/facts/count.ts';
import { segments } from '../../domain/facts/fact.ts';
import { addSums, totalOf, type Sums } from '../../domain/roll-ups/cells.ts';
import {
  splitInterval,
  spanLengths,
  spanWith,
  type QuarterRange,
  type Span,
} from '../../domain/roll-ups/split-interval.ts';
import type { BySegment } from '../../domain/roll-ups/roll-ups.ts';
import type { RollUps, ThingsWith } from './reads.ts';
import type { ShopDays } from '../../domain/roll-ups/shop-days.ts';
import { rankThings } from './rank-things.ts';
import {
  afterPrefix,
  cellId,
  cellPrefix,
  firstCellPrefix,
  partsOfCellId,
  rollUpCells,
  type CellDocument,
} from './collections.ts';

// One command reads a report of many days, as far as the documents fit into 16 MB.
const batchSize = 10_000;

/**
 * Reads sums. Each cell is read once, however many intervals contain it. Quarters of an hour are read only where an
 * interval begins or ends within a day.
 */
export function openSumReads({
  database,
  shopDays,
}: {
  readonly database: Database;
  readonly shopDays: ShopDays;
}): Pick<RollUps, 'sums' | 'sumsOfThings' | 'sumsBefore'> {
  const cells = collectionOf(database, rollUpCells);
  const withoutQuarters = { projection: { q: 0 }, batchSize } as const;
  const quartersOnly = { projection: { q: 1 }, batchSize } as const;

  const sums: RollUps['sums'] = async (wanted, intervals) => {
    const splits = intervals.map((interval) => splitInterval(interval, shopDays));
    const spanIds = new Set(splits.flatMap((split) => split.spans.map((span) => cellId(wanted, span))));
    const dayIdOf = ({ day }: QuarterRange) => cellId(wanted, spanWith(day, 1));
    const dayIds = new Set(splits.flatMap((split) => split.quarters.map(dayIdOf)));
    const [spans, days] = await Promise.all([
      byId([...spanIds], wanted.only ? { projection: projectionOf(wanted.only), batchSize } : withoutQuarters),
      byId([...dayIds], quartersOnly),
    ]);
    return splits.map((split) => {
      const parts = [
        ...split.spans.map((span) => sumsOf(spans.get(cellId(wanted, span)))),
        ...split.quarters.flatMap((range) => sumsOfQuarters(days.get(dayIdOf(range)), range)),
      ];
      const [first, ...others] = parts;
      // Most intervals have only one part, which needs no adding. Sums with decimals are added anyway, because adding
      // removes rounding errors of floating point.
      return first && others.length === 0 && !families[wanted.family].hasFractions ? first : totalOf(parts);
    });
  };

  async function byId(ids: string[], options: object): Promise<ReadonlyMap<string, CellDocument>> {
    if (ids.length === 0) return new Map();
    const found = await cells.find({ _id: { $in: ids } }, options).toArray();
    return new Map(found.map((cell) => [cell._id, cell]));
  }

  const sumsOfThings: RollUps['sumsOfThings'] = async (family, interval, some) => {
    const split = splitInterval(interval, shopDays);
    if (some && 'by' in some) return rankThings(cells, family, split, some);
    const things = new Map<string, Sums>();
    const add = (thing: string, more: BySegment) => {
      const found = things.get(thing);
      if (found) addSums(found, more);
      else things.set(thing, totalOf([more]));
    };
    const days = split.quarters.map(({ day }) => spanWith(day, 1));
    const [ofSpans, ofDays] = await Promise.all([
      bySpan(family, split.spans, some, withoutQuarters),
      bySpan(family, days, some, quartersOnly),
    ]);
    for (const cell of ofSpans) add(partsOfCellId(cell._id).of, sumsOf(cell));
    for (const cell of ofDays) {
      const { of, index } = partsOfCellId(cell._id);
      for (const range of split.quarters) if (range.day === index) add(of, totalOf(sumsOfQuarters(cell, range)));
    }
    return new Map([...things].filter(([, each]) => Object.keys(each).length > 0));
  };

  async function bySpan(
    family: Family,
    spans: readonly Span[],
    { beginning }: ThingsWith = { beginning: '' },
    options: object,
  ): Promise<readonly CellDocument[]> {
    if (spans.length === 0) return [];
    const prefixes = spans.map((span) => cellPrefix(family, span) + beginning);
    const $or = prefixes.map((prefix) => ({ _id: { $gte: prefix, $lt: afterPrefix(prefix) } }));
    return cells.find({ $or }, options).toArray();
  }

  const sumsBefore: RollUps['sumsBefore'] = async (wanted, moment) => {
    // Everything before the moment consists of a few spans of 64 days, and the days from the end of the last of these
    // spans to the moment.
    const longest = spanLengths[3];
    const { index } = spanWith(shopDays.dayOf(moment), longest);
    const from = firstCellPrefix(wanted.family, longest);
    const old = { $gte: from, $lt: cellPrefix(wanted.family, { days: longest, index }) };
    const [ofSpans, [rest = {}]] = await Promise.all([
      cells.find({ _id: old }, withoutQuarters).toArray(),
      sums(wanted, [{ start: shopDays.startOf(index * longest), end: moment }]),
    ]);
    return totalOf([...ofSpans.filter(({ _id }) => partsOfCellId(_id).of === wanted.of).map(sumsOf), rest]);
  };

  return { sums, sumsOfThings, sumsBefore };
}

function projectionOf(measures: readonly string[]): Record<string, 1> {
  return Object.fromEntries(segments.flatMap((segment) => measures.map((name) => [`${segment}.${name}`, 1])));
}

function sumsOf(cell: CellDocument | undefined): BySegment {
  const sums: Sums = {};
  for (const segment of segments) {
    const measures = cell?.[segment];
    if (measures) sums[segment] = measures;
  }
  return sums;
}

function sumsOfQuarters(cell: CellDocument | undefined, { from, to }: QuarterRange): BySegment[] {
  return Object.entries(cell?.q ?? {}).flatMap(([quarter, sums]) =>
    from <= Number(quarter) && Number(quarter) < to ? [sums] : [],
  );
}
