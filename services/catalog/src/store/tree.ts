import type { Transaction } from '@storefront/outbox';
import { changed, unchanged } from '@storefront/outbox';
import { factsOfCategory, withChange } from '../domain/category.ts';
import type { Category, Place } from '../domain/category.ts';
import { living, toCategory } from './collections.ts';
import type { Collections } from './collections.ts';

/** A category and its version. */
export interface Versioned {
  readonly category: Category;
  readonly version: number;
}

export async function findCategory(
  { categories }: Collections,
  id: string,
  { session }: Transaction,
): Promise<Versioned | null> {
  const document = await categories.findOne({ _id: id, ...living }, { session, projection: { outbox: 0 } });
  return document && { category: toCategory(document), version: document.version };
}

export async function findDescendants(
  { categories }: Collections,
  id: string,
  { session }: Transaction,
): Promise<Category[]> {
  const found = await categories.find({ path: id, ...living }, { session, projection: { outbox: 0 } }).toArray();
  return found.map(toCategory);
}

/** Notes that so many categories came under the parent. The write is also what makes a deletion of the parent collide. */
export async function countChildren(
  { categories }: Collections,
  parentId: string | null,
  count: number,
  { session }: Transaction,
): Promise<void> {
  if (parentId === null) return;
  await categories.updateOne({ _id: parentId, ...living }, { $inc: { children: count } }, { session });
}

/** Puts categories where they are now; those whose path is another one tell of it. */
export async function placeAll(
  { categoryAggregates }: Collections,
  places: ReadonlyMap<string, Place>,
  transaction: Transaction,
  now: Date,
): Promise<void> {
  await categoryAggregates.changeAll(transaction, [...places.keys()], (id, before) => {
    const place = places.get(id);
    if (!before || !place) return unchanged(undefined);
    const after = withChange(before, {}, place, now);
    if (after === before) return unchanged(undefined);
    const isElsewhere = after.path.join() !== before.path.join();
    return changed(after, isElsewhere ? factsOfCategory(before, after) : [], undefined);
  });
}
