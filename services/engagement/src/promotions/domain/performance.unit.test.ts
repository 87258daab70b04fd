import { Refusal } from '@storefront/contracts';
import { expect, it } from 'vitest';
import type { CampaignDay, CustomersByEarlierDay } from './campaign-days.ts';
import { performanceOf, performanceTime } from './performance.ts';

const now = new Date('2026-05-31T23:59:59.999Z');
const eur = (amount: number) => ({ amount, currency: 'EUR' });
const nothing = { redemptions: 0, released: 0, discount: 0, orderValue: 0 };
const sums = { redemptions: 2, released: 1, discount: 300, orderValue: 1000 };
const none = {
  redemptions: 0,
  released: 0,
  customers: 0,
  discount: eur(0),
  orderValue: eur(0),
  valuePerDiscount: null,
};
const shown = (customers: number, times = 1) => ({
  redemptions: 2 * times,
  released: times,
  customers,
  discount: eur(300 * times),
  orderValue: eur(1000 * times),
  valuePerDiscount: 3.33,
});

/** A day of trade customers, who had redeemed before as is given. */
function dayOfTrade(day: string, customers: Record<string, number>): CampaignDay {
  const byEarlierDay: CustomersByEarlierDay = new Map(Object.entries(customers));
  return {
    campaignId: 'camp_1',
    day,
    sums: { retail: nothing, trade: sums },
    customers: { all: byEarlierDay, retail: new Map(), trade: byEarlierDay },
  };
}
const days = [
  dayOfTrade('2026-05-04', { '2026-05-02': 1, '2026-04-30': 1 }),
  dayOfTrade('2026-05-02', { never: 2, '2026-05-01': 1, '2026-04-20': 1 }),
];

it('shows figures by segment and interval, the oldest first, and each customer of a time once', () => {
  const of = (customers: number, times = 1) => {
    const figures = shown(customers, times);
    return { all: figures, retail: none, trade: figures };
  };
  expect(performanceOf(days, { from: '2026-05-02', interval: 'day' }, 'EUR')).toEqual({
    // One of those of May 4 is among those of May 2.
    ...of(5, 2),
    intervals: [
      { start: '2026-05-02', ...of(4) },
      { start: '2026-05-04', ...of(2) },
    ],
  });
});

it.each([
  // A week begins on Monday: May 2 is a Saturday. The customer of May 1 is a new one only where May 1 is not asked for.
  ['week', '2026-05-02', ['2026-04-27', 4], ['2026-05-04', 2]],
  ['week', '2026-04-20', ['2026-04-27', 3], ['2026-05-04', 2]],
  ['month', '2026-04-01', ['2026-05-01', 4]],
] as const)('puts days together by %s, from %s on', (interval, from, ...expected) => {
  const { intervals } = performanceOf(days, { from, interval }, 'EUR');
  expect(intervals.map(({ start, all }) => [start, all.customers])).toEqual(expected);
});

it('looks at 30 days until the end of today where nothing else is said, and at 400 days at most', () => {
  expect(performanceTime({}, now)).toEqual({ from: '2026-05-02', to: '2026-06-01' });
  expect(performanceTime({ to: '0000-01-02' }, now)).toEqual({ from: '0000-01-01', to: '0000-01-02' });
  expect(performanceTime({ from: '2025-04-27' }, now).to).toBe('2026-06-01');
  for (const from of ['2025-04-26', '2026-06-01', '2026-06-02'])
    expect(() => performanceTime({ from }, now)).toThrow(Refusal);
});
