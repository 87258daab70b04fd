import { changed, deleted, unchanged } from '@storefront/outbox';
import type { Transaction } from '@storefront/outbox';
import type { Product } from '../domain/product.ts';
import { factsOfProduct } from '../domain/product.ts';
import { unknownCategory } from '../domain/errors.ts';
import type { Collections } from './collections.ts';
import { living } from './collections.ts';

/** What becomes of one product: the next state, the same object for no change, or null for a deletion. */
export type Become = (id: string, current: Product | null, version: number) => Product | null;

/** A product before and after; its version after. */
export interface Changed {
  readonly before: Product | null;
  readonly after: Product | null;
  readonly version: number;
}

/**
 * Changes products together with what counts them: each category knows how many products refer to it. Every category
 * that a product comes into or leaves is written in the same transaction; so a category that is deleted at that moment
 * and the product collide, one of them starts again, and no product is ever left in a category that is gone.
 */
export async function changeProducts(
  { productAggregates, categories }: Pick<Collections, 'productAggregates' | 'categories'>,
  transaction: Transaction,
  ids: readonly string[],
  become: Become,
): Promise<Changed[]> {
  const answers = await productAggregates.changeAll(transaction, ids, (id, before, version) => {
    const after = become(id, before, version);
    if (after === before) return unchanged({ before, after });
    const facts = factsOfProduct(before, after);
    return after === null ? deleted(facts, { before, after }) : changed(after, facts, { before, after });
  });
  const changes = answers.map(({ result, version }) => ({ ...result, version }));
  const counts = countsOf(changes);
  if (counts.size > 0) {
    const { matchedCount } = await categories.bulkWrite(
      [...counts].map(([id, { products, activeProducts }]) => ({
        updateOne: {
          filter: { _id: id, ...living },
          update: {
            $inc: {
              products,
              activeProducts,
              // What a reader of the category sees is another one only when this count is.
              version: activeProducts === 0 ? 0 : 1,
              // Written even where the counts come out even: the collision is what keeps product and category together.
              touched: 1,
            },
          },
        },
      })),
      { session: transaction.session },
    );
    if (matchedCount < counts.size) await refuseUnknown(changes, categories, transaction);
  }
  return changes;
}

type Counts = { products: number; activeProducts: number };

function countsOf(changes: readonly Changed[]): Map<string, Counts> {
  const counts = new Map<string, Counts>();
  const add = (product: Product | null, by: 1 | -1) => {
    for (const id of product?.categoryIds ?? []) {
      const count = counts.get(id) ?? { products: 0, activeProducts: 0 };
      count.products += by;
      if (product?.status === 'active') count.activeProducts += by;
      counts.set(id, count);
    }
  };
  for (const { before, after } of changes) {
    const stays = before?.status === after?.status;
    const same = (id: string) => stays && before?.categoryIds.includes(id) && after?.categoryIds.includes(id);
    if (before) add({ ...before, categoryIds: before.categoryIds.filter((id) => !same(id)) }, -1);
    if (after) add({ ...after, categoryIds: after.categoryIds.filter((id) => !same(id)) }, 1);
  }
  return counts;
}

async function refuseUnknown(
  changes: readonly Changed[],
  categories: Collections['categories'],
  { session }: Transaction,
): Promise<never> {
  const wanted = changes.flatMap(({ after }) => after?.categoryIds ?? []);
  const found = await categories
    .find({ _id: { $in: wanted }, ...living }, { session, projection: { _id: 1 } })
    .toArray();
  const known = new Set(found.map(({ _id }) => _id));
  const index = wanted.findIndex((id) => !known.has(id));
  throw unknownCategory(`/categoryIds/${Math.max(index, 0)}`);
}
