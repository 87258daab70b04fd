import { expect, it } from 'vitest';
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
import type { Discount, Selector } from '../campaigns/rules.ts';
import type { Cart, Shopper } from './cart.ts';
import type { CampaignUse } from './deductions.ts';

const percent = (percentage: number, more: Partial<Extract<Discount, { type: 'percentage' }>> = {}): Discount => ({
  type: 'percentage',
  basisPoints: percentage * 100,
  target: 'order',
  items: everything,
  maximumAmount: null,
  ...more,
});
const amount = (off: number, more: Partial<Extract<Discount, { type: 'fixed-amount' }>> = {}): Discount => ({
  type: 'fixed-amount',
  amount: off,
  target: 'order',
  items: everything,
  ...more,
});
const buyGet = (
  [buy, bought]: readonly [number, Selector],
  [get, given]: readonly [number, Selector],
  percentage = 100,
  maximumApplications: number | null = null,
): Discount => ({
  type: 'buy-x-get-y',
  buy: { quantity: buy, items: bought },
  get: { quantity: get, items: given, basisPoints: percentage * 100 },
  maximumApplications,
});
const freeShipping = (maximumAmount: number | null = null): Discount => ({ type: 'free-shipping', maximumAmount });

const active = (id: string, discount: Discount, options: CampaignOptions = {}) =>
  useOf(campaignOf(discount, { id, ...options }));
const alone = { combination: 'exclusive' } as const;
const ofItems = { target: 'items' } as const;
const threeForTwo = buyGet([2, everything], [1, everything]);

const shirts = only({ categories: ['cat_shirts'] });
const ties = only({ categories: ['cat_ties'] });
const clothes = only({ categories: ['cat_clothes'] });
const shirt = (quantity: number, price: number) =>
  line('shirt', quantity, price, { categoryIds: ['cat_shirts', 'cat_clothes'] });
const tie = (quantity: number, price: number) =>
  line('tie', quantity, price, { categoryIds: ['cat_ties', 'cat_clothes'] });
const small = (productId: string, quantity: number, price: number, lineId = 'small') =>
  line(productId, quantity, price, { lineId, variantId: `${productId}_s` });
const medium = (productId: string, quantity: number, price: number, lineId = 'medium') =>
  line(productId, quantity, price, { lineId, variantId: `${productId}_m` });
const productButSmall = only({ products: ['a'], excludedVariants: ['a_s'] });
const later = new Date(now.getTime() + 1);
const ada: Shopper = { ...visitor, userId: 'user_ada', hasOrdered: true, uses: new Map([['e', 1]]) };
const trader: Shopper = { ...visitor, userId: 'user_trader', segment: 'trade' };

interface Example {
  readonly what: string;
  readonly cart: Cart;
  readonly shopper?: Shopper;
  readonly campaigns: readonly CampaignUse[];
  /** What comes off each line, in the order of the cart. */
  readonly off: readonly number[];
  readonly shippingDiscount?: number;
  readonly total: number;
  /** What each campaign takes off, or why it does not apply, with what is missing. */
  readonly said: Readonly<Record<string, number | string>>;
}

