/** What happened to each product of a merged list. Contains the ids of the products. */
export interface MergeOutcome {
  readonly added: string[];
  readonly unknown: string[];
  readonly noRoom: string[];
}

/**
 * Encodes the outcome as one letter for each product: added (`a`), unknown (`u`), no room (`n`), or already on the list
 * (`-`).
 */
export function noteOfMerge(productIds: readonly string[], { added, unknown, noRoom }: MergeOutcome): string {
  const letters = new Map([
    ...added.map((id) => [id, 'a'] as const),
    ...unknown.map((id) => [id, 'u'] as const),
    ...noRoom.map((id) => [id, 'n'] as const),
  ]);
  return [...new Set(productIds)].map((id) => letters.get(id) ?? '-').join('');
}

/** Decodes a note into the outcome. `productIds` must be those of the same request. */
export function mergeOfNote(productIds: readonly string[], note: string): MergeOutcome {
  const distinct = [...new Set(productIds)];
  const marked = (letter: string) => distinct.filter((_id, at) => note[at] === letter);
  return { added: marked('a'), unknown: marked('u'), noRoom: marked('n') };
}
