import { date, collectionOf, defineCollection, integer, mixed } from '@storefront/mongo';
import type { catalogEvents } from '@storefront/contracts';
import type { Database, Transaction } from '@storefront/mongo';

/** Products that are gone, for ever: wishlists still show them. Keyed by the product. */
export const deletedProducts = defineCollection('deleted_products', {
  /** Of the event that told of the deletion. */
  sequence: integer(),
  facts: mixed<catalogEvents.ProductFacts>(),
  deletedAt: date(),
});

interface DeletedProduct {
  readonly id: string;
  readonly sequence: number;
  /** The last that was published about it. */
  readonly facts: catalogEvents.ProductFacts;
}

export interface DeletedProducts {
  add(product: DeletedProduct, transaction: Transaction): Promise<void>;
  /** Up to `limit` in the order of their ids. */
  after(id: string | undefined, limit: number): Promise<DeletedProduct[]>;
}

export function openDeletedProducts({ database, now }: { database: Database; now: () => Date }): DeletedProducts {
  const collection = collectionOf(database, deletedProducts);
  return {
    async add({ id, sequence, facts }, { session }) {
      // A creation that is tried again under its Idempotency-Key makes the product anew, and it may be deleted again.
      const deleted = { sequence, facts, deletedAt: now() };
      await collection.updateOne({ _id: id }, { $set: deleted }, { upsert: true, session });
    },
    async after(id, limit) {
      const found = await collection
        .find({ _id: { $gt: id ?? '' } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id, sequence, facts }) => ({ id: _id, sequence, facts }));
    },
  };
}
