import { inTransaction, type Transaction } from '@storefront/mongo';
import type { Store } from './collections.ts';

/** Records which orders were counted. */
export interface OrderCounts {
  /** Runs `work` in a transaction. Where another transaction collides with it, `work` runs again. */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /**
   * Makes the transactions of one user run one after the other: transactions that call it for the same user collide.
   */
  takeTurn(userId: string, transaction: Transaction): Promise<void>;
  /**
   * Marks the order as counted. Returns false, and changes nothing more, where the order was counted before. Calls
   * `takeTurn` for the user first.
   */
  isNew(orderId: string, userId: string, transaction: Transaction): Promise<boolean>;
  /**
   * Waits for transactions that are counting an order of the user. Then runs `erase` and deletes the user's document.
   */
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