const examples: readonly Example[] = [
  {
    what: 'ten percent of two products',
    cart: cartOf([line('a', 2, 1000), line('b', 1, 999)]),
    campaigns: [active('camp', percent(10))],
    // 10 % of 2999 are 299.9: 300. a: 300 x 2000 / 2999 = 200.07; b: 300 x 999 / 2999 = 99.93, the larger remainder.
    off: [200, 100],
    total: 2699,
    said: { camp: 300 },
  },
  {
    what: 'a percentage of items before a fixed amount of the order, in spite of its priority, and shipping',
    cart: cartOf([line('a', 2, 1000), line('b', 1, 999)], { shipping: 499 }),
    campaigns: [active('five', amount(500)), active('ten', percent(10, ofItems), { priority: 9 })],
    // As above 300, of a 200 and of b 100. 2699 are left: 1800 and 899. 500 x 1800 / 2699 = 333.46; 500 x 899 / 2699 = 166.54.
    off: [200 + 333, 100 + 167],
    total: 2999 - 300 - 500 + 499,
    said: { five: 500, ten: 300 },
  },
  {
    what: 'a fixed amount before a percentage of the same phase, by priority',
    cart: cartOf([line('a', 1, 3000)]),
    campaigns: [active('ten', percent(10), { priority: 2 }), active('five', amount(500), { priority: 1 })],
    // 3000 - 500 = 2500; 10 % of it are 250.
    off: [750],
    total: 2250,
    said: { five: 500, ten: 250 },
  },
  {
    what: 'two percentages of the same priority, by id',
    cart: cartOf([line('a', 1, 101)]),
    campaigns: [active('b', percent(10)), active('a', percent(50))],
    // 50 % of 101 are 50.5: 51. 10 % of the other 50 are 5. The other way round it would be 10 and 46.
    off: [56],
    total: 45,
    said: { a: 51, b: 5 },
  },
  {
    what: 'three for two with different prices',
    cart: cartOf([line('a', 1, 3000), line('b', 1, 2000), line('c', 1, 1000)]),
    campaigns: [active('camp', threeForTwo)],
    // The cheapest is given.
    off: [0, 0, 1000],
    total: 5000,
    said: { camp: 1000 },
  },
  {
    what: 'three for two, twice',
    cart: cartOf([line('a', 4, 500), line('b', 2, 300)]),
    campaigns: [active('camp', threeForTwo)],
    // 6 units: 2 applications. The two cheapest cost 2 x 300.
    off: [0, 600],
    total: 2600 - 600,
    said: { camp: 600 },
  },
  {
    what: 'three for two, twice, but once at most',
    cart: cartOf([line('a', 4, 500), line('b', 2, 300)]),
    campaigns: [active('camp', buyGet([2, everything], [1, everything], 100, 1))],
    off: [0, 300],
    total: 2600 - 300,
    said: { camp: 300 },
  },
  {
    what: 'three for two of two units',
    cart: cartOf([line('a', 2, 500)]),
    campaigns: [active('camp', threeForTwo)],
    // No whole application.
    off: [0],
    total: 1000,
    said: { camp: 'no_matching_items' },
  },
  {
    what: 'three for two after ten percent',
    cart: cartOf([line('a', 3, 100)]),
    campaigns: [active('a', percent(10, ofItems)), active('b', threeForTwo)],
    // 300 - 30 = 270; one unit of three is 90.
    off: [120],
    total: 180,
    said: { a: 30, b: 90 },
  },
  {
    what: 'three for two where the cheapest costs nothing',
    cart: cartOf([line('a', 2, 500), line('sample', 1, 0)]),
    campaigns: [active('camp', threeForTwo)],
    // The sample is given: 0.
    off: [0, 0],
    total: 1000,
    said: { camp: 'no_matching_items' },
  },
  {
    what: 'buy two shirts, get a tie at 50 %',
    cart: cartOf([shirt(3, 2000), tie(2, 1501)]),
    campaigns: [active('camp', buyGet([2, shirts], [1, ties], 50))],
    // min(3 / 2, 2 / 1, 5 / 3) = 1 application. 50 % of 1501 are 750.5: 751.
    off: [0, 751],
    total: 6000 + 3002 - 751,
    said: { camp: 751 },
  },
  {
    what: 'buy a shirt, get two ties, of which there is one',
    cart: cartOf([shirt(3, 2000), tie(1, 1500)]),
    campaigns: [active('camp', buyGet([1, shirts], [2, ties]))],
    // min(3 / 1, 1 / 2, 4 / 3): no whole application.
    off: [0, 0],
    total: 7500,
    said: { camp: 'no_matching_items' },
  },
  {
    what: 'three for two before ten percent of the order, in spite of its priority',
    cart: cartOf([line('a', 3, 100)]),
    campaigns: [active('a', percent(10)), active('b', threeForTwo, { priority: 9 })],
    // 100; 10 % of the other 200 are 20.
    off: [120],
    total: 180,
    said: { a: 20, b: 100 },
  },
  {
    what: 'buy a shirt, get the cheapest of all clothes, which is a shirt',
    cart: cartOf([shirt(2, 1000), tie(1, 1500)]),
    campaigns: [active('camp', buyGet([1, shirts], [1, clothes]))],
    // min(2 / 1, 3 / 1, 3 / 2) = 1 application. One shirt is bought, the other one given.
    off: [1000, 0],
    total: 3500 - 1000,
    said: { camp: 1000 },
  },
  {
    what: 'buy two shirts, get the cheapest of all clothes that is not bought',
    cart: cartOf([shirt(2, 1000), tie(1, 1500)]),
    campaigns: [active('camp', buyGet([2, shirts], [1, clothes]))],
    // 1 application. Both shirts count as bought.
    off: [0, 1500],
    total: 3500 - 1500,
    said: { camp: 1500 },
  },
  {
    what: 'an exclusive campaign that takes more than the stack',
    cart: cartOf([line('a', 1, 10_000)]),
    campaigns: [active('a', percent(10)), active('b', percent(5)), active('c', percent(15), alone)],
    // The stack: 1000, then 5 % of 9000 = 450. Alone: 1500.
    off: [1500],
    total: 8500,
    said: { a: 'excluded_by_other', b: 'excluded_by_other', c: 1500 },
  },
  {
    what: 'an exclusive campaign that takes less than the stack',
    cart: cartOf([line('a', 1, 10_000)]),
    campaigns: [active('a', percent(10)), active('b', percent(5)), active('c', percent(14), alone)],
    // 1450 against 1400.
    off: [1450],
    total: 8550,
    said: { a: 1000, b: 450, c: 'better_offer_applied' },
  },
  {
    what: 'an exclusive campaign against a stack that also takes from the shipping',
    cart: cartOf([line('a', 1, 10_000)], { shipping: 600 }),
    campaigns: [active('a', percent(10)), active('b', freeShipping()), active('c', percent(15), alone)],
    // 1000 + 600 against 1500.
    off: [1000],
    shippingDiscount: 600,
    total: 9000,
    said: { a: 1000, b: 600, c: 'better_offer_applied' },
  },
  {
    what: 'two exclusive campaigns',
    cart: cartOf([line('a', 1, 10_000)]),
    campaigns: [active('a', percent(10), alone), active('b', amount(1001), alone)],
    // 1000 against 1001.
    off: [1001],
    total: 8999,
    said: { a: 'better_offer_applied', b: 1001 },
  },
  {
    what: 'a tie, by priority',
    cart: cartOf([line('a', 1, 10_000)]),
    campaigns: [active('a', percent(10), { priority: 2 }), active('b', amount(1000), { ...alone, priority: 1 })],
    // 1000 against 1000.
    off: [1000],
    total: 9000,
    said: { a: 'excluded_by_other', b: 1000 },
  },
  {
    what: 'a tie of the same priority, by id',
    cart: cartOf([line('a', 1, 10_000)]),
    campaigns: [active('a', percent(10)), active('b', amount(1000), alone)],
    off: [1000],
    total: 9000,
    said: { a: 1000, b: 'better_offer_applied' },
  },
  {
    what: 'a tie with a stack, for which the first campaign stands that applies',
    cart: cartOf([line('a', 1, 10_000)]),
    campaigns: [
      active('a', percent(10, { items: shirts }), { priority: 1 }),
      active('b', percent(10), { priority: 3 }),
      active('c', amount(1000), { ...alone, priority: 2 }),
    ],
    // 1000 against 1000. a does not apply, so 3 stands against 2.
    off: [1000],
    total: 9000,
    said: { a: 'no_matching_items', b: 'excluded_by_other', c: 1000 },
  },
  {
    what: 'a maximum, spread over lines',
    cart: cartOf([line('a', 3, 700), line('b', 1, 900)]),
    campaigns: [active('camp', percent(50, { maximumAmount: 1000 }))],
    // 50 % of 3000 are 1500: 1000. 1000 x 2100 / 3000 = 700; 1000 x 900 / 3000 = 300.
    off: [700, 300],
    total: 2000,
    said: { camp: 1000 },
  },
  {
    what: 'half a cent',
    cart: cartOf([line('a', 1, 1010)]),
    campaigns: [active('camp', percent(5))],
    // 50.5: up.
    off: [51],
    total: 959,
    said: { camp: 51 },
  },
  {
    what: 'less than half a cent',
    cart: cartOf([line('a', 1, 1009)]),
    campaigns: [active('camp', percent(5))],
    // 50.45.
    off: [50],
    total: 959,
    said: { camp: 50 },
  },
  {
    what: 'half a cent of each of two lines, rounded once',
    cart: cartOf([line('a', 1, 10), line('b', 1, 10)]),
    campaigns: [active('camp', percent(5))],
    // 5 % of 20 are 1; the remainders are 0.5 and 0.5, so a has it.
    off: [1, 0],
    total: 19,
    said: { camp: 1 },
  },
  {
    what: 'one cent over three lines',
    cart: cartOf([line('c', 1, 100), line('b', 1, 100), line('a', 1, 100)]),
    campaigns: [active('camp', amount(1))],
    // 0.33 each: the first product has it, in whatever order the lines are.
    off: [0, 0, 1],
    total: 299,
    said: { camp: 1 },
  },
  {
    what: 'one cent over two prices of a product that cost the same together',
    cart: cartOf([line('a', 1, 200), line('a', 2, 100, { lineId: 'cheaper' })]),
    campaigns: [active('camp', amount(1))],
    // 0.5 each: the lower price has it.
    off: [0, 1],
    total: 399,
    said: { camp: 1 },
  },
  {
    what: 'one euro over three lines of the same product',
    cart: cartOf([1, 2, 3].map((number) => line('a', 1, 333, { lineId: `line_${number}` }))),
    campaigns: [active('camp', amount(100))],
    // 33.33 each.
    off: [34, 33, 33],
    total: 899,
    said: { camp: 100 },
  },
  {
    what: 'a budget that would be passed',
    cart: cartOf([line('a', 1, 10_000)]),
    campaigns: [active('a', percent(10), { limits: { budget: 5000 } }), active('b', percent(5))].map((use) => ({
      ...use,
      usage: { redemptions: 9, amount: 4001 },
    })),
    // 1000 of at most 999. 5 % of all 10000 are 500.
    off: [500],
    total: 9500,
    said: { a: 'budget_exhausted', b: 500 },
  },
  {
    what: 'a budget that is used to the cent',
    cart: cartOf([line('a', 1, 10_000)]),
    campaigns: [active('a', percent(10), { limits: { budget: 5000 } }), active('b', percent(5))].map((use) => ({
      ...use,
      usage: { redemptions: 9, amount: 4000 },
    })),
    // 1000 of at most 1000; 5 % of 9000.
    off: [1450],
    total: 8550,
    said: { a: 1000, b: 450 },
  },
  {
    what: 'a fixed amount larger than the cart, which leaves nothing to the next one, but the shipping',
    cart: cartOf([line('a', 2, 1000), line('b', 1, 999)], { shipping: 499 }),
    campaigns: [active('a', amount(5000)), active('b', percent(10))],
    // All 2999.
    off: [2000, 999],
    total: 499,
    said: { a: 2999, b: 'excluded_by_other' },
  },
  {
    what: 'a fixed amount of the order except gift cards',
    cart: cartOf([line('gift-card', 1, 5000), line('a', 1, 800)]),
    campaigns: [active('camp', amount(1000, { items: only({ excludedProducts: ['gift-card'] }) }))],
    // At most the 800 of a.
    off: [0, 800],
    total: 5000,
    said: { camp: 800 },
  },
  {
    what: 'a percentage of one variant of a product, of which another costs the same',
    cart: cartOf([small('a', 2, 1000), medium('a', 1, 1000), line('b', 1, 999)]),
    campaigns: [active('camp', percent(10, { items: only({ variants: ['a_s'] }) }))],
    // 10 % of 2000.
    off: [200, 0, 0],
    total: 3999 - 200,
    said: { camp: 200 },
  },
  {
    what: 'three for two of a product except one variant',
    cart: cartOf([small('a', 2, 500), medium('a', 3, 700), small('a', 1, 500, 'again')]),
    campaigns: [active('camp', buyGet([2, productButSmall], [1, productButSmall]))],
    // Three medium ones: one of them is given.
    off: [0, 700, 0],
    total: 1500 + 2100 - 700,
    said: { camp: 700 },
  },
  {
    what: 'a variant for a product, in two lines that count together',
    cart: cartOf([small('a', 1, 500), small('a', 1, 500, 'again'), line('b', 1, 300)]),
    campaigns: [active('camp', buyGet([2, only({ variants: ['a_s'] })], [1, only({ products: ['b'] })]))],
    off: [0, 0, 300],
    total: 1000,
    said: { camp: 300 },
  },
  {
    what: 'a fixed amount of items, once for all of them',
    cart: cartOf([shirt(2, 1000), tie(1, 500)]),
    campaigns: [active('camp', amount(600, { ...ofItems, items: shirts }))],
    off: [600, 0],
    total: 1900,
    said: { camp: 600 },
  },
  {
    what: 'yen, which have no cents',
    cart: cartOf([line('a', 1, 1995)], { currency: 'JPY' }),
    campaigns: [active('camp', percent(10), { currency: 'JPY' })],
    // 199.5: 200 yen.
    off: [200],
    total: 1795,
    said: { camp: 200 },
  },
  {
    what: 'dinars, which have a thousand fils',
    cart: cartOf([line('a', 3, 1999)], { currency: 'KWD' }),
    campaigns: [active('camp', percent(12.5), { currency: 'KWD' })],
    // 12.5 % of 5997 are 749.625: 0.750 dinars.
    off: [750],
    total: 5247,
    said: { camp: 750 },
  },
  {
    what: 'trade prices',
    cart: cartOf([line('a', 10, 800)]),
    shopper: trader,
    campaigns: [
      active('retail', percent(50), { conditions: { segment: 'retail' } }),
      active('trade', percent(20), { conditions: { segment: 'trade' } }),
    ],
    // 20 % of 8000.
    off: [1600],
    total: 6400,
    said: { retail: 'wrong_segment', trade: 1600 },
  },
  {
    what: 'free shipping with a maximum',
    cart: cartOf([line('a', 1, 1000)], { shipping: 799 }),
    campaigns: [active('camp', freeShipping(500))],
    off: [0],
    shippingDiscount: 500,
    total: 1000 + 299,
    said: { camp: 500 },
  },
  {
    what: 'free shipping three times',
    cart: cartOf([line('a', 1, 1000)], { shipping: 799 }),
    campaigns: [active('a', freeShipping(500)), active('b', freeShipping()), active('c', freeShipping())],
    // 500, the other 299, and nothing is left.
    off: [0],
    shippingDiscount: 799,
    total: 1000,
    said: { a: 500, b: 299, c: 'excluded_by_other' },
  },
  {
    what: 'free shipping where shipping is not known',
    cart: cartOf([line('a', 1, 1000)]),
    campaigns: [active('camp', freeShipping())],
    off: [0],
    total: 1000,
    said: { camp: 'no_matching_items' },
  },
  {
    what: 'a minimum that an earlier discount does not touch',
    cart: cartOf([line('a', 2, 1000)]),
    campaigns: [
      active('a', percent(50, ofItems)),
      active('b', amount(100), { conditions: { minimumSubtotal: 2000, minimumQuantity: 2 } }),
      active('c', amount(100), { conditions: { minimumSubtotal: 2001, minimumQuantity: 9 } }),
      active('d', amount(100), { conditions: { minimumQuantity: 5 } }),
    ],
    // 1000 and 100. c needs 1 cent more, d 3 units more.
    off: [1100],
    total: 900,
    said: { a: 1000, b: 100, c: 'minimum_subtotal 1', d: 'minimum_quantity 3' },
  },
  {
    what: 'campaigns at the wrong time, in the wrong currency, for somebody else or used up',
    cart: cartOf([line('a', 1, 1000)]),
    shopper: ada,
    campaigns: [
      active('a', percent(10), { conditions: { startsAt: later } }),
      active('b', percent(10), { conditions: { endsAt: now } }),
      active('c', percent(10), { stage: 'paused' }),
      active('d', percent(10), { currency: 'USD' }),
      active('e', percent(10), { limits: { perUser: 1 } }),
      active('f', percent(10), { limits: { total: 0 } }),
      active('g', percent(10), { conditions: { firstOrderOnly: true } }),
      active('h', percent(10), { conditions: { segment: 'trade' } }),
      active('i', percent(10, { items: ties })),
    ],
    off: [0],
    total: 1000,
    said: {
      a: 'not_started',
      b: 'ended',
      c: 'paused',
      d: 'other_currency',
      e: 'used_up_by_you',
      f: 'used_up',
      g: 'not_first_order',
      h: 'wrong_segment',
      i: 'no_matching_items',
    },
  },
  {
    what: 'campaigns for users, of somebody who is not signed in',
    cart: cartOf([line('a', 1, 1000)]),
    campaigns: [
      active('a', percent(10), { limits: { perUser: 1 } }),
      active('b', percent(10), { conditions: { firstOrderOnly: true } }),
      active('c', percent(10), { conditions: { segment: 'trade' } }),
      active('d', percent(10), { conditions: { segment: 'retail' } }),
    ],
    off: [100],
    total: 900,
    said: { a: 'sign_in_required', b: 'sign_in_required', c: 'sign_in_required', d: 100 },
  },
  {
    what: 'nothing in the cart',
    cart: cartOf([], { shipping: 0 }),
    campaigns: [active('a', percent(10)), active('b', threeForTwo), active('c', freeShipping())],
    off: [],
    total: 0,
    said: { a: 'no_matching_items', b: 'no_matching_items', c: 'no_matching_items' },
  },
];

