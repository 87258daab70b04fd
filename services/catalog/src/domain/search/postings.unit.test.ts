import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { Postings } from './postings.ts';

it('keeps what was added to each list, in order', () => {
  const entry = fc.record({ key: fc.nat(200), count: fc.integer({ min: 1, max: 300 }) });
  fc.assert(
    fc.property(fc.array(entry), (entries) => {
      const postings = new Postings();
      const expected = new Map<number, number[]>();
      let value = 0;
      for (const { key, count } of entries) {
        for (let added = 0; added < count; added += 1) {
          value += 1;
          postings.add(key, value);
          expected.set(key, [...(expected.get(key) ?? []), value]);
        }
      }
      const read = new Uint32Array(value + 1);
      for (let key = 0; key <= 201; key += 1) {
        const list = expected.get(key) ?? [];
        expect(postings.lengthOf(key)).toBe(list.length);
        expect(postings.read(key, read, 1)).toBe(list.length + 1);
        expect([...read.subarray(1, list.length + 1)]).toEqual(list);
      }
    }),
    { numRuns: 30 },
  );
});

it('keeps a list of many blocks', () => {
  const postings = new Postings();
  for (let value = 0; value < 50_000; value += 1) postings.add(value % 3 === 0 ? 7 : 3, value);
  const read = new Uint32Array(50_000);
  expect(postings.read(7, read, 0)).toBe(16_667);
  expect([...read.subarray(0, 16_667)]).toEqual(Array.from({ length: 16_667 }, (_, at) => at * 3));
});
