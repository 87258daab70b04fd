// A product holds the keys of its latest stock changes, the newest first. When there are more than 50, the older ones
// are moved to a collection, many at once. So most changes write only the product.
const most = 50;
const keptAfterMove = 25;

/** Whether keys of the product may have been moved. After the first move a product never holds fewer than 25 keys. */
export function mayHaveMoved(keys: readonly string[]): boolean {
  return keys.length >= keptAfterMove;
}

/**
 * Adds a key. `moved` are the keys that the product no longer holds; they must be stored before the product is saved.
 */
export function withStockKey(
  keys: readonly string[],
  key: string,
): { readonly kept: readonly string[]; readonly moved: readonly string[] } {
  const all = [key, ...keys];
  return all.length > most
    ? { kept: all.slice(0, keptAfterMove), moved: all.slice(keptAfterMove) }
    : { kept: all, moved: [] };
}
