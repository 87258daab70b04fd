import { describe, expect, it } from 'vitest';
import { freezeFor, newCart, removeLine, setLine, taken, wantedBy, type Cart, type Shopper } from './cart.ts';
import { leftCart, noteLeft } from './left-cart.ts';
import type { Product, Products } from './product.ts';

const hourMs = 60 * 60 * 1000;
const at = (hours: number) => new Date(Date.parse('2026-11-24T12:00:00Z') + hours * hourMs);
const eur = (amount: number) => ({ amount, currency: 'EUR' });
const ada: Shopper = { userId: 'ada', tier: 'trade' };
const thief: Shopper = { userId: 'thief', tier: 'retail' };

function product(id: string, price: number, listed = true): Product {
  const prices = { price: eur(price), tradePrice: eur(price - 100), quantityPrices: [] };
  const variant = { id: `${id}-m`, sku: id.toUpperCase(), values: ['M'], ...prices, stock: 0, active: true };
  const facts = {
    name: id,
    image: null,
    listed,
    taxClass: 'standard' as const,
    availableFrom: null,
    backOrders: { allowed: false, text: null },
    variants: [variant],
  };
  return { id, sequence: 1, deleted: false, facts };
}
const shop = (...products: readonly Product[]): Products => new Map(products.map((each) => [each.id, each]));
const products = shop(product('mug', 1900), product('tea', 900));
const wanted = (productId: string) => wantedBy([{ productId, quantity: 2 }], products, 'EUR');
const only = (productId: string) => wanted(productId)[0] ?? expect.fail();
const context = (by: Shopper | null, hours = 0) => ({ by, now: at(hours), expect: () => {} });
const cartOf = (by: Shopper | null): Cart =>
  newCart({ id: 'digest', seed: 'seed' }, wanted('mug'), { by, now: at(0) }).result;
const left = (cart: Cart | null, hours: number, known = products) =>
  leftCart(cart, { products: known, currency: 'EUR', now: at(hours) });

describe('a cart is left', () => {
  it('after a day, with what is for sale at the prices of its owner', () => {
    const cart = setLine(cartOf(ada), 1, only('tea'), context(ada, 1)).result;
    expect(left(cart, 24.9)).toBeNull();
    expect(left(cart, 25)).toEqual({
      userId: 'ada',
      currency: 'EUR',
      lines: [
        { productId: 'mug', variantId: 'mug-m', name: 'mug, M', sku: 'MUG', quantity: 2, unitPrice: 1800 },
        { productId: 'tea', variantId: 'tea-m', name: 'tea, M', sku: 'TEA', quantity: 2, unitPrice: 800 },
      ],
      subtotal: 5200,
    });
    const changed = shop(product('mug', 2000), product('tea', 900, false));
    expect(left(cart, 25, changed)).toMatchObject({ lines: [{ productId: 'mug', unitPrice: 1900 }], subtotal: 3800 });
    expect(left(cart, 25, shop())?.lines).toEqual([]);
  });

  it('once, until its lines change again', () => {
    const cart = cartOf(ada);
    const noted = noteLeft(cart, left(cart, 24));
    if (noted.kind !== 'changed') throw new Error('nothing was noted');
    expect(noted.facts).toMatchObject([{ type: 'orders.cart-left', subject: 'ada', data: { subtotal: 3600 } }]);
    expect(noted.facts[0]?.data).not.toHaveProperty('userId');
    expect(left(noted.state, 100)).toBeNull();
    expect(left(setLine(noted.state, 2, only('tea'), context(ada, 30)).result, 54)).not.toBeNull();
    expect(noteLeft(cart, null)).toMatchObject({ kind: 'changed', facts: [] });
  });

  it('by nobody but its owner: not by guests, nor where somebody else has its id, nor where it is empty or ordered', () => {
    expect(left(cartOf(null), 30)).toBeNull();
    for (const by of [thief, null])
      expect(left(setLine(cartOf(ada), 1, only('tea'), context(by)).result, 30)).toBeNull();
    expect(left(removeLine(cartOf(ada), 1, 'mug-m', context(ada)).result, 30)).toBeNull();
    expect(left(freezeFor(cartOf(ada), 'order').result, 30)).toBeNull();
    expect(left(null, 30)).toBeNull();
    expect(left(taken(cartOf(null), ada, at(1)), 25)).toMatchObject({ userId: 'ada', subtotal: 3600 });
  });
});
