import { engagementHttp } from '@storefront/contracts';
import type { IntervalName } from './calendar.ts';
import type { Segment } from './happened.ts';

export type ReportName = engagementHttp.ReportName;
export const reportNames = Object.keys(engagementHttp.reports) as ReportName[];

/** Without those that are about one product. */
export const reportsOfShop = reportNames.filter(
  (report) => !engagementHttp.reports[report].takes.includes('productId'),
);

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
  /** Of a report that needs it. */
  readonly productId?: string;
  readonly comparesPrevious?: boolean;
}

export function isAboutThings(report: ReportName): boolean {
  return engagementHttp.reports[report].things.length > 0;
}

/** How many things a question asks for. A report of four days by the hour has too many rows with more of them. */
export const mostThings = 60;

/** The question as a path of the API. */
export function pathOf(question: Question, more: Readonly<Record<string, string>> = {}): string {
  const { report, from, to, timezone, interval, segment, currency, window, productId, comparesPrevious } = question;
  const { takes } = engagementHttp.reports[report];
  const query = new URLSearchParams({
    from,
    to,
    timezone,
    ...(interval && { interval }),
    ...(segment && { segment }),
    ...(takes.includes('currency') && { currency }),
    ...(takes.includes('window') && window && { window: `${window}d` }),
    ...(productId !== undefined && { productId }),
    ...(takes.includes('limit') && { limit: String(mostThings) }),
    ...(comparesPrevious && { compare: 'previous' }),
    ...more,
  });
  return `/v1/analytics/reports/${report}?${query.toString()}`;
}
