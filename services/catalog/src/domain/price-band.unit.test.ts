import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bandOf, bandsBetween } from './price-band.ts';

const amount = fc.integer({ min: 0, max: 1_000_000_000_000 });

describe('price bands', () => {
  it('between two prices are those of every price between them', () => {
    fc.assert(
      fc.property(amount, amount, amount, (...amounts) => {
        const [min = 0, between = 0, max = 0] = amounts.toSorted((one, other) => one - other);
        expect(bandsBetween(min, max)).toContain(bandOf(between));
      }),
    );
  });

  it('hold prices of which the highest is at most a tenth above the lowest', () => {
    fc.assert(
      fc.property(amount, (price) => {
        expect(bandOf(Math.ceil(price * 1.1) + 1)).toBeGreaterThan(bandOf(price));
      }),
    );
  });

  it('are few: one for what is free, and 145 from a cent to ten thousand', () => {
    expect(bandsBetween(0, 0)).toEqual([0]);
    expect(bandsBetween(1, 1_000_000)).toHaveLength(145);
    expect(bandsBetween(0, 1_000_000)).toHaveLength(146);
  });
});
