import { calendarOf } from '@storefront/calendar';
import type { Count, PeopleSet } from '../src/analytics/domain/facts/count.ts';
import { segments, type Segment } from '../src/analytics/domain/facts/fact.ts';
import type { BySegment, Interval, Measures } from '../src/analytics/domain/roll-ups/roll-ups.ts';
import { shopDaysOf } from '../src/analytics/domain/roll-ups/shop-days.ts';
import type { RollUps, WantedMedian, WantedPeople } from '../src/analytics/store/roll-ups/reads.ts';

/** What one fact counts for, or what a flag on it counts for. */
export interface Counted {
  readonly at: Date;
  readonly segment: Segment;
  readonly person?: number | null;
  readonly counts?: readonly Count[];
  readonly sets?: readonly PeopleSet[];
}

const shopDays = shopDaysOf(calendarOf('Europe/Berlin'));

/** Roll-ups of a shop in Berlin that look at everything for every question: slow and plainly right. Reads `counted` anew each time. */
export function naiveRollUps(counted: readonly Counted[], asOf = new Date()): RollUps {
  /** Of numbers, as it takes ten times as long to compare dates. */
  function within({ start, end }: Interval): (one: Counted) => boolean {
    const [from, to] = [start.getTime(), end.getTime()];
    return ({ at }) => from <= at.getTime() && at.getTime() < to;
  }
  const countsIn = (some: readonly Counted[]) =>
    some.flatMap(({ segment, counts = [] }) => counts.map((count) => ({ segment, ...count })));

  const sumsOf = (some: readonly Counted[], wanted: Pick<Count, 'family' | 'of'>) =>
    add(countsIn(some).filter(({ family, of }) => family === wanted.family && of === wanted.of));

  const medianIn = (interval: Interval, { family, of }: WantedMedian, requested: readonly Segment[]) => {
    const found = countsIn(counted.filter(within(interval))).filter(
      (count) => count.family === family && count.of === of && requested.includes(count.segment),
    );
    const values = found
      .flatMap(({ value }) => (value === undefined ? [] : Number(Math.max(value, 0).toPrecision(2))))
      .sort((one, other) => one - other);
    const [low, high] = [values[Math.floor((values.length - 1) / 2)], values[Math.floor(values.length / 2)]];
    return low === undefined || high === undefined ? null : (low + high) / 2;
  };

  const peopleIn = (interval: Interval, { set, of }: WantedPeople, requested: readonly Segment[]) => {
    const members = counted
      .filter(within(interval))
      .filter(({ sets = [] }) => sets.some((each) => each.set === set && each.of === of));
    return new Set(members.flatMap(({ segment, person }) => (requested.includes(segment) ? (person ?? []) : []))).size;
  };

  return {
    sums: async (wanted, intervals) => intervals.map((interval) => sumsOf(counted.filter(within(interval)), wanted)),

    async sumsOfThings(family, interval, some) {
      const beginning = some && 'beginning' in some ? some.beginning : '';
      const found = countsIn(counted.filter(within(interval))).filter(
        (count) => count.family === family && count.of.startsWith(beginning),
      );
      const things = Map.groupBy(found, ({ of }) => of);
      const sums = [...things].map(([thing, counts]) => [thing, add(counts)] as const);
      // What was counted and taken off again is nothing.
      return new Map(sums.filter(([, bySegment]) => Object.values(bySegment).some(isNotNothing)));
    },

    sumsBefore: async (wanted, moment) =>
      sumsOf(
        counted.filter(({ at }) => at < moment),
        wanted,
      ),

    people: async (wanted, intervals) =>
      wanted.map((each) =>
        intervals.map((interval) =>
          Object.fromEntries(each.segments.map((segment) => [segment, peopleIn(interval, each, [segment])])),
        ),
      ),

    peopleTogether: async (wanted, interval) => peopleIn(interval, wanted, wanted.segments),

    medians: async (wanted, intervals) =>
      wanted.map((each) =>
        intervals.map((interval) => {
          const medians = each.segments.map((segment) => [segment, medianIn(interval, each, [segment])] as const);
          return Object.fromEntries(medians.filter(([, median]) => median !== null));
        }),
      ),

    medianTogether: async (wanted, interval) => medianIn(interval, wanted, wanted.segments),

    endOfDay: (moment) => shopDays.startOf(shopDays.dayOf(moment) + 1),

    asOf: async () => asOf,
  };
}

function isNotNothing(measures: Measures): boolean {
  return Object.values(measures).some((sum) => sum !== 0);
}

function add(counts: readonly { readonly segment: Segment; readonly measures: Measures }[]): BySegment {
  const bySegment: Partial<Record<Segment, Record<string, number>>> = {};
  for (const segment of segments)
    for (const { measures } of counts.filter((count) => count.segment === segment)) {
      const sums = (bySegment[segment] ??= {});
      for (const [name, value] of Object.entries(measures)) sums[name] = (sums[name] ?? 0) + value;
    }
  return bySegment;
}
