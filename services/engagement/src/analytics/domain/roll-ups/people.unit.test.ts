import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkOf, createUnionCount, holdsAll, noPeople, placeOf, sizeOf, unionOf } from './people.ts';

const last = 2 ** 20 - 1;
const few = fc.array(fc.oneof(fc.integer({ min: 0, max: last }), fc.integer({ min: 0, max: 300 })), { maxLength: 50 });
/** So close together that a list of them is longer than bits. */
const many = fc
  .tuple(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 1, max: 1200 }), fc.integer({ min: 1, max: 3 }))
  .map(([from, count, step]) => Array.from({ length: count }, (_, at) => from + at * step));
const places = fc.oneof({ arbitrary: few, weight: 3 }, many);

describe('chunks of people', () => {
  it('are what sets are', () => {
    // One for all, so that each count meets what the one before it has left.
    const sizeOfUnion = createUnionCount();
    fc.assert(
      fc.property(places, places, places, (a, b, c) => {
        const chunks = [unionOf([], a), unionOf([], b)];
        const union = unionOf(chunks, c);
        const all = new Set([...a, ...b, ...c]);
        expect(sizeOf(union)).toBe(all.size);
        expect(sizeOfUnion([...chunks, unionOf([], c)])).toBe(all.size);
        const bytes = Math.min(all.size * 3, (Math.max(...all) >> 3) + 1);
        expect(union.length).toBe(all.size === 0 ? 0 : 1 + bytes);
        expect(holdsAll(union, a)).toBe(true);
        const others = [0, 1, 777, 65_535, last].filter((place) => !all.has(place));
        for (const place of others) expect(holdsAll(union, [place])).toBe(false);
        expect(unionOf([unionOf([], [...all].toReversed())])).toEqual(union);
      }),
    );
  });

  it('are lists of 3 bytes each, or a bit for each number up to the greatest where lists were as long', () => {
    const sizes = [1, 2, 100].map((count) =>
      unionOf(
        [],
        Array.from({ length: count }, (_, at) => at * 24 + 23),
      ),
    );
    expect(sizes.map((chunk) => [chunk.length, sizeOf(chunk)])).toEqual([
      [1 + 3, 1],
      [1 + 6, 2],
      [1 + 300, 100],
    ]);
    expect(sizes.map(([kind]) => kind)).toEqual([1, 1, 1]);
    expect(unionOf([], [31])).toEqual(Uint8Array.of(0, 0, 0, 31));
    expect(sizeOf(unionOf(sizes))).toBe(100);
  });

  it('of nobody are empty, and of everybody a bit each', () => {
    expect([sizeOf(noPeople), createUnionCount()([]), unionOf([]).length]).toEqual([0, 0, 0]);
    const everybody = unionOf([], Array(last + 1).keys());
    expect([sizeOf(everybody), everybody.length]).toEqual([last + 1, 1 + 2 ** 17]);
  });

  it('have each number once', () => {
    expect([last, last + 1].map((person) => [chunkOf(person), placeOf(person)])).toEqual([
      [0, last],
      [1, 0],
    ]);
  });
});
