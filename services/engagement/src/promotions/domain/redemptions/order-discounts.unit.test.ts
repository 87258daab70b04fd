import { engagementEvents, newId, type Decision, type Fact } from '@storefront/contracts';
import * as fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { campaignOf, cartOf, everything, line, now } from '../../../../test/carts.ts';
import { compile } from '../evaluation/compiled-campaigns.ts';
import type { Usage } from '../evaluation/deductions.ts';
import { createCounts, newShopper, type ShopperCount } from './counts.ts';
import { holdIdOf, type OrderDiscounts } from './order-discounts.ts';
import { guest, openForOf, userOf, type Redemption } from './redemption.ts';
import { maxRedemptionsADay } from './shopper-holds.ts';
import { createDecider, idsOf, openForsOf, orderIdsOf, type HoldForOrder, type Outcome, type Step } from './steps.ts';

const user = 'user_ada';
const rules = campaignOf(
  { type: 'percentage', basisPoints: 1000, target: 'order', items: everything, maximumAmount: null },
  { trigger: 'code', limits: { total: 3, budget: 350 } },
);
const campaign = compile(rules);

/** What is stored. `work` decides steps together, as one transaction does, and saves what was decided. */
function openStore({ erased = [] }: { readonly erased?: readonly string[] } = {}) {
  const redemptions = new Map<string, Redemption>();
  const orders = new Map<string, OrderDiscounts>();
  const shoppers = new Map<string, ShopperCount>();
  const [usage, code] = [{ redemptions: 0, amount: 0 }, { uses: 0 }];
  const facts: Fact[] = [];
  let runs = true;

  function save<State>(into: Map<string, State>, id: string, decision: Decision<State, State>): void {
    if (decision.kind !== 'changed') return;
    into.set(id, decision.state);
    facts.push(...decision.facts);
  }

  function attempt(steps: readonly Step[]): readonly Outcome[] {
    const [ids, openFor] = [new Set(steps.flatMap(idsOf)), new Set(steps.flatMap(openForsOf))];
    const counts = createCounts({
      usage: new Map([[rules.id, usage as Usage]]),
      codes: new Map([['CODE', { campaignId: rules.id, uses: code.uses, maximumUses: 2, hasEnded: false }]]),
      shoppers,
    });
    const decider = createDecider({
      redemptions: [...redemptions.values()].filter(
        (one) => ids.has(one.id) || (one.openFor !== undefined && openFor.has(one.openFor)),
      ),
      orders: steps.flatMap(orderIdsOf).flatMap((id) => orders.get(id) ?? []),
      originals: redemptions,
      counts,
      rulesOf: () => rules,
      candidatesFor: () => ({
        automatic: [],
        codes: counts.codes,
        campaigns: runs ? new Map([[rules.id, campaign]]) : new Map(),
        usage: counts.usage,
        others: [],
      }),
      erasedUsers: new Set(erased),
      now,
    });
    const outcomes = steps.map(decider.decide);
    const changes = counts.changes();
    usage.redemptions += changes.usage.get(rules.id)?.redemptions ?? 0;
    usage.amount += changes.usage.get(rules.id)?.amount ?? 0;
    code.uses += changes.codes.get('CODE') ?? 0;
    for (const [id, shopper] of changes.shoppers) shoppers.set(id, shopper);
    for (const [id, decide] of decider.changes) save(redemptions, id, decide(redemptions.get(id) ?? null));
    for (const [id, decision] of decider.orderChanges) save(orders, id, decision);
    return outcomes;
  }

  return {
    redemptions,
    orders,
    shoppers,
    usage,
    code,
    /** What an order was answered, each time. */
    answersTo: (orderId: string) => facts.filter(({ subject }) => subject === orderId),
    facts,
    endCampaign: () => (runs = false),
    work(...steps: readonly Step[]): readonly Outcome[] {
      const outcomes = new Map<Step, Outcome>();
      for (let left = steps; left.length > 0; left = left.filter((step) => !outcomes.has(step)))
        for (const [index, outcome] of attempt(left).entries()) {
          const step = left[index];
          if (step && outcome.kind !== 'postponed') outcomes.set(step, outcome);
        }
      return steps.flatMap((step) => outcomes.get(step) ?? []);
    },
  };
}

const hold = (orderId: string, more: Partial<HoldForOrder> = {}): Step => ({
  kind: 'hold-for-order',
  id: holdIdOf(orderId) ?? '',
  orderId,
  owner: user,
  segment: 'retail',
  cart: cartOf([line('prod_a', 1, 1000)]),
  codes: ['CODE'],
  ...more,
});
const cancel = (orderId: string): Step => ({ kind: 'cancel-order', orderId });
const place = (orderId: string, more: object = {}): Step => ({
  kind: 'place-order',
  orderId,
  userId: user,
  redemptionId: holdIdOf(orderId),
  stated: { discount: null, shipping: null },
  ...more,
});

