import { describe, expect, it } from 'vitest';
import { campaignOf, cartOf, everything, line, now, type CampaignOptions } from '../../../../test/carts.ts';
import type { Discount } from '../campaigns/rules.ts';
import type { StatedAmounts } from './parts.ts';
import { createCounts, newShopper, type ShopperCount } from './counts.ts';
import { compile } from '../evaluation/compiled-campaigns.ts';
import { openForOf, type Redemption, type StoredRedemption } from './redemption.ts';
import { maxHeldSecondsADay, maxRedemptionsADay } from './shopper-holds.ts';
import { createDecider, type DecisionInput, type Redeem } from './steps.ts';

const user = 'user_ada';
const parts = [{ campaignId: 'camp_a', code: 'CODE', amount: 100, of: 'items' as const }];

const oneOff: Discount = { type: 'fixed-amount', amount: 100, target: 'order', items: everything };
const campaign = (limits: CampaignOptions['limits']) => compile(campaignOf(oneOff, { trigger: 'code', limits }));

function decider(
  redemptions: readonly StoredRedemption[] = [],
  {
    limits = {},
    shopper,
    erased = [],
    originals = [],
  }: {
    limits?: NonNullable<CampaignOptions['limits']>;
    shopper?: ShopperCount;
    erased?: string[];
    originals?: Redemption[];
  } = {},
) {
  const open = redemptions.filter(({ status }) => status !== 'released').length;
  const counts = createCounts({
    usage: new Map([['camp_a', { redemptions: open, amount: open * 100 }]]),
    codes: new Map([['CODE', { campaignId: 'camp_a', uses: open, maximumUses: null, hasEnded: false }]]),
    shoppers: new Map(shopper ? [[user, shopper]] : []),
  });
  const input: DecisionInput = {
    redemptions,
    orders: [],
    originals: new Map(originals.map((one) => [one.id, one])),
    counts,
    rulesOf: () => campaign(limits).rules,
    candidatesFor: () => ({
      automatic: [],
      codes: counts.codes,
      campaigns: new Map([['camp_a', campaign(limits)]]),
      usage: counts.usage,
      others: [],
    }),
    erasedUsers: new Set(erased),
    now,
  };
  return { ...createDecider(input), counts };
}

const stated: StatedAmounts = { discount: null, shipping: null };

const redeem = (id: string, more: Partial<Redeem> = {}): Redeem => ({
  kind: 'redeem',
  id,
  owner: user,
  orderRef: `order of ${id}`,
  segment: 'retail',
  cart: cartOf([line('prod_a', 1, 1000)]),
  codes: ['CODE'],
  cartHash: 'hash',
  holdMs: 60_000,
  expectedDiscount: null,
  isByAdmin: false,
  ...more,
});

const stored = (
  id: string,
  status: StoredRedemption['status'],
  more: Partial<StoredRedemption> = {},
): StoredRedemption => ({
  id,
  owner: user,
  orderRef: `order of ${id}`,
  status,
  heldUntil: status === 'held' ? new Date(now.getTime() + 1000) : null,
  placedFor: null,
  parts,
  currency: 'EUR',
  cartHash: 'hash',
  createdAt: new Date(now.getTime() - 60_000),
  ...more,
});

const codeOf = (outcome: ReturnType<ReturnType<typeof decider>['decide']>) =>
  outcome.kind === 'refused' ? outcome.refusal.code : outcome.kind;

it('counts with what the steps before took and gave back', () => {
  const { decide, counts } = decider([stored('red_0', 'held')], { limits: { total: 2 } });
  expect(decide(redeem('red_1'))).toMatchObject({ kind: 'changed', isNew: true });
  expect(codeOf(decide(redeem('red_2')))).toBe('no_discount_applies');
  expect(codeOf(decide({ kind: 'release', id: 'red_0', by: { owner: user } }))).toBe('changed');
  expect(codeOf(decide(redeem('red_3')))).toBe('changed');
  const { usage, codes, shoppers } = counts.changes();
  expect(usage.get('camp_a')).toEqual({ redemptions: 1, amount: 100 });
  expect(codes.get('CODE')).toBe(1);
  expect(shoppers.get(user)).toEqual({
    firstOrder: null,
    uses: new Map([['camp_a', 1]]),
    day: '2026-11-22',
    redemptions: 2,
    heldSeconds: 120,
    holds: ['red_1', 'red_3'],
  });
});

it('answers a second redemption of an order in the same batch by the first', () => {
  const { decide } = decider();
  const order = { orderRef: 'order-1' };
  expect(decide(redeem('red_1', order))).toMatchObject({ kind: 'changed', id: 'red_1' });
  expect(decide(redeem('red_2', order))).toEqual({ kind: 'unchanged', id: 'red_1' });
  expect(codeOf(decide(redeem('red_3', { ...order, cartHash: 'other' })))).toBe('order_already_redeemed');
});

it('answers the same attempt by what it made, also where that was given back', () => {
  const { decide } = decider([stored('red_1', 'released')]);
  expect(decide(redeem('red_1'))).toEqual({ kind: 'unchanged', id: 'red_1' });
});

