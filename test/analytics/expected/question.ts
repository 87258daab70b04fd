import type { IntervalName } from './calendar.ts';
import type { Segment } from './happened.ts';

export const reportNames = [
  'summary',
  'registrations',
  'sales',
  'products',
  'campaigns',
  'notifications',
  'wishlists',
  'funnel',
  'searches',
  'receivables',
] as const;
export type ReportName = (typeof reportNames)[number];

/** What is asked of a report. */
export interface Question {
  readonly report: ReportName;
  readonly from: string;
  readonly to: string;
  readonly timezone: string;
  /** By default days; the whole time for reports about things. */
  readonly interval?: IntervalName;
  readonly segment?: Segment;
  readonly currency: string;
  readonly window?: 1 | 7 | 30;
  readonly comparesPrevious?: boolean;
}

const withoutCurrency: ReadonlySet<ReportName> = new Set([
  'registrations',
  'notifications',
  'wishlists',
  'funnel',
  'searches',
]);
export const ofThings: ReadonlySet<ReportName> = new Set(['products', 'campaigns', 'notifications', 'searches']);

/** How many things a question asks for. A report of four days by the hour has too many rows with more of them. */
export const mostThings = 60;

/** The question as a path of the API. */
export function pathOf(question: Question, more: Readonly<Record<string, string>> = {}): string {
  const { report, from, to, timezone, interval, segment, currency, window, comparesPrevious } = question;
  const query = new URLSearchParams({
    from,
    to,
    timezone,
    ...(interval && { interval }),
    ...(segment && { segment }),
    ...(!withoutCurrency.has(report) && { currency }),
    ...(report === 'funnel' && window && { window: `${window}d` }),
    ...(['products', 'campaigns', 'searches'].includes(report) && { limit: String(mostThings) }),
    ...(comparesPrevious && { compare: 'previous' }),
    ...more,
  });
  return `/v1/analytics/reports/${report}?${query.toString()}`;
}