const typeOf = ({ type }: Fact) => type;
const [first, second, third] = [newId('ord'), newId('ord'), newId('ord')];
const held = (orderId: string, store: ReturnType<typeof openStore>) => store.redemptions.get(holdIdOf(orderId) ?? '');

describe('an order that asks for its discounts', () => {
  it('holds them without an end, and is answered what they are, again as often as it asks', () => {
    const store = openStore();
    store.work(hold(first), hold(first));
    store.work(hold(first));
    expect(held(first, store)).toMatchObject({ status: 'held', heldUntil: null, owner: user, orderRef: first });
    expect(held(first, store)).not.toHaveProperty('openFor');
    expect(store.usage).toEqual({ redemptions: 1, amount: 100 });
    const answers = store.answersTo(first);
    expect(answers.map(typeOf)).toEqual(Array(3).fill(engagementEvents.discountHeld.type));
    for (const { data } of answers)
      expect(data).toEqual({
        redemptionId: holdIdOf(first),
        currency: 'EUR',
        lines: [{ lineId: 'prod_a', discount: 100 }],
        discount: 100,
        shippingDiscount: 0,
        campaigns: [{ campaignId: rules.id, name: rules.name, code: 'CODE', amount: 100 }],
        codes: [{ code: 'CODE', status: 'applied' }],
      });
  });

  it('is answered that nothing applies, also where a campaign would apply when it asks again', () => {
    const store = openStore();
    store.work(hold(first), hold(second));
    store.work(hold(third));
    store.work(cancel(first));
    store.work(hold(third));
    const nothing = {
      redemptionId: null,
      lines: [{ lineId: 'prod_a', discount: 0 }],
      discount: 0,
      campaigns: [],
      codes: [{ code: 'CODE', status: 'used_up' }],
    };
    expect(store.answersTo(third).map(({ data }) => data)).toMatchObject([nothing, nothing]);
    expect(store.usage).toEqual({ redemptions: 1, amount: 100 });
  });

  it('is answered as before once the campaign has ended', () => {
    const store = openStore();
    store.work(hold(first));
    store.endCampaign();
    store.work(hold(first));
    const [one, other] = store.answersTo(first);
    expect(other?.data).toEqual(one?.data);
  });

  it('is refused only where it costs too much, and where its user was erased', () => {
    const store = openStore({ erased: ['user_bob'] });
    store.work(hold(first, { cart: null }), hold(second, { owner: 'user_bob' }));
    store.work(hold(second, { owner: 'user_bob' }));
    expect([...store.answersTo(first), ...store.answersTo(second)].map(({ type, data }) => [type, data])).toEqual([
      [engagementEvents.discountRefused.type, { reason: 'amount_too_large' }],
      [engagementEvents.discountRefused.type, { reason: 'user_erased' }],
      [engagementEvents.discountRefused.type, { reason: 'user_erased' }],
    ]);
  });

  it('is none of the three orders of a shopper, nor of the hours and the times of the day', () => {
    const store = openStore();
    const busy = { ...newShopper, day: '2026-11-22', redemptions: maxRedemptionsADay, heldSeconds: 21_600 };
    store.shoppers.set(user, { ...busy, holds: ['red_1', 'red_2', 'red_3'] });
    store.work(hold(first));
    expect(held(first, store)?.status).toBe('held');
    expect(store.shoppers.get(user)).toMatchObject({ heldSeconds: 21_600, holds: ['red_1', 'red_2', 'red_3'] });
  });

  it('may be of nobody known', () => {
    const store = openStore();
    store.work(hold(first, { owner: guest }));
    store.work(place(first, { userId: null }));
    expect(held(first, store)).toMatchObject({ owner: guest, status: 'confirmed', placedFor: first });
    expect(store.shoppers.size).toBe(0);
  });
});

