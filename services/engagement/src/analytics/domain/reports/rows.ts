import type { engagementHttp } from '@storefront/contracts';
import type { Family } from '../facts/count.ts';
import type { ReportRequest } from './report-request.ts';
import { addSums, figuresOf, type Reading, type Sums } from './figures.ts';
import { nothingOpen } from './open-by-age.ts';
import { everything, type Things } from './report.ts';

/**
 * Makes one row for each requested segment from the figures of one interval, and of one thing where the report is about
 * things.
 */
export function rowsOf(
  { report, segments, window, currency }: ReportRequest,
  thing: string,
  reading: Reading,
): engagementHttp.ReportRow[] {
  return segments.map((segment) => ({
    start: reading.interval.name,
    segment,
    ...report.things?.fields(thing),
    ...report.measures(figuresOf(reading, segment, currency), window),
  }));
}

/** Makes the totals from the figures of the whole time, for all requested segments together. */
export function totalsOf(
  { report, segments, window, currency }: ReportRequest,
  reading: Reading,
): engagementHttp.ReportBody['totals'] {
  return report.measures(figuresOf(reading, segments, currency), window);
}

/** The sums of the whole shop. Where they are not kept, the sums of all things are added up instead. */
export function sumsOfEverything(things: ReadonlyMap<string, Sums>, families: readonly Family[]): Sums {
  return things.get(everything) ?? addUp([...things.values()], families);
}

/** Adds up the sums of several intervals or things. */
export function addUp(all: readonly Sums[], families: readonly Family[]): Sums {
  return new Map(families.map((family) => [family, addSums(all.map((sums) => sums.get(family) ?? {}))]));
}

/**
 * The things with the greatest numbers, in that order. Things with equal numbers are sorted by name. The rest comes
 * last, where there is a rest.
 */
export function topThings(
  { segments, by, limit, currency }: Pick<ReportRequest, 'segments' | 'by' | 'limit' | 'currency'>,
  { rank, ranked }: Things,
  things: ReadonlyMap<string, Sums>,
): string[] {
  const noMore = { people: new Map(), medians: null, open: nothingOpen };
  const most = [...things]
    .filter(([thing]) => thing !== everything && thing !== ranked?.rest)
    .map(([thing, sums]) => ({ thing, size: rank(figuresOf({ sums, ...noMore }, segments, currency), by) }))
    .toSorted((one, other) => other.size - one.size || (one.thing < other.thing ? -1 : 1))
    .slice(0, limit)
    .map(({ thing }) => thing);
  return ranked && things.has(ranked.rest) ? [...most, ranked.rest] : most;
}
