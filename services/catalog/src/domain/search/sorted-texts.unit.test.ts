import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { SortedTexts } from './sorted-texts.ts';

it('finds texts by their beginnings and ranks them, however many there are', () => {
  const [short] = fc.sample(
    fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'é', '茶', '😀'), maxLength: 6 }), {
      minLength: 2600,
      maxLength: 2600,
    }),
    {
      numRuns: 1,
      seed: 7,
    },
  );
  const texts = new SortedTexts();
  for (const [number, text] of (short ?? []).entries()) texts.add(text, number);
  for (const beginning of ['', 'a', 'ab', 'é茶', '😀b', 'z']) {
    const found: number[] = [];
    texts.beginningWith(beginning, (number) => found.push(number));
    const expected = [...(short ?? []).entries()]
      .filter(([, text]) => text.startsWith(beginning))
      .map(([number]) => number);
    expect(found.toSorted((one, other) => one - other)).toEqual(expected);
  }
  expect(texts.sorted).toBe(2048);
  const ranks = new Uint32Array(2048);
  texts.writeRanks(ranks);
  const sorted = (short ?? []).slice(0, 2048);
  const inOrder = sorted.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  expect(sorted.map((text, number) => [text, ranks[number]])).toEqual(
    sorted.map((text) => [text, inOrder.indexOf(text)]),
  );
});
