import { Refusal } from '@storefront/contracts';
import { expect, it } from 'vitest';
import { performanceOf, performanceTime } from './performance.ts';

const now = new Date('2026-05-31T12:00:00.000Z');
const row = { redemptions: 2, released: 1, customers: 1, discount: 300, orderValue: 1000 };
const shown = {
  redemptions: 2,
  released: 1,
  customers: 1,
  discount: { amount: 300, currency: 'EUR' },
  orderValue: { amount: 1000, currency: 'EUR' },
  valuePerDiscount: 3.33,
};
const none = {
  redemptions: 0,
  released: 0,
  customers: 0,
  discount: { amount: 0, currency: 'EUR' },
  orderValue: { amount: 0, currency: 'EUR' },
  valuePerDiscount: null,
};

it('shows figures by segment and interval, the oldest first', () => {
  const [first, second] = [new Date('2026-05-01T00:00:00.000Z'), new Date('2026-05-02T00:00:00.000Z')];
  const rows = [
    { ...row, start: second, segment: null },
    { ...row, start: second, segment: 'trade' as const },
    { ...row, start: first, segment: null },
    { ...row, start: null, segment: null },
    { ...row, start: null, segment: 'retail' as const },
  ];
  expect(performanceOf(rows, 'EUR')).toEqual({
    all: shown,
    retail: shown,
    trade: none,
    intervals: [
      { start: first.toISOString(), all: shown, retail: none, trade: none },
      { start: second.toISOString(), all: shown, retail: none, trade: shown },
    ],
  });
});

it('looks at 30 days until now where nothing else is said, and at 400 days at most', () => {
  expect(performanceTime({}, now)).toEqual({ from: new Date('2026-05-01T12:00:00.000Z'), to: now });
  const days = (count: number) => ({ from: new Date(now.getTime() - count * 86_400_000) });
  expect(performanceTime(days(400), now).to).toEqual(now);
  for (const asked of [days(401), days(0), days(-1)]) expect(() => performanceTime(asked, now)).toThrow(Refusal);
});
