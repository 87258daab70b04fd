import { calendarOf } from '@storefront/calendar';
import { describe, expect, it } from 'vitest';
import type { Family } from '../../analytics/domain/facts/count.ts';
import { countsOf, kinds } from '../../analytics/domain/facts/kinds.ts';
import { historyOf, type HistoryPlan } from './history.ts';
import type { HistoryFact } from './story.ts';

const calendar = calendarOf('Europe/Berlin');
const plan: HistoryPlan = {
  seed: 'test',
  shop: {
    products: Array.from({ length: 12 }, (_, at) => ({
      id: `prod_${at}`,
      categoryId: at === 0 ? null : `cat_${at % 3}`,
      price: 1000 + at * 100,
      tradePrice: 800 + at * 80,
    })),
    campaigns: [
      { id: 'camp_all', segment: 'all', percent: 10 },
      { id: 'camp_trade', segment: 'trade', percent: 5 },
    ],
    currency: 'EUR',
  },
  calendar,
  from: '2025-11-23',
  to: '2026-11-23',
  factsPerDay: 60,
};
const facts = [...historyOf(plan)].flat();

const countOf = (counted: (fact: HistoryFact) => boolean) => facts.filter(counted).length;
const share = (part: (fact: HistoryFact) => boolean, whole: (fact: HistoryFact) => boolean) =>
  countOf((fact) => whole(fact) && part(fact)) / countOf(whole);
const isOf =
  (...names: HistoryFact['kind'][]) =>
  ({ kind }: HistoryFact) =>
    names.includes(kind);
const isView = isOf('product-viewed');
const userOf = ({ by }: HistoryFact) => (by && 'userId' in by ? by.userId : null);

