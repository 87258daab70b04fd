import { distinctWishes, keyOf, type Wish } from '../domain/wishlist.ts';

/** What happened to each product or variant of a merged list. */
export interface MergeOutcome {
  readonly added: Wish[];
  readonly unknown: Wish[];
  readonly noRoom: Wish[];
}

/**
 * Encodes the outcome as one letter for each wish: added (`a`), unknown (`u`), no room (`n`), or already on the list
 * (`-`).
 */
export function noteOfMerge(wishes: readonly Wish[], { added, unknown, noRoom }: MergeOutcome): string {
  const letters = new Map([
    ...added.map((wish) => [keyOf(wish), 'a'] as const),
    ...unknown.map((wish) => [keyOf(wish), 'u'] as const),
    ...noRoom.map((wish) => [keyOf(wish), 'n'] as const),
  ]);
  return distinctWishes(wishes)
    .map((wish) => letters.get(keyOf(wish)) ?? '-')
    .join('');
}

/** Decodes a note into the outcome. `wishes` must be those of the same request. */
export function mergeOfNote(wishes: readonly Wish[], note: string): MergeOutcome {
  const distinct = distinctWishes(wishes);
  const marked = (letter: string) => distinct.filter((_wish, at) => note[at] === letter);
  return { added: marked('a'), unknown: marked('u'), noRoom: marked('n') };
}
