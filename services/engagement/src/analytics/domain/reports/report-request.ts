import { engagementHttp, invalidFields, type FieldError } from '@storefront/contracts';
import { addDays, calendarOf } from '@storefront/calendar';
import { funnelWindows, type FunnelWindow } from '../facts/count.ts';
import type { Segment } from '../facts/fact.ts';
import { countIntervals, lengthOf, type Days, type Unit, type Zone } from './intervals.ts';
import { localClock } from './local-hours.ts';
import type { Order, Report } from './report.ts';
import { reports } from './reports.ts';

/** A request for a report, with defaults filled in. */
export interface ReportRequest {
  readonly name: engagementHttp.ReportName;
  readonly report: Report;
  readonly days: Days;
  /** The unit of the intervals. null where each row is about the whole time. */
  readonly unit: Unit | null;
  readonly zone: Zone;
  readonly segments: readonly Segment[];
  readonly currency: string;
  readonly by: Order;
  /** The greatest number of things in the report. */
  readonly limit: number;
  readonly window: FunnelWindow;
  /** The product whose variants the report is about. undefined where the report is not about variants. */
  readonly productId: string | undefined;
  readonly comparesPrevious: boolean;
  readonly now: Date;
}

/** The time zone and the currency of the shop. They are used where a request names none. */
export interface ReportDefaults {
  readonly zone: Zone;
  readonly currency: string;
}

const maxIntervals = 400;
const maxRows = 20_000;
const usualDays = 30;
const usualLimit = 20;
const usualWindow: FunnelWindow = 7;
/**
 * The number of days in 400 months. A request without intervals may ask for as much time as a request with 400 months.
 */
const longestDays = 12_175;
const ownParameters = ['currency', 'by', 'limit', 'window', 'productId'] as const;

/**
 * Returns the request with its defaults. Throws `validation_failed` with every parameter that the report does not take,
 * or that asks for too much.
 */
export function requestedReport(
  name: engagementHttp.ReportName,
  query: engagementHttp.ReportQuery,
  shop: ReportDefaults,
  now: Date,
): ReportRequest {
  const report = reports[name];
  const { takes, segments } = engagementHttp.reports[name];
  const { timezone, segment, interval, currency = shop.currency, by = 'revenue', limit } = query;
  const zone = timezone === undefined || timezone === shop.zone.name ? shop.zone : zoneOf(timezone);
  const to = query.to ?? addDays(zone.calendar.dayOf(now), 1);
  const days = { from: query.from ?? addDays(to, -usualDays), to };
  const unit = interval ?? (report.things ? null : 'day');

  const faults = [...faultsOfTime(days, unit, zone), ...faultsOfParameters(name, query)];
  if (faults.length > 0) throw invalidFields(faults);
  return {
    name,
    report,
    days,
    unit,
    zone,
    segments: segment ? [segment] : segments,
    currency,
    by,
    limit: limit ?? (takes.includes('limit') ? usualLimit : Number.POSITIVE_INFINITY),
    window: funnelWindows.find((window) => `${window}d` === query.window) ?? usualWindow,
    productId: query.productId,
    comparesPrevious: query.compare === 'previous',
    now,
  };
}

/** The calendar and the clock of a time zone. Throws a RangeError where there is no such time zone. */
export function zoneOf(name: string): Zone {
  return { name, calendar: calendarOf(name), clock: localClock(name) };
}

/** Throws `validation_failed` where that number of things and intervals makes too many rows. */
export function assertNotTooManyRows({ name, segments }: ReportRequest, things: number, intervals: number): void {
  if (things * intervals * segments.length <= maxRows) return;
  const message = `makes more than ${maxRows} rows: ask for fewer`;
  const fields = engagementHttp.reports[name].takes.includes('limit') ? ['interval', 'limit'] : ['interval'];
  throw invalidFields(fields.map((field) => inQuery(field, 'too_big', message)));
}

function faultsOfTime(days: Days, unit: Unit | null, zone: Zone): FieldError[] {
  const { from, to } = days;
  if (from >= to)
    return [
      inQuery('from', 'invalid_value', 'must be before `to`, or not after today'),
      inQuery('to', 'invalid_value', 'must be after `from`'),
    ];
  const message =
    unit !== null && countIntervals(unit, days, zone) > maxIntervals
      ? `must be at most ${maxIntervals} intervals apart`
      : lengthOf(days) > longestDays
        ? `must be at most ${longestDays} days apart`
        : null;
  return message === null ? [] : ['from', 'to'].map((field) => inQuery(field, 'too_big', message));
}

function faultsOfParameters(name: engagementHttp.ReportName, query: engagementHttp.ReportQuery): FieldError[] {
  const { takes, segments } = engagementHttp.reports[name];
  const foreign = ownParameters.filter((parameter) => query[parameter] !== undefined && !takes.includes(parameter));
  const isWithoutProduct = takes.includes('productId') && query.productId === undefined;
  const isForeignSegment = query.segment !== undefined && !segments.includes(query.segment);
  return [
    ...foreign.map((parameter) => inQuery(parameter, 'unknown_field', `The report ${name} does not take it.`)),
    ...(isWithoutProduct ? [inQuery('productId', 'required', `The report ${name} needs it.`)] : []),
    ...(isForeignSegment ? [inQuery('segment', 'invalid_value', `must be ${segments.join(' or ')}`)] : []),
  ];
}

function inQuery(field: string, code: string, message: string): FieldError {
  return { pointer: `/${field}`, in: 'query', code, message };
}