describe('the history of a shop', () => {
  it('is the same for the same seed, and another one for another seed', () => {
    const short = { ...plan, to: '2026-01-01' };
    const again = [...historyOf(short)].flat();
    expect(again.length).toBeGreaterThan(1000);
    expect([...historyOf(short)].flat()).toEqual(again);
    const others = new Set([...historyOf({ ...short, seed: 'other' })].flat().map(({ id }) => id));
    expect(again.filter(({ id }) => others.has(id))).toEqual([]);
  });

  it('only gains facts when it goes on for longer', () => {
    const shorter = [...historyOf({ ...plan, to: '2026-11-01' })].flat();
    const longer = new Map(facts.map((fact) => [fact.id, fact]));
    expect(shorter.filter((fact) => JSON.stringify(longer.get(fact.id)) !== JSON.stringify(fact))).toEqual([]);
    expect(countOf(({ at }) => at < calendar.startOf('2026-11-01'))).toBe(shorter.length);
  });

  it('lies within its days, has each id once, and about as many facts as asked for', () => {
    expect(countOf(({ at }) => at < calendar.startOf(plan.from) || at >= calendar.startOf(plan.to))).toBe(0);
    expect(new Set(facts.map(({ id }) => id)).size).toBe(facts.length);
    const asked = plan.factsPerDay * 365;
    expect(facts.length / asked).toBeGreaterThan(0.85);
    expect(facts.length / asked).toBeLessThan(1.15);
  });

  it('has facts of the shape that their kinds keep, and nothing besides', () => {
    for (const { kind, data } of facts) expect(kinds[kind].data.parse(data)).toEqual(data);
  });

  it('names nobody: no address, no name, no text but searches and ids', () => {
    const texts = new Set<string>();
    for (const { data } of facts)
      JSON.stringify(data, (_, value: unknown) => {
        if (typeof value === 'string') texts.add(value);
        return value;
      });
    const plain = /^((prod|cat|camp)_\w+|inv_[0-9a-z]{26}|[a-z- ]+|EUR|EMAIL|IN_APP|\d{4}-\d{2}-\d{2})$/;
    expect([...texts].filter((text) => !plain.test(text))).toEqual([]);
  });

  it('has a week: shoppers come at the weekend and in the evening, businesses in office hours', () => {
    const local = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', weekday: 'short', hour: '2-digit' });
    const isWeekend = ({ at }: HistoryFact) => /Sat|Sun/.test(local.format(at));
    const isEvening = ({ at }: HistoryFact) => /(18|19|20|21)$/.test(local.format(at));
    const isTrade = (fact: HistoryFact) => isView(fact) && fact.segment === 'trade';
    const isShopper = (fact: HistoryFact) => isView(fact) && fact.segment !== 'trade';
    expect(share(isWeekend, isShopper)).toBeGreaterThan(2 / 7);
    expect(share(isWeekend, isTrade)).toBeLessThan(0.1);
    expect(share(isEvening, isShopper)).toBeGreaterThan(0.28);
    expect(share(isEvening, isTrade)).toBeLessThan(0.1);
  });

  it('has a season: more in December than in July', () => {
    const inMonth = (month: string) => countOf((fact) => isView(fact) && fact.at.toISOString().startsWith(month));
    expect(inMonth('2025-12') / inMonth('2026-07')).toBeGreaterThan(1.3);
  });

  it('has customers who come back, and some who ordered once', () => {
    const orders = new Map<string, number>();
    for (const fact of facts.filter(isOf('order-placed')))
      orders.set(userOf(fact) ?? '', (orders.get(userOf(fact) ?? '') ?? 0) + 1);
    expect(orders.has('')).toBe(false);
    const often = [...orders.values()].filter((count) => count > 1).length;
    expect(often / orders.size).toBeGreaterThan(0.15);
    expect(often / orders.size).toBeLessThan(0.85);
  });

  it('has something of everything that reports count', () => {
    const measures: Partial<Record<Family, Set<string>>> = {};
    for (const fact of facts)
      for (const { family, measures: of, value } of countsOf({ ...fact, person: 1 }))
        for (const name of [...Object.keys(of), ...(value === undefined ? [] : ['a value'])])
          (measures[family] ??= new Set()).add(name);
    expect(measures).toEqual({
      registrations: new Set(['begun', 'verified', 'applied', 'approved', 'rejected', 'a value']),
      sales: new Set(['orders', 'units', 'gross', 'discount', 'net', 'known']),
      productSales: new Set(['units', 'revenue']),
      productInterest: new Set(['views', 'wishlists']),
      campaigns: new Set(['redemptions', 'discount', 'orderValue']),
      notifications: new Set(['requested', 'delivered', 'failed', 'suppressed', 'read', 'a value']),
      wishlists: new Set(['additions', 'removals', 'alerts']),
      searches: new Set(['times', 'withoutResult']),
      receivables: new Set(['invoiced', 'paid', 'overdue', 'open', 'a value']),
    });
    expect(share(({ data }) => 'results' in data && data.results === 0, isOf('search-performed'))).toBeGreaterThan(
      0.05,
    );
  });

  it('leaves nothing wrong behind: what is owed of an invoice is its total, or nothing once it is paid', () => {
    const open = new Map<string, number>();
    const paid = new Set<string>();
    for (const { kind, data } of facts) {
      if (kind === 'invoice-balance-changed') open.set(data.invoiceId, (open.get(data.invoiceId) ?? 0) + data.delta);
      if (kind === 'invoice-paid') paid.add(data.invoiceId);
    }
    const wrong = facts.filter(({ kind, data }) => {
      if (kind !== 'invoice-issued') return false;
      return open.get(data.invoiceId) !== (paid.has(data.invoiceId) ? 0 : data.total);
    });
    expect(wrong).toEqual([]);
    expect(paid.size).toBeGreaterThan(0);
    expect(paid.size).toBeLessThan(open.size);
  });

  it('counts each order as what its lines say, less its discount', () => {
    for (const fact of facts) {
      if (fact.kind !== 'order-placed') continue;
      const { sale, lines } = fact.data;
      const sum = (of: 'units' | 'revenue') => lines.reduce((all, line) => all + line[of], 0);
      expect(sale).toEqual({
        ...sale,
        units: sum('units'),
        gross: sum('revenue'),
        net: sum('revenue') - sale.discount,
      });
    }
  });
});
