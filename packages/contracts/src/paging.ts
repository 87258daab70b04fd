/**
 * A position in a list: the values of the last read item in the fields by which the list is sorted. No value is ever
 * null.
 */
export type Position = readonly (string | number | boolean | Date)[];

/** The part of a list to read: up to `limit` items after the position `after`. */
export interface Slice {
  readonly limit: number;
  /** Undefined for the start of the list. */
  readonly after: Position | undefined;
}

/** The items of a slice. `next` is the position where the list continues; null at the end of the list. */
export interface PageOf<Item> {
  readonly items: readonly Item[];
  readonly next: Position | null;
}

/** Yields the whole list in pages of up to `limit` items. A page is read only when it is requested. */
export async function* allPages<Item>(
  read: (slice: Slice) => Promise<PageOf<Item>>,
  limit: number,
): AsyncGenerator<readonly Item[], void> {
  let after: Position | undefined;
  for (;;) {
    const { items, next } = await read({ limit, after });
    yield items;
    if (next === null) return;
    after = next;
  }
}
