/** What became of the products of a merged list, by their ids. */
export interface MergeOutcome {
  readonly added: string[];
  readonly unknown: string[];
  readonly noRoom: string[];
}

/** A letter for each product of the request: added, unknown, no room, or none of these (`-`). */
export function noteOfMerge(productIds: readonly string[], { added, unknown, noRoom }: MergeOutcome): string {
  const letters = new Map([
    ...added.map((id) => [id, 'a'] as const),
    ...unknown.map((id) => [id, 'u'] as const),
    ...noRoom.map((id) => [id, 'n'] as const),
  ]);
  return [...new Set(productIds)].map((id) => letters.get(id) ?? '-').join('');
}

/** The outcome that a note holds, for the same request. */
export function mergeOfNote(productIds: readonly string[], note: string): MergeOutcome {
  const distinct = [...new Set(productIds)];
  const marked = (letter: string) => distinct.filter((_id, at) => note[at] === letter);
  return { added: marked('a'), unknown: marked('u'), noRoom: marked('n') };
}
