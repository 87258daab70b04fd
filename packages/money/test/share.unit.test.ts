import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { divideHalfUp, share } from '../src/index.ts';
import { amounts, runs } from './amounts.ts';

const basisPoints = fc.integer({ min: 0, max: 10_000 });

describe('a share', () => {
  it.each([
    // 0.5 is half a unit: up. 0.49995 is less.
    [1, 5000, 1],
    [9999, 1, 1],
    [5000, 1, 1],
    [4999, 1, 0],
    [1999, 1250, 250], // 249.875
    [1000, 1250, 125],
    [0, 10_000, 0],
    [999, 0, 0],
    // 9007199254740991 x 3333 / 10000 = 3002099511605172.3003: the product has 20 digits.
    [Number.MAX_SAFE_INTEGER, 3333, 3_002_099_511_605_172],
    [Number.MAX_SAFE_INTEGER, 10_000, Number.MAX_SAFE_INTEGER],
  ])('of %d at %d basis points is %d', (amount, points, expected) => {
    expect(share(amount, points)).toBe(expected);
  });

  it('is the nearest integer, and the greater of two that are as near, for amounts of any size', () => {
    fc.assert(
      fc.property(amounts, basisPoints, (amount, points) => {
        const off = BigInt(share(amount, points)) * 10_000n - BigInt(amount) * BigInt(points);
        expect(off > -5000n && off <= 5000n).toBe(true);
      }),
      runs,
    );
  });

  it.each([
    [-1, 100],
    [1.5, 100],
    [Number.MAX_SAFE_INTEGER + 1, 100],
    [Number.NaN, 100],
    [100, -1],
    [100, 0.5],
  ])('of %d at %d basis points is refused', (amount, points) => {
    expect(() => share(amount, points)).toThrow(RangeError);
  });

  it('that is no safe integer is refused', () => {
    expect(() => share(Number.MAX_SAFE_INTEGER, 10_001)).toThrow(RangeError);
  });
});

describe('a quotient', () => {
  it('is the nearest integer, of numbers as of bigints', () => {
    fc.assert(
      fc.property(amounts, amounts, (dividend, other) => {
        const divisor = Math.max(other, 1);
        const quotient = divideHalfUp(dividend, divisor);
        const twiceOff = 2n * (BigInt(quotient) * BigInt(divisor) - BigInt(dividend));
        expect(twiceOff > -BigInt(divisor) && twiceOff <= BigInt(divisor)).toBe(true);
        expect(divideHalfUp(BigInt(dividend), BigInt(divisor))).toBe(quotient);
      }),
      runs,
    );
  });

  it.each([
    [1, 0],
    [1, -2],
    [-1, 2],
    [1n << 60n, 1],
  ])('%d / %d is refused', (dividend, divisor) => {
    expect(() => divideHalfUp(dividend, divisor)).toThrow(RangeError);
  });
});
