import type { PageOf, Position, Slice } from '@storefront/contracts';
import type mongoose from 'mongoose';
import type { Collection, Filter } from './collections.ts';
import type { Transaction } from './transaction.ts';

/** The order of a list, like the keys of an index. The last field is unique, and no field is ever null. */
export type Order = Readonly<Record<string, 1 | -1>>;

/** The list to read, and the part of it. */
export interface PageQuery<Document> {
  readonly filter?: Filter<Document>;
  readonly order: Order;
  readonly slice: Slice;
  /** The name of the index to use. */
  readonly hint?: string;
  readonly projection?: mongoose.mongo.Document;
  readonly transaction?: Transaction;
}

/**
 * Returns the filter for documents after a position in this order. The first condition alone limits the scan of the
 * index. The alternatives then exclude documents that have the same first value but come before the position.
 */
export function after(order: Order, position: Position | undefined): Record<string, unknown> {
  const fields = Object.entries(order);
  const [first] = fields;
  if (position === undefined || first === undefined) return {};
  const beyond = (direction: 1 | -1) => (direction === 1 ? '$gt' : '$lt');
  const alternatives = fields.map(([field, direction], index) => ({
    ...Object.fromEntries(fields.slice(0, index).map(([earlier], place) => [earlier, position[place]])),
    [field]: { [beyond(direction)]: position[index] },
  }));
  return { [first[0]]: { [`${beyond(first[1])}e`]: position[0] }, $or: alternatives };
}

/** Reads one page of a list. `toItem` turns each document into an item. */
export async function readPage<Document extends mongoose.mongo.Document, Item>(
  collection: Collection<Document>,
  { filter = {}, order, slice, hint, projection, transaction }: PageQuery<Document>,
  toItem: (document: Document) => Item,
): Promise<PageOf<Item>> {
  const documents = await collection
    .find<Document>(allOf<Document>(filter, after(order, slice.after)), {
      ...(hint === undefined ? {} : { hint }),
      ...(projection === undefined ? {} : { projection }),
      ...(transaction === undefined ? {} : { session: transaction.session }),
    })
    .sort({ ...order })
    .limit(slice.limit + 1)
    .toArray();
  const { items, next } = toPage(documents, { order, limit: slice.limit });
  return { items: items.map(toItem), next };
}

/**
 * Makes a page of at most `limit` items. If `items` has one item more, the list goes on after this page. `_id` may be
 * named `id` in the items.
 */
export function toPage<Item extends object>(
  items: readonly Item[],
  { order, limit }: { order: Order; limit: number },
): PageOf<Item> {
  const shown = items.slice(0, limit);
  const last = items.length > limit ? shown.at(-1) : undefined;
  return { items: shown, next: last ? positionOf(last, order) : null };
}

/** Returns the document with its `_id` renamed to `id`. */
export function withId<Document extends { readonly _id: unknown }>({
  _id,
  ...fields
}: Document): Omit<Document, '_id'> & { id: Document['_id'] } {
  return { ...fields, id: _id };
}

/** Returns a filter that matches where all given filters match. */
export function allOf<Document>(...filters: readonly object[]): Filter<Document> {
  const conditions = filters.filter((filter) => Object.keys(filter).length > 0);
  return conditions.length > 1 ? { $and: conditions } : (conditions[0] ?? {});
}

function positionOf(item: object, order: Order): Position {
  return Object.keys(order).map((field) => {
    const path = field === '_id' && !('_id' in item) ? 'id' : field;
    const value = path.split('.').reduce<unknown>((part, key) => (part as Record<string, unknown> | null)?.[key], item);
    if (value === undefined || value === null)
      throw new Error(`a list can't be ordered by a field that has no value: ${field}`);
    return value as Position[number];
  });
}
