import type { Family } from '../../facts/domain/count.ts';
import type { BySegment } from '../../roll-ups/domain/roll-ups.ts';
import type { RollUps } from '../../roll-ups/store/reads.ts';
import type { Asked } from '../domain/asked.ts';
import type { Reading, Sums, SumsOfInterval } from '../domain/figures.ts';
import type { NamedInterval } from '../domain/intervals.ts';
import { collectOwed, nothingOwed } from '../domain/owed.ts';
import type { OwedByAge } from '../domain/owed.ts';
import { everything, keyOf, thingOf } from '../domain/report.ts';

/** What a report that is asked for reads. A thing is `everything` where the report is about no things. */
export interface RollUpReads {
  /** The sums of a thing, in each interval. */
  sums(thing: string, intervals: readonly NamedInterval[]): Promise<SumsOfInterval[]>;
  /** The sums of each thing of which anything was counted in the interval; those of everything too, where they are kept. */
  sumsOfThings(interval: NamedInterval): Promise<ReadonlyMap<string, Sums>>;
  /** The same intervals with their people in each segment, and what is owed at their ends. */
  complete(thing: string, parts: readonly SumsOfInterval[]): Promise<Reading[]>;
  /** The same for totals: with the people of all segments together. */
  completeTotals(part: SumsOfInterval): Promise<Reading>;
}

export function rollUpReads(rollUps: RollUps, asked: Asked): RollUpReads {
  const { report, segments, currency, window, zone, now } = asked;
  const { families } = report;
  const sets = report.sets?.(window) ?? [];

  return {
    async sums(thing, intervals) {
      const found = await Promise.all(
        families.map((family) =>
          rollUps.sums({ family, of: keyOf(family, thing, currency), only: report.only?.[family] }, intervals),
        ),
      );
      return intervals.map((interval, place) => ({
        interval,
        sums: new Map(families.map((family, index) => [family, found[index]?.[place] ?? {}])),
      }));
    },

    async sumsOfThings(interval) {
      const found = await Promise.all(families.map((family) => rollUps.sumsOfThings(family, interval)));
      const things = new Map<string, Map<Family, BySegment>>();
      for (const [index, family] of families.entries())
        for (const [key, sums] of found[index] ?? []) {
          const thing = thingOf(family, key, currency);
          if (thing === null) continue;
          const known = things.get(thing);
          if (known) known.set(family, sums);
          else things.set(thing, new Map([[family, sums]]));
        }
      return things;
    },

    async complete(thing, parts) {
      const intervals = parts.map(({ interval }) => interval);
      const [people, owed] = await Promise.all([
        Promise.all(sets.map((set) => rollUps.people({ set, of: thing, segments }, intervals))),
        owedAfter(parts),
      ]);
      return parts.map((part, place) => {
        const ofSets = new Map(sets.map((set, index) => [set, people[index]?.[place] ?? {}]));
        return { ...part, people: ofSets, owed: owed[place] ?? nothingOwed };
      });
    },

    async completeTotals(part) {
      const [people, [owed = nothingOwed]] = await Promise.all([
        Promise.all(sets.map((set) => rollUps.peopleTogether({ set, of: everything, segments }, part.interval))),
        owedAfter([part]),
      ]);
      return { ...part, people: new Map(sets.map((set, index) => [set, people[index] ?? 0])), owed };
    },
  };

  /** What is owed at the end of each of the intervals, which follow each other. */
  async function owedAfter(parts: readonly SumsOfInterval[]): Promise<OwedByAge[]> {
    const [first] = parts;
    if (!report.readsOwed || !first) return [];
    const family = 'receivables';
    const owed = collectOwed();
    const add = (sums: BySegment) => segments.forEach((segment) => owed.add(sums[segment] ?? {}));
    add(await rollUps.sumsBefore({ family, of: keyOf(family, everything, currency) }, first.interval.start));
    return parts.map(({ interval, sums }) => {
      add(sums.get(family) ?? {});
      const lastMoment = Math.min(interval.end.getTime() - 1, now.getTime());
      return owed.byAge(zone.calendar.dayOf(new Date(lastMoment)));
    });
  }
}