it('postpones what is about a redemption that an earlier step changes', () => {
  const { decide } = decider([stored('red_1', 'held')]);
  expect(codeOf(decide({ kind: 'confirm', id: 'red_1' }))).toBe('changed');
  for (const step of [
    { kind: 'confirm', id: 'red_1' },
    { kind: 'release', id: 'red_1', by: { owner: user } },
    { kind: 'end-hold', id: 'red_1' },
    { kind: 'place-order', userId: user, orderId: 'order of red_1', redemptionId: null, stated },
  ] as const)
    expect(decide(step)).toEqual({ kind: 'postponed' });
});

it('refuses users who redeemed too often today, who were erased, and nobody for what others do', () => {
  const often: ShopperCount = { ...newShopper, day: '2026-11-22', redemptions: maxRedemptionsADay };
  expect(codeOf(decider([], { shopper: often }).decide(redeem('red_1')))).toBe('too_many_redemptions');
  expect(codeOf(decider([], { shopper: { ...often, day: '2026-11-21' } }).decide(redeem('red_1')))).toBe('changed');
  expect(codeOf(decider([], { shopper: often }).decide(redeem('red_1', { isByAdmin: true })))).toBe('changed');
  expect(codeOf(decider([], { erased: [user] }).decide(redeem('red_1')))).toBe('invalid_token');
  expect(codeOf(decider([], { erased: [user] }).decide(redeem('red_1', { isByAdmin: true })))).toBe(
    'validation_failed',
  );
});

it('ends a hold only when its time is over, or where it is given up', () => {
  const { decide, changes } = decider([
    stored('red_1', 'held', { heldUntil: now }),
    stored('red_2', 'held'),
    stored('red_3', 'confirmed'),
  ]);
  for (const id of ['red_1', 'red_2', 'red_3']) expect(decide({ kind: 'end-hold', id })).toEqual({ kind: 'done' });
  expect([...changes.keys()]).toEqual(['red_1']);
  for (const id of ['red_2', 'red_3']) expect(decide({ kind: 'give-up', id })).toEqual({ kind: 'done' });
  expect([...changes.keys()]).toEqual(['red_1', 'red_2']);
});

it('confirms what the user or nobody holds for a placed order, and notes the first order', () => {
  const { decide, changes, counts } = decider([
    stored('red_1', 'held', { orderRef: 'order-1' }),
    stored('red_2', 'held', { owner: 'guest', orderRef: 'order-1' }),
    stored('red_3', 'held', { owner: 'user_bob', orderRef: 'order-1' }),
    stored('red_4', 'released', { orderRef: 'order-1' }),
    stored('red_5', 'confirmed', { orderRef: 'order-1', placedFor: 'order-1' }),
    stored('red_6', 'confirmed'),
  ]);
  decide({ kind: 'place-order', userId: user, orderId: 'order-1', redemptionId: 'red_6', stated });
  expect([...changes.keys()]).toEqual(['red_1', 'red_2', 'red_6']);
  expect(counts.changes().shoppers.get(user)).toMatchObject({ firstOrder: 'order-1' });
  expect(openForOf(user, 'order-1')).toBe('user_ada order-1');
});

it('notes no order of a user who was erased', () => {
  const { decide, counts } = decider([], { erased: [user] });
  decide({ kind: 'place-order', userId: user, orderId: 'order-1', redemptionId: null, stated });
  expect(counts.changes().shoppers.size).toBe(0);
});

const order = (orderId: string, redemptionId: string | null = null, said = stated) =>
  ({ kind: 'place-order', userId: user, orderId, redemptionId, stated: said }) as const;

describe('an order that names what was given back', () => {
  const [given, other] = ['red_01h455vb4pex5vsknk084sn02q', 'red_01h455vb4pex5vsknk084sn02r'];

  it('takes it again beyond every limit, once', () => {
    const { decide, changes, counts } = decider([stored(given, 'released'), stored(other, 'held')], {
      limits: { total: 1 },
    });
    decide(order('order-1', given));
    expect([...changes.keys()]).toEqual([given]);
    expect(counts.usage.get('camp_a')).toEqual({ redemptions: 2, amount: 200 });
    const again = decider([stored(given, 'confirmed', { placedFor: 'order-1' })]);
    again.decide(order('order-1', given));
    expect(again.changes.size).toBe(0);
  });

  it('leaves it where staff gave it back after the order had been placed', () => {
    const { decide, changes } = decider([stored(given, 'released', { placedFor: 'order-1' })]);
    decide(order('order-1', given));
    expect(changes.size).toBe(0);
  });

  it('takes nothing of other users, of nobody known, or of a user who was erased', () => {
    const { decide, changes } = decider([stored(given, 'released', { owner: 'user_bob' })]);
    for (const id of [given, other]) decide(order('order-1', id));
    expect(changes.size).toBe(0);
    const erased = decider([stored(given, 'released')], { erased: [user] });
    erased.decide(order('order-1', given));
    expect([erased.changes.size, erased.counts.changes().shoppers.size]).toEqual([0, 0]);
  });

  it('means the one that it names, and not another one that is open for it', () => {
    const ofOrder = { orderRef: 'order-1' };
    const { decide, changes } = decider([stored(given, 'released', ofOrder), stored(other, 'held', ofOrder)]);
    decide(order('order-1', given));
    expect([...changes.keys()]).toEqual([given]);
  });
});

