import { inTransaction } from '@storefront/mongo';
import type { Transaction } from '@storefront/mongo';
import type { Store } from './collections.ts';

/** Which orders were counted. */
export interface OrderCounts {
  /** Runs `work` in a transaction; where another one collides with it, `work` runs again. */
  transaction(work: (transaction: Transaction) => Promise<void>): Promise<void>;
  /**
   * Answers whether the order was not counted yet, and marks it as counted. Transactions that call it for the same user
   * collide, so that they run one after the other.
   */
  isNew(orderId: string, userId: string, transaction: Transaction): Promise<boolean>;
  /** Forgets the user. Waits for transactions under way that count an order of this user. */
  forget(userId: string, erase: () => Promise<void>): Promise<void>;
}

export function createOrderCounts({
  database,
  countedOrders,
  orderTurns,
}: Pick<Store, 'database' | 'countedOrders' | 'orderTurns'>): OrderCounts {
  return {
    transaction: (work) => inTransaction(database, work),

    async isNew(orderId, userId, { session }) {
      await orderTurns.updateOne({ _id: userId }, { $inc: { orders: 1 } }, { upsert: true, session });
      if (await countedOrders.findOne({ _id: orderId }, { session })) return false;
      await countedOrders.insertOne({ _id: orderId }, { session });
      return true;
    },

    async forget(userId, erase) {
      await orderTurns.updateOne({ _id: userId }, { $inc: { orders: 1 } }, { upsert: true });
      await erase();
      await orderTurns.deleteOne({ _id: userId });
    },
  };
}
