import { describe, expect, it } from 'vitest';
import {
  endWith,
  freezeFor,
  joined,
  newCart,
  removeLine,
  sentCart,
  setLine,
  thawFrom,
  wantedBy,
  type Cart,
} from './cart.ts';
import { pricedLines } from './priced-cart.ts';
import type { Product, Products } from './product.ts';

const now = new Date('2026-11-26T12:00:00.000Z');
const later = new Date('2026-11-27T12:00:00.000Z');
const eur = (amount: number) => ({ amount, currency: 'EUR' });

/** A product with one variant, which has the same name. */
function product(id: string, price: number, more: Partial<Product['facts'] & object> = {}): Product {
  const variant = { id, sku: id, values: [], price: eur(price), tradePrice: eur(price - 1), stock: 5, active: true };
  const quantityPrices = [{ from: 10, price: eur(1) }];
  const facts = {
    name: id,
    image: null,
    listed: true,
    taxClass: 'standard' as const,
    availableFrom: null,
    backOrders: { allowed: false, text: null },
    variants: [{ ...variant, quantityPrices }],
    ...more,
  };
  return { id, sequence: 1, facts, deleted: false };
}

const shop = (...products: readonly Product[]): Products => new Map(products.map((each) => [each.id, each]));

function cartOf(quantities: Readonly<Record<string, number>>, userId: string | null = null): Cart {
  const known = shop(...Object.keys(quantities).map((id) => product(id, 100)));
  const lines = Object.entries(quantities).map(([productId, quantity]) => ({ productId, quantity }));
  const by = userId === null ? null : { userId, tier: 'trade' as const };
  return newCart({ id: 'digest', seed: 'seed' }, wantedBy(lines, known, 'EUR'), { by, now }).result;
}

describe('carts that are joined', () => {
  it('have the quantities of both, at the prices of now where there are any', () => {
    const own = { ...cartOf({ tea: 4 }, 'user'), country: 'DE', codes: ['A'] };
    const guests = { ...cartOf({ gone: 2, tea: 6 }), country: 'NL', codes: ['B', 'A'], note: 'Ring twice.' };
    const by = { userId: 'user', tier: 'retail' as const };
    const joining = { products: shop(product('tea', 90)), currency: 'EUR', now: later, by };
    const { cart, noRoom } = joined(own, guests, joining).result;
    expect(noRoom).toEqual([]);
    expect(cart).toMatchObject({ userId: 'user', country: 'DE', codes: ['A', 'B'], note: 'Ring twice.' });
    expect(cart.updatedAt).toBe(later);
    expect(cart.lines).toEqual([
      // Ten of them have a price of their own for trade accounts.
      { productId: 'tea', variantId: 'tea', quantity: 10, prices: { retail: 90, trade: 1 } },
      { productId: 'gone', variantId: 'gone', quantity: 2, prices: { retail: 100, trade: 99 } },
    ]);
  });
});

describe('that lines were changed', () => {
  const by = { userId: 'user', tier: 'trade' as const };
  const [mug = never()] = wantedBy([{ productId: 'mug', quantity: 1 }], shop(product('mug', 50)), 'EUR');
  const at = (time: string, who: typeof by | null = by) => ({
    now: new Date(`2026-11-26T${time}Z`),
    expect: () => {},
    by: who,
  });
  const factsOf = (decision: ReturnType<typeof setLine>) => (decision.kind === 'unchanged' ? [] : decision.facts);

  it('is published once in a quarter of an hour, by whom it was', () => {
    const first = setLine(cartOf({ tea: 1 }), 1, mug, at('12:14:59.999'));
    expect(factsOf(first)).toMatchObject([{ type: 'orders.cart-updated', subject: 'digest', data: by }]);
    const again = setLine(first.result, 2, mug, at('12:00:00.000'));
    expect(factsOf(again)).toEqual([]);
    expect(again.result.updatedAt).toEqual(new Date('2026-11-26T12:00:00Z'));
    expect(factsOf(removeLine(again.result, 3, 'mug', at('12:15:00.000')))).toHaveLength(1);
  });

  it('is not published of guests, nor of a cart that is made empty', () => {
    const ofGuest = setLine(cartOf({ tea: 1 }), 1, mug, at('12:00:00.000', null));
    expect(factsOf(ofGuest)).toEqual([]);
    expect(factsOf(setLine(ofGuest.result, 2, mug, at('12:01:00.000')))).toHaveLength(1);
    expect(factsOf(newCart({ id: 'digest', seed: 'seed' }, [], { by, now }))).toEqual([]);
    expect(factsOf(newCart({ id: 'digest', seed: 'seed' }, [mug], { by, now }))).toHaveLength(1);
  });

  it('is published where a cart was joined', () => {
    const joining = { products: shop(), currency: 'EUR', now, by };
    expect(joined(cartOf({ tea: 1 }), cartOf({ mug: 1 }), joining)).toMatchObject({ facts: [{ data: by }] });
  });
});

