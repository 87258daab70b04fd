import { catalogHttp, newId, ownVariantId } from '@storefront/contracts';
import * as fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { changeStock, factsOfProduct, newProduct, withChange, withNext, type Product } from './product.ts';
import {
  isActive,
  skusOf,
  stockMoves,
  variantsOf,
  withOptions,
  withoutVariant,
  withVariantAdded,
  withVariantChanged,
} from './variants.ts';

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const now = new Date('2026-11-21T09:30:00.000Z');
const id = newId('prod');
const sizes = { name: 'Size', values: ['S', 'M', 'L'] };
const colours = { name: 'Colour', values: ['red', 'blue'] };

const created = (fields: object = {}) =>
  newProduct(catalogHttp.productCreation.parse({ sku: 'SHIRT', name: 'Shirt', price: eur(1000), ...fields }), {
    id,
    slug: 'shirt',
    now,
  });
const input = (sku: string, values: string[], more: object = {}) =>
  catalogHttp.variantCreation.parse({ sku, values, ...more });
const shirt = created({
  tradePrice: eur(700),
  options: [sizes],
  variants: [input('S', ['S'], { stock: 1 }), input('M', ['M'], { stock: 2, price: eur(800) }), input('L', ['L'])],
});
const idOf = (product: Product, sku: string) => variantsOf(product).find((each) => each.sku === sku)?.id ?? '';
const add = (product: Product, variant: catalogHttp.VariantCreation) =>
  withNext(product, withVariantAdded(product, newId('var'), variant), now);
const change = (product: Product, sku: string, by: catalogHttp.VariantChange) =>
  withNext(product, withVariantChanged(product, idOf(product, sku), by), now);
const remove = (product: Product, sku: string) => withNext(product, withoutVariant(product, idOf(product, sku)), now);
const take = (product: Product, sku: string, by: number) =>
  changeStock(
    product,
    { variantId: idOf(product, sku), change: by, reason: null, key: undefined },
    { now, expect: () => undefined },
  ).result;

describe('a product without options', () => {
  const plain = created({ stock: 3, tradePrice: eur(700), weight: 200 });

  it('is its own only variant', () => {
    expect(variantsOf(plain)).toEqual([
      {
        id: ownVariantId(id),
        sku: 'SHIRT',
        values: [],
        price: eur(1000),
        tradePrice: eur(700),
        quantityPrices: [],
        stock: 3,
        reserved: 0,
        weight: 200,
        image: null,
        status: 'active',
      },
    ]);
    expect(take(plain, 'SHIRT', -2).stock).toBe(1);
    expect(() => remove(plain, 'SHIRT')).toThrow('the only active variant');
    expect(() => change(plain, 'SHIRT', { stock: 1 })).toThrow('change the product');
    expect(() => add(plain, input('X', []))).toThrow('give it options first');
  });

  it('becomes the first variant with its first options, and itself again without them', () => {
    const varied = withChange(plain, { options: [sizes, colours] }, now);
    expect(varied).toMatchObject({ stock: 3, lowestPrice: 1000, sku: 'SHIRT' });
    expect(varied.variants).toMatchObject([
      {
        id: ownVariantId(id),
        sku: 'SHIRT',
        values: ['S', 'red'],
        price: null,
        tradePrice: null,
        weight: null,
        stock: 3,
      },
    ]);
    const dearer = change(varied, 'SHIRT', { sku: 'SHIRT-S', price: eur(1200), stock: 5 });
    expect(dearer).toMatchObject({ stock: 5, lowestPrice: 1200 });
    expect(withChange(dearer, { options: [] }, now)).toMatchObject({
      sku: 'SHIRT-S',
      price: eur(1200),
      tradePrice: eur(700),
      stock: 5,
      selling: { weight: 200 },
      lowestPrice: 1200,
      options: [],
      variants: [],
    });
  });
});

