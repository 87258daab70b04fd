import type { Decision } from '@storefront/contracts';
import {
  defineCollection,
  openRepository,
  withEvents,
  type Loaded,
  type Repository,
  type Transaction,
} from '@storefront/mongo';
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
  /** Reads the records of these orders for `save`. */
  readonly readAll: Repository<OrderDiscounts>['readAll'];
  /** Saves what was decided about orders, whose records were read in the same transaction. */
  save(
    transaction: Transaction,
    decisions: ReadonlyMap<string, Decision<OrderDiscounts, OrderDiscounts>>,
    known: ReadonlyMap<string, Loaded<OrderDiscounts> | null>,
  ): Promise<void>;
}

export function openOrderDiscounts(resources: Resources): OrderDiscountsStore {
  const repository = openRepository<OrderDiscounts>(orderDiscounts, resources);
  return {
    readAll: (transaction, ids) => repository.readAll(transaction, ids),

    async save(transaction, decisions, known) {
      const decided = (id: string) => {
        const decision = decisions.get(id);
        if (!decision) throw new Error(`nothing was decided about ${id}`);
        return decision;
      };
      await repository.changeAll(transaction, [...decisions.keys()], decided, known);
    },
  };
}
