/** Where a list goes on: the values of its order's fields in the last item that was read. No such value is ever null. */
export type Position = readonly (string | number | boolean | Date)[];

/** The part of a list to read: up to `limit` items, from after the position on. */
export interface Slice {
  readonly limit: number;
  /** Undefined for the start of the list. */
  readonly after: Position | undefined;
}

/** The items of a slice, and where the list goes on; `next` is null at its end. */
export interface PageOf<Item> {
  readonly items: readonly Item[];
  readonly next: Position | null;
}

/** All of a list, in pages of up to `limit` that are read as they are asked for. */
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