describe('the variants of a product', () => {
  it('make its stock and its lowest price, the active ones alone', () => {
    expect(shirt).toMatchObject({ stock: 3, lowestPrice: 800 });
    const archived = change(shirt, 'M', { status: 'archived' });
    expect(archived).toMatchObject({ stock: 1, lowestPrice: 1000 });
    expect(withChange(archived, { price: eur(600) }, now).lowestPrice).toBe(600);
  });

  it('have their own stock, which the product can not be given', () => {
    expect(take(shirt, 'M', -2)).toMatchObject({ stock: 1, variants: [{ stock: 1 }, { stock: 0 }, { stock: 0 }] });
    expect(() => take(shirt, 'M', -3)).toThrow('There are 2 that are not reserved');
    expect(() => withChange(shirt, { stock: 5 }, now)).toThrow('name one');
    const unnamed = { change: 1, reason: null, key: undefined };
    expect(() => changeStock(shirt, unnamed, { now, expect: () => undefined })).toThrow('name one');
  });

  it.each([
    ['a size that is not there', ['XL'], 'validation_failed'],
    ['a value too many', ['S', 'red'], 'validation_failed'],
    ['no value', [], 'validation_failed'],
    ['the values of another', ['S'], 'variant_exists'],
  ])('do not gain one with %s', (_what, values, code) => {
    expect(() => add(shirt, input('XL', values))).toThrow(expect.objectContaining({ code }));
  });

  it('do not get the SKU of each other, but one of them may have that of the product', () => {
    const more = withChange(shirt, { options: [{ ...sizes, values: ['S', 'M', 'L', 'XL'] }] }, now);
    expect(() => add(more, input('m', ['XL']))).toThrow('The SKU m belongs to another');
    expect(skusOf(add(more, input('SHIRT', ['XL'])))).toEqual(['SHIRT', 'S', 'M', 'L', 'SHIRT']);
  });

  it('keep at least one that is active', () => {
    const last = remove(change(shirt, 'S', { status: 'archived' }), 'L');
    expect(() => remove(last, 'M')).toThrow('the only active variant');
    expect(() => change(last, 'M', { status: 'archived' })).toThrow('the only active variant');
    expect(remove(last, 'S').variants).toHaveLength(1);
  });
});

describe('the options of a product with variants', () => {
  const options = (...next: catalogHttp.ProductOption[]) => withOptions(shirt, next).variants;

  it('may be renamed, put in another order of values, and gain values and options', () => {
    const next = options({ name: 'Grösse', values: ['XL', 'L', 'M', 'S'] }, colours);
    expect(next.map(({ values }) => values)).toEqual([
      ['S', 'red'],
      ['M', 'red'],
      ['L', 'red'],
    ]);
  });

  it('do not lose a value that a variant has, nor what tells two variants apart', () => {
    expect(() => options({ name: 'Size', values: ['S', 'M'] })).toThrow('The variant L does not fit these options');
    expect(() => options()).toThrow('would have the same values');
    const inColours = { ...shirt, ...withOptions(shirt, [sizes, colours]) };
    expect(withOptions(inColours, [sizes]).variants).toEqual(shirt.variants);
  });
});

describe('the facts of a change of variants', () => {
  const factsOf = (after: Product) =>
    factsOfProduct(shirt, after).map(({ type, data }) => [type, (data as { variantId?: string }).variantId]);

  it('name the variant whose stock changed, and are no change of the product', () => {
    expect(factsOf(take(shirt, 'M', -1))).toEqual([['catalog.stock-changed', idOf(shirt, 'M')]]);
    expect(factsOf(change(shirt, 'M', { price: eur(1) }))).toEqual([['catalog.product-changed', undefined]]);
    expect(factsOf(change(shirt, 'M', { price: eur(1), stock: 9 }))).toEqual([
      ['catalog.product-changed', undefined],
      ['catalog.stock-changed', idOf(shirt, 'M')],
    ]);
    expect(factsOf(remove(shirt, 'M'))).toEqual([['catalog.product-changed', undefined]]);
  });

  it('hold the price that applies to each variant', () => {
    const [fact] = factsOfProduct(null, shirt);
    expect(fact?.data).toMatchObject({
      options: [sizes],
      variants: [
        { sku: 'S', values: ['S'], price: eur(1000), tradePrice: eur(700), stock: 1, status: 'active' },
        { sku: 'M', price: eur(800) },
        { sku: 'L' },
      ],
    });
  });

  it('stay below 100 KB, however large a product is', () => {
    const options = ['a', 'b', 'c'].map((name) => ({
      name: name.repeat(60),
      values: Array.from({ length: 10 }, (_, index) => String(index).padEnd(60, 'ü')),
    }));
    const variants = Array.from({ length: 100 }, (_, index) => {
      const places = [index % 10, Math.floor(index / 10), 0];
      const prices = { price: eur(10 ** 12), tradePrice: eur(10 ** 12), stock: 10 ** 9 };
      return input(
        `SKU-${index}-`.padEnd(64, 'X'),
        options.map(({ values }, at) => values[places[at] ?? 0] ?? ''),
        prices,
      );
    });
    const [fact] = factsOfProduct(null, created({ options, variants }));
    expect(Buffer.byteLength(JSON.stringify(fact?.data))).toBeLessThan(100_000);
  });
});

