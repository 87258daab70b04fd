import { toDecimal } from '@storefront/money';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../test/arbitrary.ts';
import { isTooLarge, maxTotal, totalsOf, type PricedLine, type ShippingCosts, type Totals } from './totals.ts';

const noShipping: ShippingCosts = { price: 0, discount: 0, taxRate: 0 };

let lastId = 0;
const line = (quantity: number, unitPrice: number, taxRate = 1900, discount = 0): PricedLine => ({
  id: `line-${(lastId += 1)}`,
  quantity,
  unitPrice,
  discount,
  taxRate,
});

const rates = fc.constantFrom(0, 550, 700, 1900, 2525, 10_000);
const prices = fc.oneof(fc.nat(20), fc.nat(100_000), fc.nat(1_000_000_000));

/** A discount of a part of the price, and of all of it now and then. */
const taken = fc.oneof(
  { arbitrary: fc.constant(1), weight: 1 },
  { arbitrary: fc.double({ min: 0, max: 1, noNaN: true }), weight: 4 },
);

const anyLine = fc
  .record({ quantity: fc.integer({ min: 1, max: 999 }), unitPrice: prices, taxRate: rates, taken })
  .map(({ taken: part, ...rest }) => ({ ...rest, discount: Math.floor(rest.quantity * rest.unitPrice * part) }));

const orders = fc.record({
  taxIncluded: fc.boolean(),
  lines: fc
    .array(anyLine, { maxLength: 8 })
    .map((lines) => lines.map((each, index) => ({ id: `line-${index}`, ...each }))),
  shipping: fc
    .record({ price: prices, taxRate: rates, taken })
    .map(({ price, taxRate, taken: part }) => ({ price, taxRate, discount: Math.floor(price * part) })),
});

const total = (amounts: readonly number[]) => amounts.reduce((all, amount) => all + amount, 0);

