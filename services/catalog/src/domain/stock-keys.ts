// A product holds the keys of its latest stock changes, the newest first. Older ones are moved to a collection, many at
// once, so that most changes write the product alone.
const most = 50;
const keptAfterMove = 25;

/** Whether keys of the product can have been moved: from then on it never holds fewer. */
export function mayHaveMoved(keys: readonly string[]): boolean {
  return keys.length >= keptAfterMove;
}

/** The keys with a new one, and those that it no longer has room for: they have to be stored before it is saved. */
export function withStockKey(
  keys: readonly string[],
  key: string,
): { readonly kept: readonly string[]; readonly moved: readonly string[] } {
  const all = [key, ...keys];
  return all.length > most
    ? { kept: all.slice(0, keptAfterMove), moved: all.slice(keptAfterMove) }
    : { kept: all, moved: [] };
}
