/** Chance that comes out the same for the same seed. */
export interface Random {
  /** From 0 to 1, 1 excluded. */
  next(): number;
  /** A whole number, both ends included. */
  between(least: number, most: number): number;
  pick<Item>(items: readonly Item[]): Item;
  shuffle<Item>(items: readonly Item[]): Item[];
}

/** `stream` sets apart the chance of several who share a seed, so that one's draws don't depend on another's. */
export function randomOf(seed: number, stream: string): Random {
  let state = seed | 0;
  for (const sign of stream) state = Math.imul(state ^ (sign.codePointAt(0) ?? 0), 0x9e3779b1);

  // mulberry32: small, and even enough for choosing what to break.
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
      if (items.length === 0) throw new RangeError('there is nothing to pick from');
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
