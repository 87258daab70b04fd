import { engagementHttp } from '@storefront/contracts';
import { clockOf, dateBefore, type IntervalName } from './expected/calendar.ts';
import { reportNames, type Question } from './expected/question.ts';
import { currencies, zones } from './edge-history.ts';

const dayMs = 24 * 60 * 60_000;

interface Range {
  readonly interval: IntervalName;
  readonly from: string;
  readonly to: string;
  readonly timezone: string;
}

/**
 * All reports over a history of so many days: by hours, days, weeks and months, in several zones, segments and currencies. Those
 * about one product are about this one.
 */
export function questionsAbout(end: number, days: number, productId: string): Question[] {
  const [first, last] = [dateOf(end - days * dayMs), dateOf(end + dayMs)];
  const ranges = zones.flatMap((timezone): Range[] => [
    { interval: 'month', from: first, to: last, timezone },
    { interval: 'week', from: first, to: last, timezone },
    { interval: 'day', from: dateBefore(last, 70), to: last, timezone },
    ...clockChanges(timezone, end, days).map((day): Range => {
      return { interval: 'hour', from: dateBefore(day, 1), to: dateBefore(day, -2), timezone };
    }),
    { interval: 'hour', from: `${first.slice(0, 4)}-12-30`, to: `${Number(first.slice(0, 4)) + 1}-01-03`, timezone },
  ]);
  const ofAll = ranges.flatMap((range) =>
    reportNames.map((report): Question => ({ report, ...range, currency: currencies[0], comparesPrevious: true })),
  );
  const whole = { from: first, to: last, timezone: zones[0] };
  const inParts = reportNames.flatMap((report): Question[] => [
    { report, ...whole, interval: 'week', currency: currencies[1] },
    // The whole time in one row for each thing, where the report has things.
    { report, ...whole, from: dateBefore(last, 40), currency: currencies[0] },
    ...engagementHttp.reports[report].segments.map((segment): Question => ({
      report,
      ...whole,
      interval: 'month',
      segment,
      currency: currencies[0],
    })),
  ]);
  const windows = ([1, 7, 30] as const).map((window): Question => ({
    report: 'funnel',
    ...whole,
    interval: 'week',
    window,
    currency: currencies[0],
  }));
  return [...ofAll, ...inParts, ...windows].map((question) =>
    engagementHttp.reports[question.report].takes.includes('productId') ? { ...question, productId } : question,
  );
}

/** The days of those before `end` on which the clocks of the zone are changed. */
function clockChanges(zone: string, end: number, days: number): string[] {
  const clock = clockOf(zone);
  return Array.from({ length: days }, (_, ago) => end - ago * dayMs)
    .filter((moment) => clock(moment).offset !== clock(moment - dayMs).offset)
    .map((moment) => clock(moment).date);
}

function dateOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}
