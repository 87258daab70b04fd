import { collectionOf } from '@storefront/mongo';
import type { Database } from '@storefront/mongo';
import { segments } from '../../facts/domain/fact.ts';
import { addSums, totalOf } from '../domain/cells.ts';
import type { Sums } from '../domain/cells.ts';
import { coverOf, spanLengths, spanWith } from '../domain/cover.ts';
import type { Cover, QuarterRange } from '../domain/cover.ts';
import type { BySegment, RollUps } from '../domain/roll-ups.ts';
import type { ShopDays } from '../domain/shop-days.ts';
import { afterPrefix, cellId, cellPrefix, firstCellPrefix, rollUpCells } from './collections.ts';
import type { CellDocument } from './collections.ts';

/** Reads each cell once, however many intervals have it; quarters of an hour only where an interval begins or ends within a day. */
export function openSumReads({
  database,
  shopDays,
}: {
  readonly database: Database;
  readonly shopDays: ShopDays;
}): Pick<RollUps, 'sums' | 'sumsOfThings' | 'sumsBefore'> {
  const cells = collectionOf(database, rollUpCells);
  const withoutQuarters = { projection: { q: 0 } } as const;
  const quartersOnly = { projection: { q: 1 } } as const;

  const sums: RollUps['sums'] = async (wanted, intervals) => {
    const covers = intervals.map((interval) => coverOf(interval, shopDays));
    const spanIds = new Set(covers.flatMap((cover) => cover.spans.map((span) => cellId(wanted, span))));
    const dayIdOf = ({ day }: QuarterRange) => cellId(wanted, spanWith(day, 1));
    const dayIds = new Set(covers.flatMap((cover) => cover.quarters.map(dayIdOf)));
    const [spans, days] = await Promise.all([byId([...spanIds], withoutQuarters), byId([...dayIds], quartersOnly)]);
    return covers.map((cover) =>
      totalOf([
        ...cover.spans.map((span) => sumsOf(spans.get(cellId(wanted, span)))),
        ...cover.quarters.flatMap((range) => sumsOfQuarters(days.get(dayIdOf(range)), range)),
      ]),
    );
  };

  async function byId(ids: string[], options: object): Promise<ReadonlyMap<string, CellDocument>> {
    if (ids.length === 0) return new Map();
    const found = await cells.find({ _id: { $in: ids } }, options).toArray();
    return new Map(found.map((cell) => [cell._id, cell]));
  }

  const sumsOfThings: RollUps['sumsOfThings'] = async (family, interval) => {
    const cover: Cover = coverOf(interval, shopDays);
    const things = new Map<string, Sums>();
    const add = (id: string, prefix: string, more: BySegment) => {
      const thing = id.slice(prefix.length);
      const found = things.get(thing);
      if (found) addSums(found, more);
      else things.set(thing, totalOf([more]));
    };
    const spanPrefixes = cover.spans.map((span) => cellPrefix(family, span));
    const ranges = cover.quarters.map((range) => ({ range, prefix: cellPrefix(family, spanWith(range.day, 1)) }));
    const [spans, days] = await Promise.all([
      byPrefix(spanPrefixes, withoutQuarters),
      byPrefix([...new Set(ranges.map(({ prefix }) => prefix))], quartersOnly),
    ]);
    for (const cell of spans) {
      const prefix = prefixOf(cell._id);
      add(cell._id, prefix, sumsOf(cell));
    }
    for (const cell of days)
      for (const { range, prefix } of ranges)
        if (cell._id.startsWith(prefix)) add(cell._id, prefix, totalOf(sumsOfQuarters(cell, range)));
    return new Map([...things].filter(([, each]) => Object.keys(each).length > 0));
  };

  async function byPrefix(prefixes: readonly string[], options: object): Promise<readonly CellDocument[]> {
    if (prefixes.length === 0) return [];
    const $or = prefixes.map((prefix) => ({ _id: { $gte: prefix, $lt: afterPrefix(prefix) } }));
    return cells.find({ $or }, options).toArray();
  }

  const sumsBefore: RollUps['sumsBefore'] = async (wanted, moments) => {
    const sorted = moments.toSorted((a, b) => a.getTime() - b.getTime());
    const [first] = sorted;
    if (!first) return [];
    // Everything before the first moment is a few spans of many days; from one moment to the next it is an interval.
    const longest = spanLengths[3];
    const { index } = spanWith(shopDays.dayOf(first), longest);
    const begun = shopDays.startOf(index * longest);
    const from = firstCellPrefix(wanted.family, longest);
    const before = { $gte: from, $lt: cellPrefix(wanted.family, { days: longest, index }) };
    const [old, steps] = await Promise.all([
      cells.find({ _id: before }).toArray(),
      sums(
        wanted,
        sorted.map((end, at) => ({ start: sorted[at - 1] ?? begun, end })),
      ),
    ]);
    const sum = totalOf(old.filter(({ _id }) => _id.slice(prefixOf(_id).length) === wanted.of).map(sumsOf));
    const found = new Map<number, Sums>();
    for (const [at, moment] of sorted.entries()) {
      addSums(sum, steps[at] ?? {});
      found.set(moment.getTime(), totalOf([sum]));
    }
    return moments.map((moment) => found.get(moment.getTime()) ?? {});
  };

  return { sums, sumsOfThings, sumsBefore };
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

/** The part of a cell's id before its thing: three words, each with a space after it. */
function prefixOf(id: string): string {
  return /^(?:\S+ ){3}/.exec(id)?.[0] ?? '';
}
