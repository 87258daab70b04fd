import { catalogHttp } from '@storefront/contracts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changeStock,
  currencyErrors,
  factsOfProduct,
  isOnlyReserved,
  newProduct,
  saveProduct,
  withCategoriesReplaced,
  withChange,
  withNext,
  type Product,
} from './product.ts';
import { withOptions } from './variants.ts';

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const now = new Date('2026-11-21T09:30:00.000Z');
const later = new Date('2026-11-21T10:00:00.000Z');
const product: Product = {
  ...newProduct(
    catalogHttp.productCreation.parse({
      sku: 'MUG-1',
      name: 'Blue mug',
      images: [{ url: 'https://img.example/1.png', alt: '' }],
      price: eur(1000),
      stock: 3,
    }),
    { id: 'prod_1', slug: 'blue-mug', now },
  ),
  categoryIds: ['cat_a', 'cat_b'],
};

function withStock(current: Product, change: number, key: string | undefined, at: Date): Product {
  return changeStock(current, { change, reason: null, key }, { now: at, expect: () => undefined }).result;
}

describe('changing a product', () => {
  it('is the same object where nothing differs', () => {
    expect(withChange(product, { name: 'Blue mug', price: eur(1000) }, later)).toBe(product);
  });

  it('is sorted by its new name', () => {
    const changed = withChange(product, { name: 'Red cups' }, later);
    expect(changed).toMatchObject({ nameKey: 'red cups', updatedAt: later });
  });
});

describe('stock', () => {
  it('is what all allowed changes come to, and never below zero', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5, max: 5 })), (changes) => {
        let current = product;
        for (const change of changes) {
          const before = current.stock;
          try {
            current = withStock(current, change, undefined, later);
          } catch {
            // Refused: the stock stays.
          }
          expect(current.stock).toBe(before + change < 0 ? before : before + change);
        }
      }),
    );
  });

  it('says how much there is where it refuses', () => {
    expect(() => withStock(product, -4, undefined, later)).toThrow(
      "There are 3 that are not reserved for orders: 4 can't be taken.",
    );
  });

  it('that is reserved is not taken, unless it may be back-ordered; what arrives is always added', () => {
    const reserved = { ...product, reserved: 2 };
    expect(withStock(reserved, -1, undefined, later)).toMatchObject({ stock: 2, reserved: 2 });
    expect(() => withStock(reserved, -2, undefined, later)).toThrow('There are 1 that are not reserved for orders');
    const onOrder = { ...reserved, selling: { ...product.selling, backOrders: { allowed: true, text: null } } };
    expect(withStock(onOrder, -3, undefined, later)).toMatchObject({ stock: 0, reserved: 2 });
    expect(() => withStock(onOrder, -4, undefined, later)).toThrow(/^There are 3/);
    expect(withStock({ ...product, reserved: 9 }, 1, undefined, later)).toMatchObject({ stock: 4, reserved: 9 });
  });

  it('changes once for a key that it holds', () => {
    let current = withStock(product, 1, 'first', later);
    for (let index = 0; index < 49; index += 1) current = withStock(current, 1, `key-${index}`, later);
    const refuse = () => {
      throw new Error('a repeated change must not be refused for its version');
    };
    const repeated = changeStock(current, { change: 1, reason: null, key: 'first' }, { now: later, expect: refuse });
    expect(repeated).toEqual({ kind: 'unchanged', result: current });
    expect(current.stockKeys).toHaveLength(50);
  });
});

describe('prices in another currency', () => {
  const usd = { amount: 1, currency: 'USD' };

  it.each([
    [{ price: usd, tradePrice: usd }, ['/price/currency', '/tradePrice/currency']],
    [{ price: eur(1), tradePrice: null }, []],
    [
      { variants: [{ price: eur(1) }, { price: usd, tradePrice: usd }] },
      ['/variants/1/price/currency', '/variants/1/tradePrice/currency'],
    ],
    [{}, []],
  ])('of %j: %j', (input, pointers) => {
    expect(currencyErrors(input, 'EUR').map(({ pointer }) => pointer)).toEqual(pointers);
  });
});

describe('taking a product out of categories', () => {
  it.each([
    [['cat_a'], null, ['cat_b']],
    [['cat_a', 'cat_b'], null, []],
    [['cat_a'], 'cat_c', ['cat_b', 'cat_c']],
    [['cat_a'], 'cat_b', ['cat_b']],
  ])('without %j, with %j instead', (removed, replacement, expected) => {
    expect(withCategoriesReplaced(product, new Set(removed), replacement, later).categoryIds).toEqual(expected);
  });
});

