import { collectionOf, type Database } from '@storefront/mongo';
import type { Segment } from '../../domain/facts/fact.ts';
import { coverOf, spanWith, type Cover, type QuarterRange } from '../../domain/roll-ups/cover.ts';
import type { Medians } from '../../domain/roll-ups/roll-ups.ts';
import type { ShopDays } from '../../domain/roll-ups/shop-days.ts';
import { medianOf, type PackedValues } from '../../domain/roll-ups/values.ts';
import { bytesOf, cellId, rollUpValues, type ValuesDocument } from './collections.ts';
import type { RollUps, WantedMedian } from './reads.ts';

// As of sums: one command, as far as 16 MB have room for it.
const batchSize = 10_000;
const medianOnly = { projection: { median: 1 }, batchSize } as const;
const withoutQuarters = { projection: { q: 0, median: 0 }, batchSize } as const;
const quartersOnly = { projection: { q: 1 }, batchSize } as const;

/** Of an interval that is one span, such as a day of the shop, the median is kept. Those of others are made of the values of all parts. */
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

  /** The values of each of these, by segment. */
  async function readValues(asked: readonly { readonly wanted: WantedMedian; readonly cover: Cover }[]) {
    const dayIdOf = (wanted: WantedMedian, { day }: QuarterRange) => cellId(wanted, spanWith(day, 1));
    const [spans, days] = await Promise.all([
      byId(
        asked.flatMap(({ wanted, cover }) => cover.spans.map((span) => cellId(wanted, span))),
        withoutQuarters,
      ),
      byId(
        asked.flatMap(({ wanted, cover }) => cover.quarters.map((range) => dayIdOf(wanted, range))),
        quartersOnly,
      ),
    ]);
    return asked.map(({ wanted, cover }) => {
      const packed = [
        ...cover.spans.map((span) => spans.get(cellId(wanted, span))),
        ...cover.quarters.flatMap((range) => quartersIn(days.get(dayIdOf(wanted, range)), range)),
      ];
      return (segment: Segment): PackedValues[] =>
        packed.flatMap((each) => (each?.[segment] ? bytesOf(each[segment]) : []));
    });
  }

  return {
    async medians(wanted, intervals) {
      const covers = intervals.map((interval) => coverOf(interval, shopDays));
      const asked = wanted.map((each) => covers.map((cover) => ({ wanted: each, cover, id: onlyId(each, cover) })));
      const kept = await byId(
        asked.flat().flatMap(({ id }) => id ?? []),
        medianOnly,
      );
      const others = asked.flat().filter(({ id }) => id === null);
      const values = new Map((await readValues(others)).map((each, place) => [others[place], each]));
      return asked.map((row) =>
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
      const [values] = await readValues([{ wanted, cover: coverOf(interval, shopDays) }]);
      return medianOf(wanted.segments.flatMap((segment) => values?.(segment) ?? []));
    },
  };
}

/** Where the interval is one span, its id. */
function onlyId(wanted: WantedMedian, { spans, quarters }: Cover): string | null {
  const [span, ...others] = spans;
  return span && others.length === 0 && quarters.length === 0 ? cellId(wanted, span) : null;
}

function quartersIn(document: ValuesDocument | undefined, { from, to }: QuarterRange) {
  return Object.entries(document?.q ?? {}).flatMap(([quarter, packed]) =>
    from <= Number(quarter) && Number(quarter) < to ? [packed] : [],
  );
}
