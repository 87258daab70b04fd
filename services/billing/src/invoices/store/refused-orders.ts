import { eventRecordDays } from '@storefront/contracts';
import { defineCollection, openRepository, withEvents, type Repository, type RepositoryNeeds } from '@storefront/mongo';
import { refusedOrder, type RefusedOrder } from '../domain/order.ts';

const day = 24 * 60 * 60;

/**
 * Refused orders, with the order's id as the key. A refusal is kept longer than the order's event can be delivered, so
 * that the order is refused only once.
 */
export const refusedOrders = defineCollection(
  'refused_orders',
  { ...withEvents, ...refusedOrder.shape },
  {
    sharding: {
      key: { _id: 'hashed' },
      acrossShards: [{ by: ['accountId'], because: 'an erasure deletes all of the user' }],
    },
    indexes: {
      by_account: { keys: { accountId: 1 } },
      kept: { keys: { refusedAt: 1 }, expireAfterSeconds: eventRecordDays * day },
    },
  },
);

export type RefusedOrders = Repository<RefusedOrder>;

export function openRefusedOrders(needs: RepositoryNeeds): RefusedOrders {
  return openRepository<RefusedOrder>(refusedOrders, needs);
}
