import { invalidFields, type engagementHttp, type FieldError } from '@storefront/contracts';
import { customersIn, dayOf, type CampaignDay, type Day, type Group, type Sums } from './campaign-days.ts';

type Interval = 'day' | 'week' | 'month';

/** The days from `from` (inclusive) to `to` (exclusive). */
export interface Time {
  readonly from: Day;
  readonly to: Day;
}

const dayMs = 24 * 60 * 60 * 1000;
const longestDays = 400;
const usualDays = 30;
/** The first day that ISO 8601 writes with a year of four digits. Earlier years have a longer form. */
const firstDay = '0000-01-01';

/**
 * Returns the requested time. By default, `to` is the day after today, and `from` is 30 days before `to`. Throws where
 * the time is empty, or longer than 400 days.
 */
export function performanceTime(
  asked: { readonly from?: Day | undefined; readonly to?: Day | undefined },
  now: Date,
): Time {
  const to = asked.to ?? daysAfter(dayOf(now), 1);
  const usual = daysAfter(to, -usualDays);
  const from = asked.from ?? (usual < firstDay ? firstDay : usual);
  if (from >= to) throw invalidFields([inQuery('invalid_value', 'must be before `to`, or not after today')]);
  if (from < daysAfter(to, -longestDays))
    throw invalidFields([inQuery('too_big', `must be at most ${longestDays} days before \`to\``)]);
  return { from, to };
}

function inQuery(code: string, message: string): FieldError {
  return { pointer: '/from', in: 'query', code, message };
}

/** Calculates the results of a campaign for the whole time and for each interval. `days` may be in any order. */
export function performanceOf(
  days: readonly CampaignDay[],
  { from, interval }: { readonly from: Day; readonly interval: Interval },
  currency: string,
): Pick<engagementHttp.CampaignPerformanceBody, 'all' | 'retail' | 'trade' | 'intervals'> {
  const intervals = Map.groupBy(days, ({ day }) => startOf(interval, day));
  return {
    ...byGroup(days, from, currency),
    intervals: [...intervals.keys()].toSorted().map((start) => ({
      start,
      // The first interval may begin before the requested time.
      ...byGroup(intervals.get(start) ?? [], start < from ? from : start, currency),
    })),
  };
}

function byGroup(days: readonly CampaignDay[], from: Day, currency: string) {
  const of = (group: Group) => figures(sumOf(days, group), customersIn(days, group, from), currency);
  return { all: of('all'), retail: of('retail'), trade: of('trade') };
}

function sumOf(days: readonly CampaignDay[], group: Group): Sums {
  const parts = days.flatMap(({ sums }) => (group === 'all' ? [sums.retail, sums.trade] : [sums[group]]));
  const total = (of: (sums: Sums) => number) => parts.reduce((sum, part) => sum + of(part), 0);
  return {
    redemptions: total(({ redemptions }) => redemptions),
    released: total(({ released }) => released),
    discount: total(({ discount }) => discount),
    orderValue: total(({ orderValue }) => orderValue),
  };
}

function figures({ redemptions, released, discount, orderValue }: Sums, customers: number, currency: string) {
  return {
    redemptions,
    released,
    customers,
    discount: { amount: discount, currency },
    orderValue: { amount: orderValue, currency },
    valuePerDiscount: discount === 0 ? null : Math.round((orderValue / discount) * 100) / 100,
  };
}

/** Returns the first day of the interval; weeks begin on Monday. */
function startOf(interval: Interval, day: Day): Day {
  if (interval === 'day') return day;
  if (interval === 'month') return `${day.slice(0, 7)}-01`;
  const sinceMonday = (new Date(day).getUTCDay() + 6) % 7;
  return daysAfter(day, -sinceMonday);
}

function daysAfter(day: Day, count: number): Day {
  return dayOf(new Date(Date.parse(day) + count * dayMs));
}
