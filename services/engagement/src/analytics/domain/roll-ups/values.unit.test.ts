import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeOf, medianOf, packValues, unpackValues } from './values.ts';

const value = fc.oneof(
  fc.double({ min: 1e-9, max: 1e6, noNaN: true }),
  fc.integer({ min: 0, max: 100 }),
  fc.constantFrom(-3, 0.0349, 0.035, 0.995, 9.95, 99.6, 104, 1249),
);
const rounded = (each: number) => Number(Math.max(each, 0).toPrecision(2));

function packed(values: readonly number[]) {
  const counts: Record<string, number> = {};
  for (const each of values) counts[codeOf(each)] = (counts[codeOf(each)] ?? 0) + 1;
  return packValues(counts);
}

describe('packed values', () => {
  it('have the median of all of them, to two digits', () => {
    fc.assert(
      fc.property(fc.array(fc.array(value)), (parts) => {
        const sorted = parts
          .flat()
          .map(rounded)
          .sort((one, other) => one - other);
        const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
        const median = low === undefined || high === undefined ? null : (low + high) / 2;
        expect(medianOf(parts.map(packed))).toBe(median);
      }),
    );
  });

  it('are read back, and the same bytes for the same values in any order', () => {
    fc.assert(
      fc.property(fc.array(value), (values) => {
        const all = packed(values);
        expect(packed(values.toReversed())).toEqual(all);
        expect(packValues(unpackValues(all))).toEqual(all);
        expect(all.length).toBe(new Set(values.map(rounded)).size * 6);
      }),
    );
  });

  it('leave out what comes to nothing, and take off what is below it', () => {
    expect(packValues({ [codeOf(3)]: 0 })).toHaveLength(0);
    expect(medianOf([packValues({ [codeOf(3)]: 2, [codeOf(9)]: 1 }), packValues({ [codeOf(3)]: -2 })])).toBe(9);
    expect(medianOf([packValues({ [codeOf(3)]: -2 })])).toBeNull();
  });
});
