import { defineCollection, openRepository, withEvents, type RepositoryNeeds } from '@storefront/mongo';
import { bodiesExpiredBefore, callback, type Callback } from '../domain/callback.ts';

export const callbackCollection = defineCollection(
  'callbacks',
  { ...withEvents, ...callback.shape },
  {
    sharding: {
      key: { _id: 'hashed' },
      acrossShards: [
        { by: ['outcome'], because: 'administrators list callbacks, and a job takes those that are not done' },
        { by: ['paymentId'], because: 'administrators list callbacks, and an erasure empties those of the user' },
        { by: [], because: 'administrators list callbacks' },
        { by: ['receivedAt'], because: 'administrators list callbacks, page by page' },
      ],
    },
    indexes: {
      newest: { keys: { receivedAt: -1, _id: -1 } },
      by_outcome: { keys: { outcome: 1, receivedAt: -1, _id: -1 } },
      by_payment: { keys: { paymentId: 1, receivedAt: -1, _id: -1 } },
      by_body: { keys: { receivedAt: 1 }, partialFilterExpression: { body: { $gt: '' } } },
      kept: { keys: { deleteAt: 1 }, expireAfterSeconds: 0 },
    },
  },
);

export type Callbacks = ReturnType<typeof openCallbacks>;

const atOnce = 500;
const emptied = { $set: { body: null }, $inc: { version: 1 } };

/** The repository of callbacks. It can also remove their bodies, which expire earlier than the callbacks. */
export function openCallbacks(needs: RepositoryNeeds) {
  const callbacks = openRepository<Callback>(callbackCollection, needs, { remembersWrites: true });
  return {
    ...callbacks,

    /** Removes at most 500 expired bodies. Bodies of callbacks that are still to be processed are kept. */
    async removeExpired(now: Date): Promise<void> {
      const expired = await callbacks.find(
        { body: { $gt: '' }, receivedAt: { $lt: bodiesExpiredBefore(now) }, outcome: { $ne: 'received' } },
        { fields: ['receivedAt'], order: { receivedAt: 1 }, limit: atOnce, hint: 'by_body' },
      );
      if (expired.length === 0) return;
      await callbacks.collection.updateMany(
        { _id: { $in: expired.map(({ state }) => state.id) }, outcome: { $ne: 'received' } },
        emptied,
      );
    },

    /**
     * Removes the bodies of all processed callbacks of these payments, because providers write names and addresses into
     * them.
     */
    async emptyBodies(paymentIds: readonly string[]): Promise<void> {
      if (paymentIds.length === 0) return;
      await callbacks.collection.updateMany(
        {
          paymentId: { $in: [...paymentIds] },
          outcome: { $in: ['done', 'ignored', 'duplicate'] },
          body: { $ne: null },
        },
        emptied,
      );
    },
  };
}