describe('the facts of a change', () => {
  const typesOf = (...args: Parameters<typeof factsOfProduct>) => factsOfProduct(...args).map(({ type }) => type);

  it('are one for each kind of change', () => {
    expect(typesOf(null, product)).toEqual(['catalog.product-created']);
    expect(typesOf(product, null)).toEqual(['catalog.product-deleted']);
    expect(typesOf(product, withStock(product, -1, 'key', later))).toEqual(['catalog.stock-changed']);
    expect(typesOf(product, withChange(product, { price: eur(1) }, later))).toEqual(['catalog.product-changed']);
    expect(typesOf(product, withChange(product, { price: eur(1), stock: 0 }, later))).toEqual([
      'catalog.product-changed',
      'catalog.stock-changed',
    ]);
    expect(typesOf(null, null)).toEqual([]);
  });

  it.each([
    ['active', 1, 0, true, 1],
    ['active', 0, 0, false, 0],
    ['active', 2, 2, false, 0],
    ['active', 2, 3, false, 0],
    ['archived', 1, 0, false, 1],
    ['draft', 1, 0, false, 1],
  ] as const)('%s, with %i counted and %i reserved: available %s', (status, counted, reserved, available, stock) => {
    const [fact] = factsOfProduct(null, { ...product, status, stock: counted, reserved });
    expect(fact?.data).toMatchObject({ available, stock, counted, image: 'https://img.example/1.png' });
  });

  it('of reserved pieces are those of a stock that fell, down to the low stock', () => {
    const watched = { ...product, selling: { ...product.selling, lowStockThreshold: 1 } };
    const [changed, low] = factsOfProduct(watched, { ...watched, reserved: 2 }, 'order-reserved');
    expect(changed).toMatchObject({
      type: 'catalog.stock-changed',
      data: { change: -2, stock: 1, counted: 3, reason: 'order-reserved' },
    });
    expect(low).toMatchObject({ type: 'catalog.stock-low', data: { stock: 1, threshold: 1 } });
    expect(typesOf({ ...watched, reserved: 2 }, { ...watched, reserved: 2, stock: 2 })).toEqual([
      'catalog.stock-changed',
    ]);
  });

  it.each([
    ['some are reserved', { reserved: 0 }, { reserved: 2 }, true],
    ['some are given back', { reserved: 2 }, { reserved: 1 }, true],
    ['the last one is reserved', { reserved: 2 }, { reserved: 3 }, false],
    ['it can be bought again', { reserved: 3 }, { reserved: 2 }, false],
    ['reserved pieces are shipped', { reserved: 2 }, { reserved: 1, stock: 2 }, false],
    ['more are counted', { reserved: 2 }, { reserved: 2, stock: 4 }, false],
    ['as many are given back as reserved', { reserved: 2 }, { reserved: 2 }, false],
  ])('are about reserved pieces alone where %s: %j, then %j', (_what, before, after, expected) => {
    expect(isOnlyReserved({ ...product, ...before }, { ...product, ...after })).toBe(expected);
    const selling = { ...product.selling, lowStockThreshold: 1 };
    expect(isOnlyReserved({ ...product, selling }, { ...product, selling, reserved: 2 })).toBe(false);
  });

  it('that a product or a variant with reserved pieces is gone can not be', () => {
    const reserved = { ...product, reserved: 2 };
    expect(() => saveProduct(reserved, null)).toThrow('Orders have reserved 2 of MUG-1');
    const sized = withNext(
      product,
      { ...reserved, ...withOptions(reserved, [{ name: 'Size', values: ['S', 'M'] }]) },
      later,
    );
    const [own, other] = sized.variants;
    expect(own).toMatchObject({ stock: 3, reserved: 2 });
    expect(saveProduct(reserved, sized)).toMatchObject({ kind: 'changed' });
    expect(other).toBeUndefined();
    const without = withNext(sized, { ...sized, ...withOptions(sized, []) }, later);
    expect(without).toMatchObject({ stock: 3, reserved: 2, variants: [] });
    const renamed = sized.variants.map((each) => ({ ...each, id: 'var_other' }));
    expect(() => saveProduct({ ...sized, variants: renamed }, without)).toThrow('Orders have reserved 2 of MUG-1');
  });
});
