import { catalogEvents, fact, toEvent, type Event, type Fact } from '@storefront/contracts';
import { snapshotFact as categorySnapshot } from '../domain/category.ts';
import { snapshotFact as productSnapshot } from '../domain/product.ts';
import type { Store } from '../store/collections.ts';

type Needs = Pick<Store, 'categories' | 'deletedCategories' | 'products' | 'deletedProducts'> & {
  readonly now: () => Date;
};

/** A snapshot event of a category or product, with the version that it describes. */
interface Snapshot {
  readonly fact: Fact;
  readonly sequence: number;
}

/**
 * Returns snapshot events of up to `limit` categories and products whose ids come after `id`, ordered by id. All
 * categories come before the first product. The snapshot of a deleted category or product has its last published facts.
 */
export async function readSnapshots(needs: Needs, id: string | undefined, limit: number): Promise<Event[]> {
  const { categories, deletedCategories, products, deletedProducts, now } = needs;
  const next = { filter: { _id: { $gt: id ?? '' } }, order: { _id: 1 } } as const;

  // The deleted ones are read last. A category that is deleted between the two reads is then found by both, and never
  // missed.
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
    const livingProducts = await products.find(next.filter, { order: next.order, limit: left });
    const ofProducts = inOrder(
      livingProducts.map(({ state, version: sequence }) => ({ fact: productSnapshot(state), sequence })),
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

/** The first `limit` snapshots of both lists, ordered by id. If a subject is in both lists, the deleted one counts. */
function inOrder(living: readonly Snapshot[], deleted: readonly Snapshot[], limit: number): Snapshot[] {
  const bySubject = new Map([...living, ...deleted].map((each) => [each.fact.subject, each]));
  const sorted = [...bySubject.values()].toSorted((one, other) => (one.fact.subject < other.fact.subject ? -1 : 1));
  return sorted.slice(0, limit);
}