describe('the totals of an order', () => {
  it('add the tax on top of trade prices', () => {
    const shipping = { price: 500, discount: 0, taxRate: 1900 };
    expect(totalsOf({ taxIncluded: false, lines: [line(3, 1099), line(1, 335, 700)], shipping })).toMatchObject({
      // 19 % of 3297 + 500 is 721.43; 7 % of 335 is 23.45.
      lines: [
        { subtotal: 3297, tax: 626, total: 3923 },
        { subtotal: 335, tax: 23, total: 358 },
      ],
      shipping: { tax: 95, total: 595 },
      subtotal: 3632,
      discount: 0,
      tax: 744,
      total: 4876,
    });
  });

  it('find the tax within retail prices, which stay the same at every rate', () => {
    const shipping = { price: 495, discount: 495, taxRate: 1900 };
    const atRate = (taxRate: number) =>
      totalsOf({ taxIncluded: true, lines: [line(2, 1999, taxRate, 400)], shipping: { ...shipping, taxRate } });
    // 3598 contain 574.47 at 19 %.
    expect(atRate(1900)).toMatchObject({ subtotal: 3998, discount: 895, tax: 574, total: 3598 });
    expect(atRate(2525)).toMatchObject({ tax: 725, total: 3598 });
    expect(atRate(0)).toMatchObject({ tax: 0, total: 3598, lines: [{ total: 3598 }], shipping: { total: 0 } });
  });

  it('are rounded once for each rate, not for each line', () => {
    // Each line alone has a tax of 0.5, which would be 1.
    const totals = totalsOf({ taxIncluded: false, lines: [line(1, 5, 1000), line(1, 5, 1000)], shipping: noShipping });
    expect(totals.tax).toBe(1);
    expect(totals.lines.map(({ tax }) => tax)).toEqual([1, 0]);
  });

  it.each([
    ['JPY', 1000, '1000', '91'],
    ['KWD', 1000, '1.000', '0.091'],
  ])('are in the minor units of the currency (%s)', (currency, unitPrice, paid, tax) => {
    const totals = totalsOf({ taxIncluded: true, lines: [line(1, unitPrice, 1000)], shipping: noShipping });
    const shown = (amount: number) => toDecimal({ amount, currency });
    expect([shown(totals.total), shown(totals.tax)]).toEqual([paid, tax]);
  });

  it('of nothing are nothing', () => {
    const { lines, ...rest } = totalsOf({ taxIncluded: true, lines: [], shipping: noShipping });
    expect(lines).toEqual([]);
    expect(rest).toEqual({ shipping: { tax: 0, total: 0 }, subtotal: 0, discount: 0, tax: 0, total: 0 });
  });

  // Computed by `sumsOf` of billing, with shipping as one more line: an invoice has to agree to the cent.
  it.each([
    {
      lines: [line(3, 1099, 1900, 297), line(12, 335, 700), line(1, 99, 0)],
      shipping: { price: 695, discount: 0, taxRate: 1900 },
      sums: { net: 7814, tax: 983, total: 8797 },
    },
    {
      lines: [line(7, 1, 550), line(9, 3, 550), line(1, 49_999, 2525, 1)],
      shipping: { price: 1, discount: 1, taxRate: 2525 },
      sums: { net: 50_032, tax: 12_626, total: 62_658 },
    },
    {
      lines: [line(1, 50, 100), line(1, 10, 10_000)],
      shipping: { price: 49, discount: 0, taxRate: 100 },
      sums: { net: 109, tax: 11, total: 120 },
    },
  ])('agree with those of the invoice: $sums', ({ lines, shipping, sums }) => {
    const { subtotal, discount, tax, total: all } = totalsOf({ taxIncluded: false, lines, shipping });
    expect({ net: subtotal - discount + shipping.price, tax, total: all }).toEqual(sums);
  });

  it('are the sums of their parts, none of which is below zero', () => {
    fc.assert(
      fc.property(orders, (order) => {
        const totals = totalsOf(order);
        const { lines, shipping } = totals;
        const parts = [...lines, shipping];
        expect(totals.total).toBe(total(parts.map((part) => part.total)));
        expect(totals.tax).toBe(total(parts.map(({ tax }) => tax)));
        expect(totals.subtotal).toBe(total(order.lines.map(({ quantity, unitPrice }) => quantity * unitPrice)));
        const paid = totals.subtotal + order.shipping.price - totals.discount + (order.taxIncluded ? 0 : totals.tax);
        expect(totals.total).toBe(paid);
        for (const part of parts) {
          expect(part.tax).toBeGreaterThanOrEqual(0);
          expect(part.total).toBeGreaterThanOrEqual(part.tax);
        }
      }),
      runs,
    );
  });

  it('have the exact tax of each rate, and of each part its share, rounded down or up', () => {
    fc.assert(
      fc.property(orders, (order) => {
        const totals = totalsOf(order);
        const parts = [
          ...order.lines.map((each, index) => ({
            rate: each.taxRate,
            base: each.quantity * each.unitPrice - each.discount,
            tax: totals.lines[index]?.tax ?? 0,
          })),
          {
            rate: order.shipping.taxRate,
            base: order.shipping.price - order.shipping.discount,
            tax: totals.shipping.tax,
          },
        ];
        for (const [rate, together] of Map.groupBy(parts, (part) => part.rate)) {
          const divisor = BigInt(order.taxIncluded ? 10_000 + rate : 10_000);
          const base = BigInt(total(together.map((part) => part.base)));
          const rounded = (2n * base * BigInt(rate) + divisor) / (2n * divisor);
          expect(BigInt(total(together.map(({ tax }) => tax)))).toBe(rounded);
          for (const part of together) {
            // The distance from the part's share of the rounded tax, in units of 1 / base.
            const off = BigInt(part.tax) * base - rounded * BigInt(part.base);
            expect(base === 0n ? off === 0n : off > -base && off < base).toBe(true);
          }
        }
      }),
      runs,
    );
  });

  it('do not depend on the order of the lines', () => {
    const shuffled = orders.chain((order) =>
      fc.record({
        order: fc.constant(order),
        lines: fc.shuffledSubarray(order.lines, { minLength: order.lines.length }),
      }),
    );
    const byId = ({ lines, ...rest }: Totals) => ({
      ...rest,
      lines: lines.toSorted((a, b) => a.id.localeCompare(b.id)),
    });
    fc.assert(
      fc.property(shuffled, ({ order, lines }) => {
        expect(byId(totalsOf({ ...order, lines }))).toEqual(byId(totalsOf(order)));
      }),
      runs,
    );
    // Both lines have the same remainder, so one of them gets the cent.
    const [one, other] = [line(1, 5, 1000), line(1, 5, 1000)];
    const taxes = (lines: PricedLine[]) =>
      byId(totalsOf({ taxIncluded: false, lines, shipping: noShipping })).lines.map(({ tax }) => tax);
    expect(taxes([other, one])).toEqual(taxes([one, other]));
  });

  it.each([
    ['a discount above its line', [line(1, 5, 1900, 6)], noShipping],
    ['a negative discount', [line(1, 5, 1900, -1)], noShipping],
    ['a discount above the price of shipping', [], { price: 1, discount: 2, taxRate: 0 }],
    ['a line beyond exact numbers', [line(999, 1_000_000_000_000_000)], noShipping],
    ['lines beyond exact numbers', [line(9, 1e15), line(9, 1e15)], noShipping],
  ])('refuse %s', (_what, lines, shipping) => {
    expect(() => totalsOf({ taxIncluded: true, lines, shipping })).toThrow(RangeError);
  });
});

describe('an order that is too large', () => {
  it('costs more before discounts than an invoice may', () => {
    const most = line(1, maxTotal, 1900, maxTotal);
    expect(isTooLarge({ taxIncluded: true, lines: [most], shipping: noShipping })).toBe(false);
    expect(isTooLarge({ taxIncluded: true, lines: [most, line(1, 1)], shipping: noShipping })).toBe(true);
    expect(isTooLarge({ taxIncluded: true, lines: [most], shipping: { ...noShipping, price: 1 } })).toBe(true);
    expect(isTooLarge({ taxIncluded: true, lines: [line(999, maxTotal)], shipping: noShipping })).toBe(true);
  });
});