it.each(examples)('$what', ({ cart, shopper = visitor, campaigns, off, shippingDiscount = 0, total, said }) => {
  const result = evaluated({ cart, shopper, campaigns });
  expect({
    off: result.lines.map(({ discount }) => discount),
    shippingDiscount: result.shippingDiscount,
    total: result.total,
    said: Object.fromEntries(
      result.campaigns.map(({ campaignId, amount: taken, reason, missing }) => [
        campaignId,
        reason === null ? taken : [reason, missing].filter((part) => part !== null).join(' '),
      ]),
    ),
  }).toEqual({ off, shippingDiscount, total, said });
});

it('shows each line with what each campaign takes off it, and each campaign with its code', () => {
  const cart = cartOf([line('a', 2, 1000, { lineId: 'line_1', variantId: 'a_s', sku: 'A-S' })], { shipping: 499 });
  const campaigns = [
    { ...active('ten', percent(10, ofItems), { name: 'Ten percent' }), code: 'TEN' },
    active('five', amount(500), { name: 'Five euros', conditions: { minimumQuantity: 2 } }),
    active('more', amount(900), { name: 'More', conditions: { minimumQuantity: 3 } }),
  ];
  const taken = { reason: null, missing: null, applied: true };
  // 200, then 500.
  expect(evaluated({ cart, campaigns })).toEqual({
    currency: 'EUR',
    subtotal: 2000,
    discount: 700,
    shipping: 499,
    shippingDiscount: 0,
    total: 1799,
    lines: [
      {
        lineId: 'line_1',
        productId: 'a',
        variantId: 'a_s',
        sku: 'A-S',
        quantity: 2,
        unitPrice: 1000,
        subtotal: 2000,
        discount: 700,
        total: 1300,
        discounts: [
          { campaignId: 'ten', amount: 200 },
          { campaignId: 'five', amount: 500 },
        ],
      },
    ],
    campaigns: [
      { campaignId: 'five', name: 'Five euros', code: null, amount: 500, ...taken },
      {
        campaignId: 'more',
        name: 'More',
        code: null,
        amount: 0,
        applied: false,
        reason: 'minimum_quantity',
        missing: 1,
      },
      { campaignId: 'ten', name: 'Ten percent', code: 'TEN', amount: 200, ...taken },
    ],
  });
});
