import type { Family } from '../domain/facts/count.ts';
import type { BySegment, Interval } from '../domain/roll-ups/roll-ups.ts';
import { beginningOf } from '../domain/facts/variant-key.ts';
import type { RollUps, ThingsWith, WantedThings } from '../store/roll-ups/reads.ts';
import type { ReportRequest } from '../domain/reports/report-request.ts';
import type { Reading, Sums, SumsOfInterval } from '../domain/reports/figures.ts';
import type { NamedInterval } from '../domain/reports/intervals.ts';
import { collectOpen, nothingOpen, type OpenByAge } from '../domain/reports/open-by-age.ts';
import { everything, keyOf, thingOf } from '../domain/reports/report.ts';

/** The reads that a requested report needs. `thing` is `everything` where the report is not about things. */
export interface RollUpReads {
  /** The sums of a thing in each interval. */
  sums(thing: string, intervals: readonly NamedInterval[]): Promise<SumsOfInterval[]>;
  /**
   * The sums of each thing that has sums in the interval; for ranked things, only of the things with the most. The sums
   * of the whole shop are included where they are kept.
   */
  sumsOfThings(interval: NamedInterval): Promise<ReadonlyMap<string, Sums>>;
  /**
   * Adds the people and the medians of each segment, and the open amounts of invoices at the end of each interval. All
   * things must have the same intervals.
   */
  complete(things: ReadonlyMap<string, readonly SumsOfInterval[]>): Promise<ReadonlyMap<string, readonly Reading[]>>;
  /** Adds the same figures for the totals: the people and the median of all segments together. */
  completeTotals(part: SumsOfInterval): Promise<Reading>;
}

export function rollUpReads(rollUps: RollUps, requested: ReportRequest): RollUpReads {
  const { report, segments, currency, limit, window, productId, now } = requested;
  const { families, mediansOf } = report;
  const sets = report.sets?.(window) ?? [];
  /** Which things of the family to read. Returns undefined where all things are read. */
  function wantedOf(family: Family): ThingsWith | WantedThings | undefined {
    if (productId !== undefined) return { beginning: beginningOf(productId) };
    const ranked = report.things?.ranked;
    if (!ranked || ranked.family !== family) return undefined;
    const also = [everything, ranked.rest];
    return { by: ranked.by, of: segments, limit, measures: report.only?.[family] ?? [ranked.by], also };
  }
  const medianWanted = (family: Family, thing: string) => ({ family, of: keyOf(family, thing, currency), segments });

  return {
    async sums(thing, intervals) {
      const counted = report.readsOpen ? intervals.map(upToToday) : intervals;
      const found = await Promise.all(
        families.map((family) =>
          rollUps.sums({ family, of: keyOf(family, thing, currency), only: report.only?.[family] }, counted),
        ),
      );
      return intervals.map((interval, place) => ({
        interval,
        sums: new Map(families.map((family, index) => [family, found[index]?.[place] ?? {}])),
      }));
    },

    async sumsOfThings(interval) {
      const found = await Promise.all(
        families.map((family) => rollUps.sumsOfThings(family, interval, wantedOf(family))),
      );
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

    async complete(things) {
      const [first = []] = things.values();
      const intervals = first.map(({ interval }) => interval);
      const all = [...things.keys()];
      const [people, medians, open] = await Promise.all([
        rollUps.people(
          sets.flatMap((set) => all.map((of) => ({ set, of, segments }))),
          intervals,
        ),
        mediansOf
          ? rollUps.medians(
              all.map((thing) => medianWanted(mediansOf, thing)),
              intervals,
            )
          : [],
        openAfter(first),
      ]);
      const readingOf = (part: SumsOfInterval, thing: number, place: number): Reading => ({
        ...part,
        people: new Map(sets.map((set, index) => [set, people[index * all.length + thing]?.[place] ?? {}])),
        medians: medians[thing]?.[place] ?? {},
        open: open[place] ?? nothingOpen,
      });
      return new Map(
        [...things].map(([thing, parts], index) => [thing, parts.map((part, place) => readingOf(part, index, place))]),
      );
    },

    async completeTotals(part) {
      const [people, median, [open = nothingOpen]] = await Promise.all([
        Promise.all(sets.map((set) => rollUps.peopleTogether({ set, of: everything, segments }, part.interval))),
        mediansOf ? rollUps.medianTogether(medianWanted(mediansOf, everything), part.interval) : null,
        openAfter([part]),
      ]);
      return { ...part, people: new Map(sets.map((set, index) => [set, people[index] ?? 0])), medians: median, open };
    },
  };

  /**
   * Cuts an interval at the end of today. Sums of future days already contain invoices that will only become overdue
   * then, so they must not be read today.
   */
  function upToToday({ start, end }: Interval): Interval {
    const last = rollUps.endOfDay(now);
    return { start: start < last ? start : last, end: end < last ? end : last };
  }

  /** The open amounts of invoices at the end of each interval. The intervals must follow each other without gaps. */
  async function openAfter(parts: readonly SumsOfInterval[]): Promise<OpenByAge[]> {
    const [first] = parts;
    if (!report.readsOpen || !first) return [];
    const family = 'receivables';
    const open = collectOpen();
    const add = (sums: BySegment) => segments.forEach((segment) => open.add(sums[segment] ?? {}));
    const { start } = upToToday(first.interval);
    add(await rollUps.sumsBefore({ family, of: keyOf(family, everything, currency) }, start));
    return parts.map(({ sums }) => {
      add(sums.get(family) ?? {});
      return open.byAge();
    });
  }
}
