import type { Collection } from '@storefront/mongo';
import type { Family } from '../../domain/facts/count.ts';
import { segments } from '../../domain/facts/fact.ts';
import type { Sums } from '../../domain/roll-ups/cells.ts';
import { spanWith, type SplitInterval, type QuarterRange, type Span } from '../../domain/roll-ups/split-interval.ts';
import type { BySegment } from '../../domain/roll-ups/roll-ups.ts';
import { afterPrefix, cellPrefix, type CellDocument } from './collections.ts';
import type { WantedThings } from './reads.ts';

type Ranked = { readonly _id: string } & Readonly<Record<string, number | string>>;

/**
 * Adds up and ranks things within the database, because there may be thousands. Only the things of the report are
 * returned.
 */
export async function rankThings(
  cells: Collection<CellDocument>,
  family: Family,
  { spans, quarters }: SplitInterval,
  { by, of, limit, measures, also }: WantedThings,
): Promise<ReadonlyMap<string, BySegment>> {
  const fields = segments.flatMap((segment) =>
    measures.map((measure) => ({ segment, measure, name: `${segment}_${measure}` })),
  );
  const inSpans = spans.map((span) => spanStages(family, span));
  const inQuarters = quarters.map((range) => [
    ...spanStages(family, spanWith(range.day, 1)),
    ...quarterStages(range, measures),
  ]);
  const [first, ...others] = [...inSpans, ...inQuarters];
  if (!first) return new Map();
  const united = others.map((pipeline) => ({ $unionWith: { coll: cells.collectionName, pipeline } }));
  const sums = fields.map(({ segment, measure, name }) => [name, { $sum: `$${segment}.${measure}` }]);
  const rank = { $add: of.map((segment) => `$${segment}_${by}`) };
  const [found] = await cells
    .aggregate<{ readonly most: readonly Ranked[]; readonly also: readonly Ranked[] }>([
      ...first,
      ...united,
      { $group: { _id: '$of', ...Object.fromEntries(sums) } },
      // Removes things without sums. A cell of a day may contain a text that was searched for in other quarters only,
      // and the cell `other` may be empty after all of its searches were moved to shown texts.
      { $match: { $or: fields.map(({ name }) => ({ [name]: { $ne: 0 } })) } },
      {
        $facet: {
          most: [
            { $match: { _id: { $nin: [...also] } } },
            { $set: { rank } },
            { $sort: { rank: -1, _id: 1 } },
            { $limit: limit },
          ],
          also: [{ $match: { _id: { $in: [...also] } } }],
        },
      },
    ])
    .toArray();
  return new Map(
    [...(found?.most ?? []), ...(found?.also ?? [])].map((thing) => {
      const bySegment: Sums = {};
      for (const { segment, measure, name } of fields)
        if (thing[name]) (bySegment[segment] ??= {})[measure] = Number(thing[name]);
      return [thing._id, bySegment];
    }),
  );
}

/** Stages that read the cells of a span and put the thing into the field `of`. */
function spanStages(family: Family, span: Span): object[] {
  const prefix = cellPrefix(family, span);
  const thing = { $substrBytes: ['$_id', Buffer.byteLength(prefix), -1] };
  return [{ $match: { _id: { $gte: prefix, $lt: afterPrefix(prefix) } } }, { $set: { of: thing } }];
}

/** Stages that replace the sums of a day by the sums of some of its quarters of an hour. */
function quarterStages({ from, to }: QuarterRange, measures: readonly string[]): object[] {
  const quarter = { $toInt: '$$each.k' };
  const within = { $and: [{ $gte: [quarter, from] }, { $lt: [quarter, to] }] };
  const some = { $filter: { input: { $objectToArray: '$q' }, as: 'each', cond: within } };
  const ofSegment = (segment: string) =>
    Object.fromEntries(measures.map((measure) => [measure, { $sum: `$some.v.${segment}.${measure}` }]));
  const sums = Object.fromEntries(segments.map((segment) => [segment, ofSegment(segment)]));
  return [{ $project: { of: 1, some } }, { $set: sums }];
}
