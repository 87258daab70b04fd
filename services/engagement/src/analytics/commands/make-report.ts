import { engagementHttp } from '@storefront/contracts';
import type { RollUps } from '../store/roll-ups/reads.ts';
import { variantKey } from '../domain/facts/variant-key.ts';
import { assertNotTooManyRows, type ReportRequest } from '../domain/reports/report-request.ts';
import type { Reading, Sums } from '../domain/reports/figures.ts';
import { daysBefore, intervalsOf, oneInterval, type NamedInterval } from '../domain/reports/intervals.ts';
import { everything, type Things } from '../domain/reports/report.ts';
import { addUp, rowsOf, sumsOfEverything, topThings, totalsOf } from '../domain/reports/rows.ts';
import type { ThingNames } from './thing-names.ts';
import { rollUpReads, type RollUpReads } from './read-roll-ups.ts';

type Body = engagementHttp.ReportBody;
type Made = Pick<Body, 'rows' | 'totals'>;

export interface ReportNeeds {
  readonly rollUps: RollUps;
  readonly thingNames: ThingNames;
}

/**
 * Makes a report from roll-ups only, without reading facts. Throws `validation_failed` where the report would have too
 * many rows.
 */
export async function makeReport({ rollUps, thingNames }: ReportNeeds, requested: ReportRequest): Promise<Body> {
  const { name, report, days, unit, zone, currency, comparesPrevious } = requested;
  const { things } = report;
  // `asOf` is read first. So everything up to that time is in the sums that are read afterwards.
  const asOf = await rollUps.asOf();
  const reads = rollUpReads(rollUps, requested);
  const [{ rows, totals }, previous] = await Promise.all([
    things ? ofThings(reads, requested, things) : ofEverything(reads, requested),
    comparesPrevious ? ofDaysBefore(reads, requested) : undefined,
  ]);
  return {
    report: name,
    ...days,
    interval: unit,
    timezone: zone.name,
    currency: engagementHttp.reports[name].takes.includes('currency') ? currency : null,
    asOf: asOf.toISOString(),
    rows: things?.namedBy ? await withNames(rows, thingNames[things.namedBy]) : rows,
    totals,
    ...(previous && { previous }),
  };
}

async function ofEverything(reads: RollUpReads, requested: ReportRequest): Promise<Made> {
  const parts = await reads.sums(everything, intervalsIn(requested));
  // The sums of the totals are added up from the rows, not read again. Otherwise facts that were counted in between
  // would be in the totals but not in the rows. People and medians cannot be added up, so they are read a second time.
  const all = addUp(
    parts.map(({ sums }) => sums),
    requested.report.families,
  );
  const [readings, totals] = await Promise.all([
    reads.complete(new Map([[everything, parts]])),
    totalsIn(reads, requested, wholeOf(requested), all),
  ]);
  return { rows: rowsOfAll(requested, readings), totals };
}

async function ofThings(reads: RollUpReads, requested: ReportRequest, things: Things): Promise<Made> {
  const whole = wholeOf(requested);
  const known = await reads.sumsOfThings(whole);
  const top = topThings(requested, things, known);
  const intervals = intervalsIn(requested);
  assertNotTooManyRows(requested, top.length, intervals.length);

  async function partsOf(thing: string) {
    const sums = known.get(thing);
    return requested.unit === null && sums ? [{ interval: whole, sums }] : reads.sums(thing, intervals);
  }
  async function readAll() {
    const parts = await Promise.all(top.map(async (thing) => [thing, await partsOf(thing)] as const));
    return reads.complete(new Map(parts));
  }
  const [readings, totals] = await Promise.all([
    readAll(),
    totalsIn(reads, requested, whole, sumsOfEverything(known, requested.report.families)),
  ]);
  return { rows: rowsOfAll(requested, readings), totals };
}

function rowsOfAll(requested: ReportRequest, things: ReadonlyMap<string, readonly Reading[]>): Made['rows'] {
  return [...things].flatMap(([thing, readings]) => readings.flatMap((reading) => rowsOf(requested, thing, reading)));
}

async function ofDaysBefore(reads: RollUpReads, requested: ReportRequest): Promise<NonNullable<Body['previous']>> {
  const { report, zone } = requested;
  const days = daysBefore(requested.days);
  const interval = oneInterval(days, zone);
  const sums = report.things
    ? sumsOfEverything(await reads.sumsOfThings(interval), report.families)
    : addUp(
        (await reads.sums(everything, [interval])).map((part) => part.sums),
        report.families,
      );
  return { ...days, totals: await totalsIn(reads, requested, interval, sums) };
}

async function totalsIn(
  reads: RollUpReads,
  requested: ReportRequest,
  interval: NamedInterval,
  sums: Sums,
): Promise<Body['totals']> {
  return totalsOf(requested, await reads.completeTotals({ interval, sums }));
}

async function withNames(rows: Body['rows'], namesOf: ThingNames[keyof ThingNames]): Promise<Body['rows']> {
  const idOf = ({ productId, variantId, campaignId }: Body['rows'][number]) =>
    variantId === undefined ? (productId ?? campaignId ?? '') : variantKey(productId ?? '', variantId ?? undefined);
  const names = await namesOf([...new Set(rows.map(idOf))]);
  return rows.map((row) => ({ ...row, name: names.get(idOf(row)) ?? null }));
}

function intervalsIn({ unit, days, zone }: ReportRequest): NamedInterval[] {
  return unit === null ? [oneInterval(days, zone)] : intervalsOf(unit, days, zone);
}

function wholeOf({ days, zone }: ReportRequest): NamedInterval {
  return oneInterval(days, zone);
}