describe('what is held for an order', () => {
  it('ends with the order alone', () => {
    const store = openStore();
    store.work(hold(first));
    const id = holdIdOf(first) ?? '';
    const admin = { userId: 'user_boss', role: 'admin', ip: null, device: null } as const;
    const outcomes = store.work(
      { kind: 'release', id, by: { owner: user } },
      { kind: 'release', id, by: { admin } },
      { kind: 'confirm', id },
      { kind: 'end-hold', id },
      { kind: 'give-up', id },
    );
    expect(outcomes.map((one) => (one.kind === 'refused' ? one.refusal.code : one.kind))).toEqual([
      'redemption_held_for_order',
      'redemption_held_for_order',
      'redemption_held_for_order',
      'done',
      'done',
    ]);
    expect(held(first, store)?.status).toBe('held');
  });

  it('is kept from nobody by what a shopper holds under the same reference', () => {
    const store = openStore();
    store.work({
      kind: 'redeem',
      id: 'red_1',
      owner: user,
      orderRef: first,
      segment: 'retail',
      cart: cartOf([line('prod_a', 1, 500)]),
      codes: ['CODE'],
      cartHash: 'hash',
      holdMs: 60_000,
      expectedDiscount: null,
      isByAdmin: false,
    });
    store.work(hold(first));
    expect(store.redemptions.get('red_1')?.openFor).toBe(openForOf(user, first));
    store.work(place(first, { redemptionId: null }));
    expect([held(first, store)?.status, store.redemptions.get('red_1')?.status]).toEqual(['confirmed', 'held']);
  });

  it('is confirmed by the order, also of a user who was erased, and given back once by its end', () => {
    const store = openStore({ erased: [user] });
    store.work(hold(first, { owner: 'user_bob' }));
    const erased = held(first, store);
    if (erased) store.redemptions.set(erased.id, { ...erased, owner: 'erased', orderRef: erased.id });
    store.work(place(first));
    expect(held(first, store)?.status).toBe('confirmed');
    store.work(cancel(first), cancel(first));
    store.work(cancel(first));
    expect(held(first, store)?.status).toBe('released');
    expect(store.usage).toEqual({ redemptions: 0, amount: 0 });
    const released = store.facts.filter(({ type }) => type === engagementEvents.discountReleased.type);
    expect(released.map(({ data }) => data)).toMatchObject([{ was: 'confirmed', reason: 'order-cancelled' }]);
  });

  it('is taken by no request and no order after the order was cancelled', () => {
    const store = openStore();
    store.work(cancel(first));
    store.work(hold(first));
    store.work(hold(second));
    store.work(cancel(second), place(second), hold(second));
    expect([held(first, store), held(second, store)?.status]).toEqual([undefined, 'released']);
    expect([store.answersTo(first).length, store.answersTo(second).length]).toEqual([0, 1]);
    expect(store.shoppers.get(user)?.firstOrder).toBeNull();
  });

  it('is remembered for 90 days after the order has ended, and as long as it has not', () => {
    const store = openStore();
    store.work(hold(first), hold(second), cancel(third));
    store.work(place(second));
    const days = (orderId: string) => {
      const until = store.orders.get(orderId)?.keptUntil;
      return until ? (until.getTime() - now.getTime()) / 86_400_000 : null;
    };
    expect([first, second, third].map(days)).toEqual([null, 90, 90]);
  });
});

describe('in any order, any number of times', () => {
  const orderIds = Array.from({ length: 5 }, () => newId('ord'));
  const price = fc.integer({ min: 300, max: 2000 });
  const owner = fc.constantFrom(user, 'user_bob', guest);
  const orders = fc.tuple(...orderIds.map(() => fc.record({ price, owner })));
  const steps = fc.array(
    fc.array(fc.tuple(fc.nat({ max: orderIds.length - 1 }), fc.constantFrom('hold', 'cancel', 'place')), {
      minLength: 1,
      maxLength: 6,
    }),
    { maxLength: 12 },
  );

  it('counts the sum of what is open, within the limits, and answers each order one thing', () => {
    fc.assert(
      fc.property(orders, steps, (known, batches) => {
        const store = openStore();
        const cancelled = new Map<string, number>();
        for (const batch of batches) {
          store.work(
            ...batch.map(([at, what]): Step => {
              const [orderId, order] = [orderIds[at] ?? '', known[at] ?? { price: 0, owner: guest }];
              if (what === 'cancel') return cancel(orderId);
              if (what === 'place') return place(orderId, { userId: userOf(order) });
              return hold(orderId, { owner: order.owner, cart: cartOf([line('prod_a', 1, order.price)]) });
            }),
          );
          const open = [...store.redemptions.values()].filter(({ status }) => status !== 'released');
          const amount = open.reduce((sum, { parts }) => sum + (parts[0]?.amount ?? 0), 0);
          expect(store.usage).toEqual({ redemptions: open.length, amount });
          expect(store.code.uses).toBe(open.length);
          expect(store.code.uses).toBeLessThanOrEqual(2);
          expect(amount).toBeLessThanOrEqual(350);
          for (const [id, { uses, holds }] of store.shoppers) {
            expect(uses.get(rules.id) ?? 0).toBe(open.filter((one) => userOf(one) === id).length);
            expect(holds).toEqual([]);
          }
          for (const orderId of orderIds) {
            const answers = store.answersTo(orderId);
            for (const { data } of answers) expect(data).toEqual(answers[0]?.data);
            if (store.orders.get(orderId)?.status !== 'cancelled') continue;
            expect(held(orderId, store)?.status ?? 'released').toBe('released');
            expect(answers.length).toBe(cancelled.get(orderId) ?? answers.length);
            cancelled.set(orderId, answers.length);
          }
        }
      }),
      { numRuns: inject('isProof') ? 10_000 : 300 },
    );
  });
});