function never(): never {
  throw new Error('the product is not for sale');
}

describe('a cart of an order', () => {
  const open = cartOf({ tea: 2 });
  const frozen: Cart = { ...open, orderId: 'order' };

  it('stands still for the first order only', () => {
    expect(freezeFor(open, 'order')).toMatchObject({ kind: 'changed', result: { orderId: 'order' } });
    expect(freezeFor(frozen, 'other')).toMatchObject({ kind: 'unchanged', result: { orderId: 'order' } });
    expect(freezeFor(null, 'order')).toEqual({ kind: 'unchanged', result: null });
  });

  it('is freed or ended by its own order only', () => {
    expect(thawFrom(frozen, 'order', later)).toMatchObject({ kind: 'changed', state: { orderId: null } });
    expect(thawFrom(frozen, 'other', later).kind).toBe('unchanged');
    expect(thawFrom(open, 'order', later).kind).toBe('unchanged');
    expect(endWith(frozen, 'order').kind).toBe('deleted');
    expect(endWith(frozen, 'other').kind).toBe('unchanged');
    expect(endWith(null, 'order').kind).toBe('unchanged');
  });

  it('has the prices of the tier of its buyer', () => {
    const line = { productId: 'tea', variantId: 'tea', quantity: 2 };
    expect(sentCart(open, 'retail').lines).toEqual([{ ...line, shownPrice: 100 }]);
    expect(sentCart(open, 'trade').lines).toEqual([{ ...line, shownPrice: 99 }]);
  });
});

describe('the problem of a line', () => {
  const retail = { tier: 'retail', currency: 'EUR' } as const;
  const tea = product('tea', 100);
  const { facts } = tea;
  const variant = facts?.variants[0];

  it.each([
    ['is none', 5, tea, null],
    ['is that there are fewer', 6, tea, 'not_enough_stock'],
    ['is none where more can be ordered', 6, product('tea', 100, { backOrders: { allowed: true, text: null } }), null],
    ['is another price', 5, product('tea', 101), 'price_changed'],
    ['is that it is not listed', 5, product('tea', 100, { listed: false }), 'unavailable'],
    ['is that it is deleted', 5, { ...tea, deleted: true }, 'unavailable'],
    ['is that its variant is deleted', 5, product('tea', 100, { variants: [] }), 'unavailable'],
    [
      'is that its variant is archived',
      5,
      product('tea', 100, { variants: variant ? [{ ...variant, active: false }] : [] }),
      'unavailable',
    ],
    ['is that nothing is known of it', 5, { ...tea, facts: null }, 'unavailable'],
    [
      'is that it has another currency',
      5,
      product('tea', 100, { variants: variant ? [{ ...variant, price: { amount: 100, currency: 'CHF' } }] : [] }),
      'unavailable',
    ],
  ] as const)('%s', (_what, quantity, found, problem) => {
    expect(pricedLines(cartOf({ tea: quantity }), shop(found), retail)).toMatchObject([{ problem }]);
  });
});
