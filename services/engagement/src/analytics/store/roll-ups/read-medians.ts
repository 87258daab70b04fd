import { collectionOf, type Database } from '@storefront/mongo';
import type { Segment } from '../../domain/facts/fact.ts';
import {
  splitInterval,
  spanWith,
  type SplitInterval,
  type QuarterRange,
} from '../../domain/roll-ups/split-interval.ts';
import type { Medians } from '../../domain/roll-ups/roll-ups.ts';
import type { ShopDays } from '../../domain/roll-ups/shop-days.ts';
import { medianOf, type PackedValues } from '../../domain/roll-ups/values.ts';
import { bytesOf, cellId, rollUpValues, type ValuesDocument } from './collections.ts';
import type { RollUps, WantedMedian } from './reads.ts';

// One command reads all documents, as far as they fit into 16 MB.
const batchSize = 10_000;
const medianOnly = { projection: { median: 1 }, batchSize } as const;
const withoutQuarters = { projection: { q: 0, median: 0 }, batchSize } as const;
const quartersOnly = { projection: { q: 1 }, batchSize } as const;

/**
 * Reads medians. For an interval that is exactly one span, such as a day of the shop, the median is stored. For other
 * intervals the median is computed from the values of all parts.
 */
export function openMedianReads({
  database,
  shopDays,
}: {
  readonly database: Database;
  readonly shopDays: ShopDays;
}): Pick<RollUps, 'medians' | 'medianTogether'> {
  const collection = collectionOf(database, rollUpValues);

  async function byId(ids: readonly string[], options: object): Promise<ReadonlyMap<string, ValuesDocument>> {
    if (ids.length === 0) return new Map();
    const found = await collection.find({ _id: { $in: [...new Set(ids)] } }, options).toArray();
    return new Map(found.map((each) => [each._id, each]));
  }

  /** For each request, returns a function that gives the values of a segment. */
  async function readValues(requested: readonly { readonly wanted: WantedMedian; readonly split: SplitInterval }[]) {
    const dayIdOf = (wanted: WantedMedian, { day }: QuarterRange) => cellId(wanted, spanWith(day, 1));
    const [spans, days] = await Promise.all([
      byId(
        requested.flatMap(({ wanted, split }) => split.spans.map((span) => cellId(wanted, span))),
        withoutQuarters,
      ),
      byId(
        requested.flatMap(({ wanted, split }) => split.quarters.map((range) => dayIdOf(wanted, range))),
        quartersOnly,
      ),
    ]);
    return requested.map(({ wanted, split }) => {
      const packed = [
        ...split.spans.map((span) => spans.get(cellId(wanted, span))),
        ...split.quarters.flatMap((range) => quartersIn(days.get(dayIdOf(wanted, range)), range)),
      ];
      return (segment: Segment): PackedValues[] =>
        packed.flatMap((each) => (each?.[segment] ? bytesOf(each[segment]) : []));
    });
  }

  return {
    async medians(wanted, intervals) {
      const splits = intervals.map((interval) => splitInterval(interval, shopDays));
      const requested = wanted.map((each) => splits.map((split) => ({ wanted: each, split, id: onlyId(each, split) })));
      const kept = await byId(
        requested.flat().flatMap(({ id }) => id ?? []),
        medianOnly,
      );
      const others = requested.flat().filter(({ id }) => id === null);
      const values = new Map((await readValues(others)).map((each, place) => [others[place], each]));
      return requested.map((row) =>
        row.map((each): Medians => {
          if (each.id !== null) return kept.get(each.id)?.median ?? {};
          const medians = each.wanted.segments.map(
            (segment) => [segment, medianOf(values.get(each)?.(segment) ?? [])] as const,
          );
          return Object.fromEntries(medians.filter(([, median]) => median !== null));
        }),
      );
    },

    async medianTogether(wanted, interval) {
      const [values] = await readValues([{ wanted, split: splitInterval(interval, shopDays) }]);
      return medianOf(wanted.segments.flatMap((segment) => values?.(segment) ?? []));
    },
  };
}

/** The id of the span where the interval is exactly one span. null for other intervals. */
function onlyId(wanted: WantedMedian, { spans, quarters }: SplitInterval): string | null {
  const [span, ...others] = spans;
  return span && others.length === 0 && quarters.length === 0 ? cellId(wanted, span) : null;
}

function quartersIn(document: ValuesDocument | undefined, { from, to }: QuarterRange) {
  return Object.entries(document?.q ?? {}).flatMap(([quarter, packed]) =>
    from <= Number(quarter) && Number(quarter) < to ? [packed] : [],
  );
}
