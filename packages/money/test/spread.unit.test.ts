import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spread, type Part } from '../src/index.ts';
import { amounts, runs } from './amounts.ts';

const even = (count: number, atMost = 1000): Part[] => Array.from({ length: count }, () => ({ weight: 1, atMost }));

/** Parts that may take no more than an exact sum can be, and an amount that fits into them. */
const fitting = fc
  .array(
    fc.record({ weight: fc.oneof(amounts, fc.bigInt({ min: 0n, max: 1n << 80n })), atMost: fc.nat(1_000_000_000) }),
    {
      maxLength: 12,
    },
  )
  .chain((parts) => {
    const capacity = parts.reduce((total, { atMost }) => total + atMost, 0);
    return fc.record({ parts: fc.constant(parts), amount: fc.nat(capacity) });
  });

/** Parts of which none may be full before its share: their weights are what they may take. */
const byWhatIsLeft = fc
  .array(
    amounts.map((amount) => Math.floor(amount / 16) + 1),
    { maxLength: 12 },
  )
  .chain((limits) => {
    const capacity = limits.reduce((total, limit) => total + limit, 0);
    return fc.record({
      parts: fc.constant(limits.map((limit) => ({ weight: limit, atMost: limit }))),
      amount: fc.maxSafeNat().map((number) => number % (capacity + 1)),
    });
  });

const total = (list: readonly number[]) => list.reduce((sum, amount) => sum + BigInt(amount), 0n);

describe('an amount that is spread', () => {
  it('adds up, whatever the weights and limits are, with no part below zero or above its limit', () => {
    fc.assert(
      fc.property(fitting, ({ parts, amount }) => {
        const given = spread(amount, parts);
        expect(total(given)).toBe(BigInt(amount));
        expect(given).toHaveLength(parts.length);
        for (const [index, { atMost }] of parts.entries()) {
          expect(given[index]).toBeGreaterThanOrEqual(0);
          expect(given[index]).toBeLessThanOrEqual(atMost);
        }
      }),
      runs,
    );
  });

  it('gives each part its share, rounded down or up, where none is full', () => {
    fc.assert(
      fc.property(byWhatIsLeft, ({ parts, amount }) => {
        const weights = total(parts.map(({ weight }) => weight));
        for (const [index, given] of spread(amount, parts).entries()) {
          // The distance from the exact share, in units of 1 / weights.
          const off = BigInt(given) * weights - BigInt(amount) * BigInt(parts[index]?.weight ?? 0);
          expect(off > -weights && off < weights).toBe(true);
        }
      }),
      runs,
    );
  });

  it('rounds up the largest remainders, and of equal ones those given first', () => {
    fc.assert(
      fc.property(byWhatIsLeft, ({ parts, amount }) => {
        const weights = total(parts.map(({ weight }) => weight));
        const shares = spread(amount, parts).map((given, index) => {
          const exact = BigInt(amount) * BigInt(parts[index]?.weight ?? 0);
          return { remainder: exact % weights, isUp: BigInt(given) * weights > exact };
        });
        const largestFirst = shares.toSorted(
          (a, b) => Number(a.remainder < b.remainder) - Number(a.remainder > b.remainder),
        );
        const ups = shares.filter(({ isUp }) => isUp).length;
        expect(largestFirst.map(({ isUp }) => isUp)).toEqual(shares.map((_, index) => index < ups));
      }),
      runs,
    );
  });

  it.each([
    ['one cent over three', 1, even(3), [1, 0, 0]],
    ['two cents over three', 2, even(3), [1, 1, 0]],
    ['one euro over three', 100, even(3), [34, 33, 33]],
    ['nothing', 0, even(3), [0, 0, 0]],
    // 10 x 1/6 = 1.67, 10 x 2/6 = 3.33, 10 x 3/6 = 5
    ['by weight', 10, [1, 2, 3].map((weight) => ({ weight, atMost: 100 })), [2, 3, 5]],
    // The shares are 5 and 5; what the first may not take goes to the other one.
    [
      'over a full one',
      10,
      [
        { weight: 1, atMost: 2 },
        { weight: 1, atMost: 100 },
      ],
      [2, 8],
    ],
    // 10 x 3/4 is 7.5 of at most 7; without it 3 of 10 are left for the other one.
    [
      'over one that would be rounded above its limit',
      10,
      [
        { weight: 3, atMost: 7 },
        { weight: 1, atMost: 100 },
      ],
      [7, 3],
    ],
    // 30, 30, 30: the first is full at 10, then 40 each; the second is full at 35, and the third gets the rest.
    [
      'over one that is full later',
      90,
      [
        { weight: 1, atMost: 10 },
        { weight: 1, atMost: 35 },
        { weight: 1, atMost: 90 },
      ],
      [10, 35, 45],
    ],
    [
      'over parts without weight',
      3,
      [
        { weight: 0, atMost: 2 },
        { weight: 0, atMost: 2 },
      ],
      [2, 1],
    ],
    [
      'over one with weight before one without',
      3,
      [
        { weight: 0, atMost: 5 },
        { weight: 1, atMost: 2 },
      ],
      [1, 2],
    ],
    // 2^53 - 1 = 9007199254740991 over two equal weights of more than 2^53 together
    [
      'of the largest size',
      Number.MAX_SAFE_INTEGER,
      [1n << 70n, 1n << 70n].map((weight) => ({ weight, atMost: Number.MAX_SAFE_INTEGER })),
      [4_503_599_627_370_496, 4_503_599_627_370_495],
    ],
  ] as const)('%s', (_what, amount, parts, expected) => {
    expect(spread(amount, parts)).toEqual(expected);
  });

  it.each([
    ['that is more than all parts may take', 2001, even(2)],
    ['over nothing', 1, []],
    ['that is negative', -1, even(2)],
    ['that is no integer', 0.5, even(2)],
    ['that is not safe', Number.MAX_SAFE_INTEGER + 1, even(2, Number.MAX_SAFE_INTEGER)],
  ])('%s is refused', (_what, amount, parts) => {
    expect(() => spread(amount, parts)).toThrow(RangeError);
  });
});
