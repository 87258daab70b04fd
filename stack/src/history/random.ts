/** Pseudo-random values. The same seed always gives the same values. */
export interface Random {
  /** A number from 0 up to but not including 1. */
  next(): number;
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  pick<Item>(items: readonly Item[]): Item;
  shuffle<Item>(items: readonly Item[]): Item[];
}

/**
 * Returns a stream of random values. Streams of one seed are independent: reading values from one stream does not
 * change another.
 */
export function randomOf(seed: number, stream: string): Random {
  let state = seed | 0;
  for (const character of stream) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x9e3779b1);

  // The algorithm mulberry32. It is short, and its values are uniform enough for this purpose.
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));

  return {
    next,
    between,
    pick(items) {
      if (items.length === 0) throw new RangeError('there is nothing to choose from');
      return items[between(0, items.length - 1)] as (typeof items)[number];
    },
    shuffle(items) {
      const shuffled = [...items];
      for (let last = shuffled.length - 1; last > 0; last -= 1) {
        const other = between(0, last);
        [shuffled[last], shuffled[other]] = [shuffled[other] as never, shuffled[last] as never];
      }
      return shuffled;
    },
  };
}
