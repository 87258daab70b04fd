import type { Decision } from '@storefront/contracts';
import { defineCollection, openRepository, withEvents, type Transaction } from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import { orderDiscounts as record, type OrderDiscounts } from '../domain/redemptions/order-discounts.ts';

export const orderDiscounts = defineCollection(
  'order_discounts',
  { ...withEvents, ...record.shape },
  {
    sharding: { unsharded: 'redemptions write it in their transactions, which stay on one shard' },
    indexes: { keptUntil_1: { keys: { keptUntil: 1 }, expireAfterSeconds: 0 } },
  },
);

/** The records of what orders were answered about their discounts. */
export interface OrderDiscountsStore {
  /** Returns the records of these orders, of those that have one. */
  find(orderIds: readonly string[], transaction: Transaction): Promise<readonly OrderDiscounts[]>;
  /** Saves what was decided about orders. */
  save(
    decisions: ReadonlyMap<string, Decision<OrderDiscounts, OrderDiscounts>>,
    transaction: Transaction,
  ): Promise<void>;
}

export function openOrderDiscounts(resources: Resources): OrderDiscountsStore {
  const repository = openRepository<OrderDiscounts>(orderDiscounts, resources);
  return {
    async find(orderIds, transaction) {
      if (orderIds.length === 0) return [];
      const found = await repository.find({ _id: { $in: [...orderIds] } }, { transaction });
      return found.map(({ state }) => state);
    },

    async save(decisions, transaction) {
      if (decisions.size === 0) return;
      await repository.changeAll(transaction, [...decisions.keys()], (id) => {
        const decision = decisions.get(id);
        if (!decision) throw new Error(`nothing was decided about ${id}`);
        return decision;
      });
    },
  };
}
