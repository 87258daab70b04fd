import { expect, it } from 'vitest';
import { campaignOf, cartOf, everything, line, now } from '../../../test/carts.ts';
import type { CampaignOptions } from '../../../test/carts.ts';
import type { Discount } from '../../campaigns/domain/rules.ts';
import { createCounts } from './counts.ts';
import type { ShopperCount } from './counts.ts';
import { compile } from './compile.ts';
import { openForOf } from './redemption.ts';
import type { StoredRedemption } from './redemption.ts';
import { createDecider, maxRedemptionsADay } from './steps.ts';
import type { Redeem, World } from './steps.ts';

const user = 'user_ada';
const parts = [{ campaignId: 'camp_a', code: 'CODE', amount: 100 }];

const oneOff: Discount = { type: 'fixed-amount', amount: 100, target: 'order', items: everything };
const campaign = (limits: CampaignOptions['limits']) => compile(campaignOf(oneOff, { trigger: 'code', limits }));

function decider(
  redemptions: readonly StoredRedemption[] = [],
  {
    limits = {},
    shopper,
    erased = [],
  }: { limits?: NonNullable<CampaignOptions['limits']>; shopper?: ShopperCount; erased?: string[] } = {},
) {
  const open = redemptions.filter(({ status }) => status !== 'released').length;
  const counts = createCounts({
    usage: new Map([['camp_a', { redemptions: open, amount: open * 100 }]]),
    codes: new Map([['CODE', { campaignId: 'camp_a', uses: open, maximumUses: null, hasEnded: false }]]),
    shoppers: new Map(shopper ? [[user, shopper]] : []),
  });
  const world: World = {
    redemptions,
    counts,
    offersFor: () => ({
      automatic: [],
      codes: counts.codes,
      campaigns: new Map([['camp_a', campaign(limits)]]),
      usage: counts.usage,
      others: [],
    }),
    erasedUsers: new Set(erased),
    now,
  };
  return { ...createDecider(world), counts };
}

const redeem = (id: string, more: Partial<Redeem> = {}): Redeem => ({
  kind: 'redeem',
  id,
  owner: user,
  orderRef: `order of ${id}`,
  segment: 'retail',
  cart: cartOf([line('prod_a', 1, 1000)]),
  codes: ['CODE'],
  cartHash: 'hash',
  holdMs: null,
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
  placedAt: null,
  parts,
  cartHash: 'hash',
  ...more,
});

const codeOf = (outcome: ReturnType<ReturnType<typeof decider>['decide']>) =>
  outcome.kind === 'refused' ? outcome.refusal.code : outcome.kind;

it('counts with what the steps before took and gave back', () => {
  const { decide, counts } = decider([stored('red_0', 'confirmed')], { limits: { total: 2 } });
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
  expect(codeOf(decide({ kind: 'confirm', id: 'red_1', owner: user }))).toBe('changed');
  for (const step of [
    { kind: 'confirm', id: 'red_1', owner: user },
    { kind: 'release', id: 'red_1', by: { owner: user } },
    { kind: 'end-hold', id: 'red_1' },
    { kind: 'place-order', userId: user, orderId: 'order of red_1', ids: [] },
  ] as const)
    expect(decide(step)).toEqual({ kind: 'postponed' });
});

it('refuses users who redeemed too often today, who were erased, and nobody for what others do', () => {
  const often: ShopperCount = { firstOrder: null, uses: new Map(), day: '2026-11-22', redemptions: maxRedemptionsADay };
  expect(codeOf(decider([], { shopper: often }).decide(redeem('red_1')))).toBe('too_many_redemptions');
  expect(codeOf(decider([], { shopper: { ...often, day: '2026-11-21' } }).decide(redeem('red_1')))).toBe('changed');
  expect(codeOf(decider([], { shopper: often }).decide(redeem('red_1', { isByAdmin: true })))).toBe('changed');
  expect(codeOf(decider([], { erased: [user] }).decide(redeem('red_1')))).toBe('invalid_token');
  expect(codeOf(decider([], { erased: [user] }).decide(redeem('red_1', { isByAdmin: true })))).toBe(
    'validation_failed',
  );
});

it('ends a hold only when its time is over', () => {
  const { decide, changes } = decider([
    stored('red_1', 'held', { heldUntil: now }),
    stored('red_2', 'held'),
    stored('red_3', 'confirmed'),
  ]);
  for (const id of ['red_1', 'red_2', 'red_3']) expect(decide({ kind: 'end-hold', id })).toEqual({ kind: 'done' });
  expect([...changes.keys()]).toEqual(['red_1']);
});

it('confirms what the user or nobody holds for a placed order, and notes the first order', () => {
  const { decide, changes, counts } = decider([
    stored('red_1', 'held', { orderRef: 'order-1' }),
    stored('red_2', 'held', { owner: 'guest', orderRef: 'order-1' }),
    stored('red_3', 'held', { owner: 'user_bob', orderRef: 'order-1' }),
    stored('red_4', 'released', { orderRef: 'order-1' }),
    stored('red_5', 'confirmed', { placedAt: now }),
    stored('red_6', 'confirmed'),
  ]);
  decide({ kind: 'place-order', userId: user, orderId: 'order-1', ids: ['red_3', 'red_4', 'red_5', 'red_6'] });
  expect([...changes.keys()]).toEqual(['red_1', 'red_2', 'red_6']);
  expect(counts.changes().shoppers.get(user)).toMatchObject({ firstOrder: 'order-1' });
  expect(openForOf(user, 'order-1')).toBe('user_ada order-1');
});

it('notes no order of a user who was erased', () => {
  const { decide, counts } = decider([], { erased: [user] });
  decide({ kind: 'place-order', userId: user, orderId: 'order-1', ids: [] });
  expect(counts.changes().shoppers.size).toBe(0);
});
