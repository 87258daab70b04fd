import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flagsOf, type Acts } from './flags.ts';

const hour = 60 * 60 * 1000;
const at = (days: number, ms = 0) => new Date(days * 24 * hour + ms);
const none: Acts = {
  views: [],
  carts: [],
  wishes: [],
  alerts: [],
  checkouts: [],
  orders: [],
  shipments: [],
  deliveries: [],
};
const flags = (acts: Partial<Acts>) =>
  Object.fromEntries([...flagsOf({ ...none, ...acts })].map(([id, found]) => [id, [...found].sort()]));

describe('flags', () => {
  it('tell a returning buyer by the earlier order, of two at one moment by the id', () => {
    const orders = [
      { id: 'b', at: at(1), products: [] },
      { id: 'c', at: at(2), products: [] },
      { id: 'a', at: at(1), products: [] },
    ];
    expect(flags({ orders })).toEqual({ b: ['returning'], c: ['returning'] });
  });

  it('tell a view that ended in an order of the product within 30 days', () => {
    const orders = [{ id: 'o', at: at(30), products: ['p'] }];
    const view = (id: string, time: Date, productId = 'p') => ({ id, at: time, productId });
    const views = [view('in', at(0)), view('late', at(0, -1)), view('after', at(30, 1)), view('other', at(1), 'q')];
    expect(flags({ orders, views })).toEqual({ in: ['ordered'] });
  });

  it('tell a wish that was ordered at any time after, and an alert within 7 days', () => {
    const orders = [{ id: 'o', at: at(100), products: ['q', 'p'] }];
    const wishes = [{ id: 'w', at: at(0), productId: 'p' }];
    const alerts = [
      { id: 'in', at: at(93), productId: 'p' },
      { id: 'out', at: at(93, -1), productId: 'p' },
    ];
    expect(flags({ orders, wishes, alerts })).toEqual({ w: ['ordered'], in: ['ordered'] });
  });

  it('tell how far a view led, step after step, within 1, 7 and 30 days', () => {
    const acts = {
      views: [
        { id: 'early', at: at(0), productId: 'x' },
        { id: 'late', at: at(3), productId: 'x' },
      ],
      wishes: [{ id: 'w', at: at(1), productId: 'y' }],
      checkouts: [
        { id: 'c0', at: at(0, 1) },
        { id: 'c', at: at(5) },
      ],
      orders: [{ id: 'o', at: at(20), products: ['z'] }],
    };
    expect(flags(acts)).toEqual({
      early: ['checkout:30', 'checkout:7', 'ordered:30', 'wishlisted:1', 'wishlisted:30', 'wishlisted:7'],
    });
  });

  it('tell how far a cart led, until what was ordered arrived', () => {
    const acts = {
      carts: [
        { id: 'first', at: at(0) },
        { id: 'again', at: at(2) },
      ],
      checkouts: [{ id: 'c', at: at(1) }],
      orders: [{ id: 'o', at: at(1), products: ['p'] }],
      shipments: [
        { id: 's0', at: at(0, 1) },
        { id: 's', at: at(4) },
      ],
      deliveries: [{ id: 'd', at: at(30, 1) }],
    };
    const windows = (step: string, ...days: number[]) => days.map((each) => `${step}:${each}`);
    expect(flags(acts)).toEqual({
      first: [...windows('bought', 1, 30, 7), ...windows('checkedOut', 1, 30, 7), ...windows('shipped', 30, 7)],
    });
  });

  it('only ever become more, and are the same in the end whatever came first', () => {
    const time = fc.integer({ min: 0, max: 40 }).map((days) => at(days));
    const productId = fc.constantFrom('p', 'q');
    const acts = fc.record({
      views: fc.array(fc.record({ at: time, productId }), { maxLength: 5 }),
      wishes: fc.array(fc.record({ at: time, productId }), { maxLength: 4 }),
      alerts: fc.array(fc.record({ at: time, productId }), { maxLength: 3 }),
      carts: fc.array(fc.record({ at: time }), { maxLength: 3 }),
      checkouts: fc.array(fc.record({ at: time }), { maxLength: 3 }),
      orders: fc.array(fc.record({ at: time, products: fc.array(productId, { maxLength: 2 }) }), { maxLength: 4 }),
      shipments: fc.array(fc.record({ at: time }), { maxLength: 2 }),
      deliveries: fc.array(fc.record({ at: time }), { maxLength: 2 }),
    });
    fc.assert(
      fc.property(acts, fc.array(fc.boolean(), { minLength: 26, maxLength: 26 }), (some, there) => {
        const ids = there.values();
        const all = Object.fromEntries(
          Object.entries(some).map(([name, list]) => [
            name,
            list.map((act, index) => ({ ...act, id: `${name}${index}`, isThere: ids.next().value ?? true })),
          ]),
        ) as unknown as { [Name in keyof Acts]: (Acts[Name][number] & { isThere: boolean })[] };
        const part = Object.fromEntries(
          Object.entries(all).map(([name, list]) => [name, list.filter(({ isThere }) => isThere)]),
        ) as unknown as Acts;
        const whole = flagsOf(all);
        for (const [id, found] of flagsOf(part)) for (const flag of found) expect(whole.get(id)?.has(flag)).toBe(true);
        for (const view of all.views) {
          for (const days of [1, 7, 30] as const) {
            const end = view.at.getTime() + days * 24 * hour;
            const within = <One extends { at: Date }>(list: readonly One[], from: Date) =>
              list.filter((one) => one.at >= from && one.at.getTime() <= end);
            const wishes = within(all.wishes, view.at);
            const checkouts = wishes.flatMap((wish) => within(all.checkouts, wish.at));
            const orders = checkouts.flatMap((checkout) => within(all.orders, checkout.at));
            const has = (step: 'wishlisted' | 'checkout' | 'ordered') =>
              whole.get(view.id)?.has(`${step}:${days}`) ?? false;
            expect([has('wishlisted'), has('checkout'), has('ordered')]).toEqual(
              [wishes, checkouts, orders].map(({ length }) => length > 0),
            );
          }
        }
      }),
    );
  });
});