describe('an order that names what another order was placed with', () => {
  const given = 'red_01h455vb4pex5vsknk084sn02q';
  const first = decider();
  first.decide(redeem(given, { holdMs: null }));
  const change = first.changes.get(given);
  if (!change) throw new Error('nothing was redeemed');
  const original: Redemption = { ...change(null).result, placedFor: 'order-1' };

  it('takes the same discounts once, also where its event comes twice at the same time', () => {
    const { decide, changes, counts } = decider([original], { originals: [original] });
    expect(decide(order('order-2', given))).toEqual({ kind: 'done' });
    expect(decide(order('order-2', given))).toEqual({ kind: 'postponed' });
    expect(changes.size).toBe(1);
    expect(counts.usage.get('camp_a')).toEqual({ redemptions: 2, amount: 200 });
  });

  it('takes none for a user who was erased', () => {
    const { decide, changes } = decider([original], { originals: [original], erased: [user] });
    decide(order('order-2', given));
    expect(changes.size).toBe(0);
  });
});

describe('a placed order', () => {
  it('lowers what was held to what the order states, and nothing that was confirmed', () => {
    const said = { discount: { amount: 40, currency: 'EUR' }, shipping: null };
    const { decide, counts } = decider([stored('red_1', 'held'), stored('red_2', 'confirmed')]);
    for (const id of ['red_1', 'red_2']) decide(order(`order of ${id}`, null, said));
    expect(counts.changes().usage.get('camp_a')).toEqual({ redemptions: 0, amount: -60 });
    const other = decider([stored('red_1', 'held')]);
    other.decide(order('order of red_1', null, { ...said, discount: { amount: 40, currency: 'GBP' } }));
    expect(other.counts.changes().usage.size).toBe(0);
  });
});

describe('a shopper', () => {
  const holding = (more: Partial<ShopperCount>): ShopperCount => ({ ...newShopper, day: '2026-11-22', ...more });

  it('holds discounts for three orders at once, and for six hours a day without an order', () => {
    const three = holding({ holds: ['red_1', 'red_2', 'red_3'] });
    const refused = decider([], { shopper: three }).decide(redeem('red_4'));
    expect(codeOf(refused)).toBe('too_many_open_holds');
    expect(refused.kind === 'refused' && refused.refusal.members).toEqual({ redemptionIds: three.holds });
    const byAdmin = decider([], { shopper: three });
    expect(codeOf(byAdmin.decide(redeem('red_4', { isByAdmin: true })))).toBe('changed');
    expect(byAdmin.counts.shopper(user).holds).toEqual(three.holds);
    const long = holding({ heldSeconds: maxHeldSecondsADay - 59 });
    expect(codeOf(decider([], { shopper: long }).decide(redeem('red_1')))).toBe('held_too_long');
    expect(codeOf(decider([], { shopper: { ...long, day: '2026-11-21' } }).decide(redeem('red_1')))).toBe('changed');
    const enough = holding({ heldSeconds: maxHeldSecondsADay - 60 });
    expect(codeOf(decider([], { shopper: enough }).decide(redeem('red_1')))).toBe('changed');
  });

  it('has only the time counted for which it was held, and none where an order was placed', () => {
    const shopper = holding({ holds: ['red_1', 'red_2', 'red_3'], heldSeconds: 360 });
    const held = (id: string) => stored(id, 'held', { heldUntil: new Date(now.getTime() + 60_000) });
    const { decide, counts } = decider([held('red_1'), held('red_2'), held('red_3')], { shopper });
    decide({ kind: 'release', id: 'red_1', by: { owner: user } });
    expect(counts.shopper(user)).toMatchObject({ holds: ['red_2', 'red_3'], heldSeconds: 300 });
    decide(order('order of red_2'));
    decide({ kind: 'confirm', id: 'red_3' });
    expect(counts.shopper(user)).toMatchObject({ holds: [], heldSeconds: 60 });
  });

  it('gives back only what is held; staff also what is confirmed, and spare what was ordered', () => {
    const redemptions = [stored('red_1', 'confirmed'), stored('red_2', 'confirmed', { placedFor: 'order-2' })];
    const { decide } = decider(redemptions);
    const admin = { userId: 'user_boss', role: 'admin', ip: null, device: null } as const;
    const release = (id: string, sparingPlaced: boolean) =>
      codeOf(decide({ kind: 'release', id, by: { admin, sparingPlaced } }));
    expect(codeOf(decide({ kind: 'release', id: 'red_1', by: { owner: user } }))).toBe('redemption_not_held');
    expect([release('red_1', true), release('red_2', true), release('red_2', false)]).toEqual([
      'changed',
      'unchanged',
      'changed',
    ]);
  });
});
