import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/arbitrary-carts.ts';
import {
  campaignOf,
  cartOf,
  evaluated,
  everything,
  line,
  now,
  only,
  useOf,
  visitor,
  type CampaignOptions,
} from '../../../../test/carts.ts';
import type { Shopper } from './cart.ts';

const ada: Shopper = { ...visitor, userId: 'user_ada' };
const tradeAda: Shopper = { ...ada, segment: 'trade' };
const used = { redemptions: 3, amount: 0 };
const hour = 3_600_000;
const at = (hours: number) => new Date(now.getTime() + hours * hour);

interface NotEligible {
  readonly reason: string;
  readonly conditions?: CampaignOptions['conditions'];
  readonly limits?: CampaignOptions['limits'];
  readonly rules?: Omit<CampaignOptions, 'conditions' | 'limits'>;
  readonly shopper?: Partial<Shopper>;
  readonly items?: typeof everything;
}

/** In the order in which they are said. Several together do not get into each other's way. */
const notEligible: readonly NotEligible[] = [
  { reason: 'ended', conditions: { endsAt: now } },
  { reason: 'paused', rules: { stage: 'paused' } },
  { reason: 'not_started', conditions: { startsAt: at(1) } },
  { reason: 'other_currency', rules: { currency: 'USD' } },
  { reason: 'wrong_segment', conditions: { segment: 'trade' } },
  { reason: 'not_first_order', conditions: { firstOrderOnly: true }, shopper: { hasOrdered: true } },
  { reason: 'used_up', limits: { total: 3 } },
  { reason: 'used_up_by_you', limits: { perUser: 2 }, shopper: { uses: new Map([['camp_a', 2]]) } },
  { reason: 'minimum_subtotal', conditions: { minimumSubtotal: 1001 } },
  { reason: 'minimum_quantity', conditions: { minimumQuantity: 3 } },
  { reason: 'no_matching_items', items: only({ products: ['prod_other'] }) },
  { reason: 'budget_exhausted', limits: { budget: 99 } },
];

function reasonFor(present: readonly NotEligible[], shopper: Shopper) {
  const items = present.find((why) => why.items)?.items ?? everything;
  const rules = campaignOf(
    { type: 'fixed-amount', amount: 100, target: 'order', items },
    {
      ...Object.assign({}, ...present.map((why) => why.rules)),
      conditions: Object.assign({}, ...present.map(({ conditions }) => conditions)),
      limits: Object.assign({}, ...present.map(({ limits }) => limits)),
    },
  );
  const { campaigns } = evaluated({
    cart: cartOf([line('prod_a', 2, 500)]),
    shopper: Object.assign({}, shopper, ...present.map((why) => why.shopper)),
    campaigns: [useOf(rules, { usage: used })],
  });
  return campaigns[0];
}

describe('a campaign that does not apply', () => {
  it.each(notEligible)('says $reason', (why) => {
    expect(reasonFor([why], ada)).toMatchObject({ applied: false, amount: 0, reason: why.reason });
  });

  it('says the first reason that holds, of however many', () => {
    fc.assert(
      fc.property(fc.subarray([...notEligible]), (present) => {
        expect(reasonFor(present, ada)?.reason).toBe(present[0]?.reason ?? null);
      }),
      runs,
    );
  });

  it('says `sign_in_required` before anything about segments, orders and uses', () => {
    const forUsers: NotEligible[] = [
      { reason: '', conditions: { segment: 'trade' } },
      { reason: '', conditions: { firstOrderOnly: true } },
      { reason: '', limits: { perUser: 1 } },
    ];
    const later = notEligible.slice(notEligible.findIndex(({ reason }) => reason === 'used_up'));
    fc.assert(
      fc.property(fc.subarray(forUsers, { minLength: 1 }), fc.subarray([...later]), (needs, others) => {
        expect(reasonFor([...needs, ...others], visitor)?.reason).toBe('sign_in_required');
      }),
      runs,
    );
  });
});

describe('a segment', () => {
  it.each([
    ['all', visitor, null],
    ['all', tradeAda, null],
    ['retail', visitor, null],
    ['retail', ada, null],
    ['retail', tradeAda, 'wrong_segment'],
    ['trade', visitor, 'sign_in_required'],
    ['trade', ada, 'wrong_segment'],
    ['trade', tradeAda, null],
    // Staff evaluate for trade customers.
    ['trade', { ...visitor, segment: 'trade' }, null],
  ] as const)('%s is for %o: %s', (segment, shopper, reason) => {
    expect(reasonFor([{ reason: '', conditions: { segment } }], shopper)?.reason).toBe(reason);
  });
});

describe('a limit', () => {
  it.each([
    ['total', { total: 4 }, null],
    ['total', { total: 3 }, 'used_up'],
    ['total', { total: 2 }, 'used_up'],
    ['perUser', { perUser: 1 }, null],
    ['budget', { budget: 100 }, null],
    ['budget', { budget: 99 }, 'budget_exhausted'],
  ])('%s of %o: %s', (_name, limits, reason) => {
    expect(reasonFor([{ reason: '', limits }], ada)?.reason).toBe(reason);
  });

  it('of each user counts the uses of that campaign alone', () => {
    const shopper = { ...ada, uses: new Map([['camp_other', 9]]) };
    expect(reasonFor([{ reason: '', limits: { perUser: 1 } }], shopper)?.reason).toBeNull();
  });
});

it('a first order is one of a user who has not ordered', () => {
  expect(reasonFor([{ reason: '', conditions: { firstOrderOnly: true } }], ada)?.reason).toBeNull();
});
