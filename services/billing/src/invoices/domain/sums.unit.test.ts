import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lines, runs } from '../../../test/arbitrary.ts';
import { grossOf, isDiscountAbove, isTooLarge, maxTotal, sumsOf } from './sums.ts';

const line = (quantity: number, unitPrice: number, taxRate = 19, discount = 0) => ({
  description: 'Tea',
  sku: null,
  quantity,
  unitPrice,
  discount,
  taxRate,
});

describe('the sums of an invoice', () => {
  it('have the tax of each rate, rounded once', () => {
    const sums = sumsOf([line(3, 1099), line(1, 335, 7)]);
    expect(sums).toMatchObject({
      lines: [{ net: 3297 }, { net: 335 }],
      taxes: [
        { rate: 19, base: 3297, amount: 626 },
        { rate: 7, base: 335, amount: 23 },
      ],
      subtotal: 3632,
      tax: 649,
      total: 4281,
    });
    // Each of the lines alone has a tax of 0.5, which would be 1.
    expect(sumsOf([line(1, 5, 10), line(1, 5, 10)]).tax).toBe(1);
  });

  it('count quantities in thousandths and rates in hundredths of a per cent, as binary fractions hold neither', () => {
    expect(grossOf(line(1.005, 100_000))).toBe(100_500);
    expect(grossOf(line(0.5, 1))).toBe(1);
    expect(grossOf(line(0.499, 1))).toBe(0);
    expect(sumsOf([line(1, 10_000, 8.1)]).tax).toBe(810);
    expect(sumsOf([line(1, 10_000, 1.15)]).tax).toBe(115);
    expect(grossOf(line(0.29, 100))).toBe(29);
  });

  it('are those of the standard for any lines (EN 16931: BR-CO-10, -13, -14, -15, -17)', () => {
    fc.assert(
      fc.property(lines, (given) => {
        const { lines: nets, taxes, subtotal, tax, total } = sumsOf(given);
        expect(subtotal).toBe(nets.reduce((sum, { net }) => sum + net, 0));
        expect(subtotal).toBe(taxes.reduce((sum, { base }) => sum + base, 0));
        expect(total).toBe(subtotal + tax);
        expect(new Set(taxes.map(({ rate }) => rate)).size).toBe(taxes.length);
        for (const { rate, base, amount } of taxes)
          expect(BigInt(amount)).toBe((BigInt(base) * BigInt(Math.round(rate * 100)) + 5000n) / 10_000n);
        for (const { net, quantity, unitPrice, discount } of nets)
          expect(BigInt(net + discount)).toBe((BigInt(Math.round(quantity * 1000)) * BigInt(unitPrice) + 500n) / 1000n);
      }),
      runs,
    );
  });
});

describe('what is no invoice', () => {
  it('is one beyond the largest amount, before discounts or with tax', () => {
    expect(isTooLarge([line(1, maxTotal, 0)])).toBe(false);
    expect(isTooLarge([line(1, maxTotal, 0), line(0.001, 1, 0)])).toBe(true);
    expect(isTooLarge([line(1, maxTotal, 0.01)])).toBe(true);
    expect(isTooLarge(Array.from({ length: 200 }, () => line(1_000_000, maxTotal)))).toBe(true);
  });

  it('is one with a discount above its line', () => {
    expect(isDiscountAbove(line(1, 5, 19, 5))).toBe(false);
    expect(isDiscountAbove(line(1, 5, 19, 6))).toBe(true);
    expect(isDiscountAbove(line(0.5, 1, 19, 1))).toBe(false);
    expect(isDiscountAbove(line(1_000_000, maxTotal, 19, maxTotal))).toBe(false);
  });
});
