import { collectionOf, defineCollection, insertNew, type Database } from '@storefront/mongo';
import { z } from 'zod';

const kind = z.enum(['order', 'invoice']);

/** The orders that users have placed, and the invoices that they were sent, to count them. The services have the rest. */
export const purchases = defineCollection(
  'purchases',
  { userId: z.string(), kind },
  { sharding: { key: { userId: 'hashed' } }, indexes: { of_user: { keys: { userId: 1, kind: 1 } } } },
);

export interface Purchases {
  /** Adds an order or an invoice by its id. Added twice, it counts once. */
  add(of: { readonly kind: z.infer<typeof kind>; readonly id: string; readonly userId: string }): Promise<void>;
  countOf(userId: string): Promise<{ readonly orders: number; readonly invoices: number }>;
  removeOf(userId: string): Promise<void>;
}

export function openPurchases(database: Database): Purchases {
  const collection = collectionOf(database, purchases);
  const count = (userId: string, of: z.infer<typeof kind>) =>
    collection.countDocuments({ userId, kind: of }, { hint: 'of_user' });
  return {
    async add({ kind: of, id, userId }) {
      await insertNew(collection, [{ _id: `${of} ${id}`, userId, kind: of }]);
    },
    async countOf(userId) {
      const [orders, invoices] = await Promise.all([count(userId, 'order'), count(userId, 'invoice')]);
      return { orders, invoices };
    },
    async removeOf(userId) {
      await collection.deleteMany({ userId });
    },
  };
}
