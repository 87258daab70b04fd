import { calendarOf } from '@storefront/calendar';
import { expect, it } from 'vitest';
import { momentsOf } from './moments.ts';
import { dateOf, shopDaysOf } from './shop-days.ts';

const shopDays = shopDaysOf(calendarOf('Europe/Berlin'));

it.each([
  ['2026-03-01', ['2026-02-10 48', '2026-03-02 0', '2026-04-01 0', '2026-05-01 0', '2026-05-31 0']],
  // The change comes when the invoice is overdue already, and on the day on which it is overdue for 61 days.
  ['2025-12-11', ['2026-02-10 48', '2026-02-10 48', '2026-02-10 48', '2026-02-10 48', '2026-03-12 0']],
])(
  'a change of what is owed and due on %s counts from midnight of the shop on, and never before it is one',
  (dueOn, at) => {
    const fact = {
      id: 'evt',
      kind: 'invoice-balance-changed',
      at: new Date('2026-02-10T11:00:00Z'),
      segment: 'trade' as const,
      person: null,
      data: { invoiceId: 'inv', currency: 'EUR', dueOn, delta: 5 },
    };
    const moments = momentsOf(fact, shopDays);
    expect(moments.map((each) => `${dateOf(each.at.day)} ${each.at.quarter}`)).toEqual(at);
    expect(moments.map(({ counts }) => Object.keys(counts[0]?.measures ?? {}))).toEqual(
      ['open', 'open1', 'open31', 'open61', 'open91'].map((measure) => [measure]),
    );
  },
);