describe('the fact that a stock is low', () => {
  const lowOf = (before: Product, after: Product) =>
    factsOfProduct(before, after).flatMap(({ type, data }) => (type === 'catalog.stock-low' ? [data] : []));
  const watched = withChange(shirt, { lowStockThreshold: 1 }, now);

  it('is stated when it falls to the threshold, once until it was above', () => {
    const atOne = take(watched, 'M', -1);
    expect(lowOf(watched, atOne)).toEqual([
      { id, variantId: idOf(shirt, 'M'), sku: 'M', name: 'Shirt', values: ['M'], stock: 1, threshold: 1 },
    ]);
    const none = take(atOne, 'M', -1);
    expect(lowOf(atOne, none)).toEqual([]);
    expect(lowOf(none, take(none, 'M', 1))).toEqual([]);
    const again = take(none, 'M', 5);
    expect(lowOf(none, again)).toEqual([]);
    expect(lowOf(again, take(again, 'M', -4))).toHaveLength(1);
  });

  it('is not stated without a threshold, nor of a threshold that is raised', () => {
    expect(lowOf(shirt, take(shirt, 'M', -2))).toEqual([]);
    expect(lowOf(shirt, withChange(shirt, { lowStockThreshold: 5 }, now))).toEqual([]);
  });
});

describe('whatever is done to options and variants', () => {
  const [skus, values] = [fc.constantFrom('SHIRT', 'a', 'A', 'b', 'c', 'd'), fc.constantFrom('S', 'M', 'L')];
  const list = fc.uniqueArray(values, { minLength: 1 });
  const places = fc.nat(5);
  const steps = fc.oneof(
    fc.record({ options: fc.array(list, { maxLength: 3 }) }),
    fc.record({ add: skus, values: fc.array(values, { maxLength: 3 }), stock: fc.nat(9) }),
    fc.record({ at: places, sku: skus, status: catalogStatus() }),
    fc.record({ at: places, values: fc.array(values, { maxLength: 3 }), price: fc.option(fc.nat(999)) }),
    fc.record({ at: places, take: fc.integer({ min: -9, max: 9 }).filter((by) => by !== 0) }),
    fc.record({ at: places, remove: fc.constant(true) }),
  );

  it('combinations and SKUs stay unique, one is active, and no stock is below zero', () => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 25 }), (all) => {
        let product = created({ stock: 3 });
        for (const step of all) product = after(product, step);
        expect(product.options.length === 0).toBe(product.variants.length === 0);
        const variants = variantsOf(product);
        expect(new Set(variants.map((each) => each.values.join('|'))).size).toBe(variants.length);
        expect(new Set(variants.map(({ sku }) => sku.toUpperCase())).size).toBe(variants.length);
        expect(new Set(variants.map((each) => each.id)).size).toBe(variants.length);
        for (const each of variants) {
          expect(catalogHttp.whyUnfit(product.options, each.values)).toBeNull();
          expect(each.stock).toBeGreaterThanOrEqual(0);
        }
        const active = variants.filter(isActive);
        expect(product.stock).toBe(active.reduce((sum, { stock }) => sum + stock, 0));
        expect(product.lowestPrice).toBe(Math.min(...active.map(({ price }) => (price ?? product.price).amount)));
      }),
      { numRuns: inject('isProof') ? 10_000 : 300 },
    );
  });

  function catalogStatus() {
    return fc.constantFrom(...catalogHttp.variantStatus.options);
  }

  /** The product after a step; the same where it was refused. What a step did to stocks must be what the facts say. */
  function after(product: Product, step: typeof steps extends fc.Arbitrary<infer Step> ? Step : never): Product {
    const variants = variantsOf(product);
    const at = 'at' in step ? (variants[step.at % variants.length]?.sku ?? '') : '';
    try {
      if ('options' in step)
        return withChange(
          product,
          { options: step.options.map((of, index) => ({ name: `${index}`, values: of })) },
          now,
        );
      if ('add' in step) return add(product, input(step.add, step.values, { stock: step.stock }));
      if ('sku' in step) return change(product, at, { sku: step.sku, status: step.status });
      if ('price' in step)
        return change(product, at, { values: step.values, price: step.price === null ? null : eur(step.price) });
      if ('remove' in step) return remove(product, at);
      const taken = take(product, at, step.take);
      expect(stockMoves(product, taken).map(({ change: by }) => by)).toEqual([step.take]);
      return taken;
    } catch (error) {
      if (!(error instanceof Error && error.name === 'Refusal')) throw error;
      return product;
    }
  }
});
