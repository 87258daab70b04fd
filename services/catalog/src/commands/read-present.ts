import { catalogEvents, fact, toEvent } from '@storefront/contracts';
import type { Event } from '@storefront/contracts';
import { toldFact } from '../domain/product.ts';
import type { Store } from '../store/collections.ts';

type Needs = Pick<Store, 'products' | 'deletedProducts'> & { readonly now: () => Date };

/**
 * Up to `limit` products after `id`, in the order of their ids, each as an event that states it as it is; of deleted ones
 * the last that is known. Products that were deleted before the catalog kept them are not among them.
 */
export async function readPresent(
  { products, deletedProducts, now }: Needs,
  id: string | undefined,
  limit: number,
): Promise<Event[]> {
  const living = await products.find({ _id: { $gt: id ?? '' } }, { order: { _id: 1 }, limit, without: ['words'] });
  // Read last: a product that is deleted between the two is in both, and not in neither.
  const gone = await deletedProducts.after(id, limit);
  const time = now();
  const events = new Map([
    ...living.map(({ state, version }): [string, Event] => [
      state.id,
      toEvent(toldFact({ ...state, words: [] }), { sequence: version, time }),
    ]),
    ...gone.map(({ id: productId, sequence, facts }): [string, Event] => [
      productId,
      toEvent(fact(catalogEvents.productTold, productId, { ...facts, deleted: true }), { sequence, time }),
    ]),
  ]);
  const inOrder = [...events.values()].toSorted((one, other) => (one.subject < other.subject ? -1 : 1));
  return inOrder.slice(0, limit);
}
