import { catalogEvents, fact, toEvent, type Event, type Fact } from '@storefront/contracts';
import { toldFact as categorySnapshotFact } from '../domain/category.ts';
import { toldFact as productSnapshotFact } from '../domain/product.ts';
import type { Store } from '../store/collections.ts';

type Needs = Pick<Store, 'categories' | 'deletedCategories' | 'products' | 'deletedProducts'> & {
  readonly now: () => Date;
};

/** A fact about something at its version. */
interface Told {
  readonly fact: Fact;
  readonly sequence: number;
}

/**
 * Up to `limit` categories and products after `id`, in the order of their ids, which has all categories before the first
 * product; each as an event that states it as it is, of deleted ones the last that is known. What was deleted before the
 * catalog kept it is not among them.
 */
export async function readPresent(needs: Needs, id: string | undefined, limit: number): Promise<Event[]> {
  const { now } = needs;
  const told = await presentCategories(needs, id, limit);
  const left = limit - told.length;
  if (left > 0) told.push(...(await presentProducts(needs, id, left)));
  const time = now();
  return told.map(({ fact: of, sequence }) => toEvent(of, { sequence, time }));
}

async function presentCategories(
  { categories, deletedCategories }: Needs,
  id: string | undefined,
  limit: number,
): Promise<Told[]> {
  const living = await categories.find({ _id: { $gt: id ?? '' } }, { order: { _id: 1 }, limit });
  // Read last: what is deleted between the two is in both, and not in neither.
  const gone = await deletedCategories.after(id, limit);
  return inOrder(
    living.map(({ state, version: sequence }) => ({ fact: categorySnapshotFact(state), sequence })),
    gone.map(({ id: subject, sequence, facts }) => {
      return { fact: fact(catalogEvents.categorySnapshot, subject, { ...facts, deleted: true }), sequence };
    }),
    limit,
  );
}

async function presentProducts(
  { products, deletedProducts }: Needs,
  id: string | undefined,
  limit: number,
): Promise<Told[]> {
  const living = await products.find({ _id: { $gt: id ?? '' } }, { order: { _id: 1 }, limit, without: ['words'] });
  // Read last, as above.
  const gone = await deletedProducts.after(id, limit);
  return inOrder(
    living.map(({ state, version: sequence }) => ({ fact: productSnapshotFact({ ...state, words: [] }), sequence })),
    gone.map(({ id: subject, sequence, facts }) => {
      return { fact: fact(catalogEvents.productSnapshot, subject, { ...facts, deleted: true }), sequence };
    }),
    limit,
  );
}

/** The first of both; what is in both is gone. */
function inOrder(living: readonly Told[], gone: readonly Told[], limit: number): Told[] {
  const bySubject = new Map([...living, ...gone].map((told) => [told.fact.subject, told]));
  const sorted = [...bySubject.values()].toSorted((one, other) => (one.fact.subject < other.fact.subject ? -1 : 1));
  return sorted.slice(0, limit);
}
