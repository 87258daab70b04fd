import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdsAll, noPeople, sizeOf, sizeOfUnion, unionOf } from './people.ts';

const few = fc.array(fc.integer({ min: 0, max: 65_535 }), { maxLength: 50 });
/** More than a list is kept for. */
const many = fc
  .tuple(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 4000, max: 4200 }))
  .map(([from, count]) => Array.from({ length: count }, (_, at) => from + at));
const places = fc.oneof({ arbitrary: few, weight: 3 }, many);

describe('chunks of people', () => {
  it('are what sets are', () => {
    fc.assert(
      fc.property(places, places, places, (a, b, c) => {
        const chunks = [unionOf([], a), unionOf([], b)];
        const union = unionOf(chunks, c);
        const all = new Set([...a, ...b, ...c]);
        expect(sizeOf(union)).toBe(all.size);
        expect(sizeOfUnion([...chunks, unionOf([], c)])).toBe(all.size);
        expect(union.length).toBe(Math.min(all.size * 2, 8192));
        expect(holdsAll(union, a)).toBe(true);
        const other = [0, 1, 777, 65_535].filter((place) => !all.has(place));
        for (const place of other) expect(holdsAll(union, [place])).toBe(false);
        expect(unionOf([unionOf([], [...all].toReversed())])).toEqual(union);
      }),
    );
  });

  it('of nobody are empty', () => {
    expect([sizeOf(noPeople), sizeOfUnion([]), unionOf([]).length]).toEqual([0, 0, 0]);
    expect(sizeOf(unionOf([], Array(65_536).keys()))).toBe(65_536);
  });
});
