import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { product, sum, type Exact } from '../src/index.ts';
import { amounts, runs } from './amounts.ts';

const exact = fc.oneof<fc.Arbitrary<Exact>[]>(amounts, fc.bigInt({ min: 0n, max: 1n << 80n }));

describe('a product', () => {
  it('is that of all digits', () => {
    fc.assert(
      fc.property(exact, exact, (a, b) => {
        expect(BigInt(product(a, b))).toBe(BigInt(a) * BigInt(b));
      }),
      runs,
    );
  });

  it('of numbers is a number where that is safe, and a bigint where it is not', () => {
    expect(product(94_906_265, 94_906_267)).toBe(9_007_199_326_062_755n);
    expect(product(94_906_265, 94_906_265)).toBe(9_007_199_136_250_225);
  });
});

describe('a sum', () => {
  it('is that of all digits, whatever the order', () => {
    fc.assert(
      fc.property(fc.array(exact), (list) => {
        const whole = list.reduce<bigint>((total, amount) => total + BigInt(amount), 0n);
        expect(BigInt(sum(list))).toBe(whole);
        expect(BigInt(sum(list.toReversed()))).toBe(whole);
      }),
      runs,
    );
  });

  it('is a number where that is safe, also of bigints', () => {
    expect(sum([])).toBe(0);
    expect(sum([0n, 0n])).toBe(0);
    expect(sum([1n << 53n, -1n])).toBe(Number.MAX_SAFE_INTEGER);
  });
});
