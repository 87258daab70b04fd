import { invalidFields } from '@storefront/contracts';
import type { engagementHttp, FieldError } from '@storefront/contracts';

type Segment = 'retail' | 'trade';

/** Redemptions of a campaign put together: of one interval or of all, of one segment or of all. Amounts are in minor units. */
export interface PerformanceRow {
  /** When the interval begins; null for the whole time. */
  readonly start: Date | null;
  /** Null for both. */
  readonly segment: Segment | null;
  readonly redemptions: number;
  readonly released: number;
  readonly customers: number;
  readonly discount: number;
  readonly orderValue: number;
}

const day = 24 * 60 * 60 * 1000;
const longestDays = 400;
const usualDays = 30;

/** The time that is asked for. Throws where it is empty, or longer than 400 days. */
export function performanceTime(
  asked: { readonly from?: Date | undefined; readonly to?: Date | undefined },
  now: Date,
): { readonly from: Date; readonly to: Date } {
  const to = asked.to ?? now;
  const from = asked.from ?? new Date(to.getTime() - usualDays * day);
  if (from >= to) throw invalidFields([inQuery('invalid_value', 'must be before `to`, or before now')]);
  if (to.getTime() - from.getTime() > longestDays * day)
    throw invalidFields([inQuery('too_big', `must be at most ${longestDays} days before \`to\``)]);
  return { from, to };
}

function inQuery(code: string, message: string): FieldError {
  return { pointer: '/from', in: 'query', code, message };
}

/** What the rows say, for the whole time and for each interval. */
export function performanceOf(
  rows: readonly PerformanceRow[],
  currency: string,
): Pick<engagementHttp.CampaignPerformanceBody, 'all' | 'retail' | 'trade' | 'intervals'> {
  const starts = new Map(rows.flatMap(({ start }) => (start ? [[start.getTime(), start] as const] : [])));
  const inOrder = [...starts].toSorted(([one], [other]) => one - other);
  return {
    ...bySegment(
      rows.filter(({ start }) => start === null),
      currency,
    ),
    intervals: inOrder.map(([time, start]) => ({
      start: start.toISOString(),
      ...bySegment(
        rows.filter((row) => row.start?.getTime() === time),
        currency,
      ),
    })),
  };
}

function bySegment(rows: readonly PerformanceRow[], currency: string) {
  const of = (segment: Segment | null) =>
    figures(
      rows.find((row) => row.segment === segment),
      currency,
    );
  return { all: of(null), retail: of('retail'), trade: of('trade') };
}

function figures(row: PerformanceRow | undefined, currency: string) {
  const { redemptions, released, customers, discount, orderValue } = row ?? nothing;
  return {
    redemptions,
    released,
    customers,
    discount: { amount: discount, currency },
    orderValue: { amount: orderValue, currency },
    valuePerDiscount: discount === 0 ? null : Math.round((orderValue / discount) * 100) / 100,
  };
}

const nothing = { redemptions: 0, released: 0, customers: 0, discount: 0, orderValue: 0 };
