import type { Store } from '../../store/collections.ts';
import { bodiesExpiredBefore } from '../domain/callback.ts';

export type CallbackBodies = ReturnType<typeof openCallbackBodies>;

const atOnce = 500;

/** The bodies of callbacks: they expire before the callbacks themselves. */
export function openCallbackBodies({ callbacks }: Pick<Store, 'callbacks'>) {
  return {
    /** Removes bodies that have expired, 500 at most; not of callbacks whose work is to be done. */
    async removeExpired(now: Date): Promise<void> {
      const expired = await callbacks.find(
        { body: { $gt: '' }, receivedAt: { $lt: bodiesExpiredBefore(now) }, outcome: { $ne: 'received' } },
        { fields: ['receivedAt'], order: { receivedAt: 1 }, limit: atOnce, hint: 'by_body' },
      );
      if (expired.length === 0) return;
      await callbacks.collection.updateMany(
        { _id: { $in: expired.map(({ state }) => state.id) }, outcome: { $ne: 'received' } },
        { $set: { body: null }, $inc: { version: 1 } },
      );
    },
  };
}
