import { inTransaction, type Transaction } from '@storefront/mongo';
import type { Store } from './collections.ts';

/** Which orders were counted. */
export interface OrderCounts {
  /** Runs `work` in a transaction; where another one collides with it, `work` runs again. */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /** Transactions that call it for the same user collide, so that they run one after the other. */
  takeTurn(userId: string, transaction: Transaction): Promise<void>;
  /**
   * Answers whether the order was not counted yet, and marks it as counted. Takes the user's turn.
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
  async function takeTurn(userId: string, { session }: Transaction): Promise<void> {
    await orderTurns.updateOne({ _id: userId }, { $inc: { orders: 1 } }, { upsert: true, session });
  }

  return {
    transaction: (work) => inTransaction(database, work),
    takeTurn,

    async isNew(orderId, userId, transaction) {
      const { session } = transaction;
      await takeTurn(userId, transaction);
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
