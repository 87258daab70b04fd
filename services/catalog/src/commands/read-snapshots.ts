import { catalogEvents, fact, toEvent, type Event, type Fact } from '@storefront/contracts';
import { snapshotFact as categorySnapshot } from '../domain/category.ts';
import { snapshotFact as productSnapshot } from '../domain/product.ts';
import type { Store } from '../store/collections.ts';

type Needs = Pick<Store, 'categories' | 'deletedCategories' | 'products' | 'deletedProducts'> & {
  readonly now: () => Date;
};

/** A fact about a category or product at its version. */
interface Snapshot {
  readonly fact: Fact;
  readonly sequence: number;
}

/**
 * Snapshot events of up to `limit` categories and products after `id`, in the order of their ids, in which all categories come before
 * the first product. A deleted one has the last facts that were published about it.
 */
export async function readSnapshots(needs: Needs, id: string | undefined, limit: number): Promise<Event[]> {
  const { categories, deletedCategories, products, deletedProducts, now } = needs;
  const next = { filter: { _id: { $gt: id ?? '' } }, order: { _id: 1 } } as const;

  // Deleted ones are read last: what is deleted between the two reads is in both, and not in neither.
  const livingCategories = await categories.find(next.filter, { order: next.order, limit });
  const snapshots = inOrder(
    livingCategories.map(({ state, version: sequence }) => ({ fact: categorySnapshot(state), sequence })),
    (await deletedCategories.after(id, limit)).map(({ id: subject, sequence, facts }) => {
      return { fact: fact(catalogEvents.categorySnapshot, subject, { ...facts, deleted: true }), sequence };
    }),
    limit,
  );
  const left = limit - snapshots.length;
  if (left > 0) {
    const livingProducts = await products.find(next.filter, { order: next.order, limit: left, without: ['words'] });
    const ofProducts = inOrder(
      livingProducts.map(({ state, version: sequence }) => {
        return { fact: productSnapshot({ ...state, words: [] }), sequence };
      }),
      (await deletedProducts.after(id, left)).map(({ id: subject, sequence, facts }) => {
        return { fact: fact(catalogEvents.productSnapshot, subject, { ...facts, deleted: true }), sequence };
      }),
      left,
    );
    snapshots.push(...ofProducts);
  }
  const time = now();
  return snapshots.map(({ fact: of, sequence }) => toEvent(of, { sequence, time }));
}

/** The first of both by id; one that is in both is deleted. */
function inOrder(living: readonly Snapshot[], deleted: readonly Snapshot[], limit: number): Snapshot[] {
  const bySubject = new Map([...living, ...deleted].map((each) => [each.fact.subject, each]));
  const sorted = [...bySubject.values()].toSorted((one, other) => (one.fact.subject < other.fact.subject ? -1 : 1));
  return sorted.slice(0, limit);
}
