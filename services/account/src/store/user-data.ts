import { changed, unchanged } from '@storefront/outbox';
import type { Parts } from '@storefront/service-kit';
import { newestFirst } from '../domain/address-book.ts';
import { erased, exported } from '../domain/user-data.ts';
import { living } from './collections.ts';
import type { Collections } from './collections.ts';

export interface UserData {
  /** Erases all that is kept about the user, and says so; `requestId` is the event that asked for it. */
  erase(userId: string, requestId: string): Promise<void>;
  /** Erases what came in while the other services were erasing; nobody waits for an answer any more. */
  eraseAgain(userId: string): Promise<void>;
  /** Hands in all that is kept about the user. */
  handIn(userId: string, requestId: string, exportId: string): Promise<void>;
}

export function createUserData(collections: Collections, { now }: Pick<Parts, 'now'>): UserData {
  const { addressBooks, addressBookAggregates, wishlists, wishlistAggregates, customers, alerts } = collections;
  const { orderTurns, erasedUsers } = collections;
  const requests = collections.dataRequestAggregates;

  return {
    eraseAgain: removeAll,

    async erase(userId, requestId) {
      await removeAll(userId);
      await requests.change(requestId, (known) =>
        known
          ? unchanged(null)
          : changed({ id: requestId, kind: 'erasure', answeredAt: now() }, [erased(userId, requestId)], null),
      );
    },

    async handIn(userId, requestId, exportId) {
      const [book, list, recipients] = await Promise.all([
        addressBookAggregates.load(userId),
        wishlistAggregates.load(userId),
        customers
          .find({ owner: userId, ...living }, { projection: { _id: 0, outbox: 0, version: 0, tokens: 0, keys: 0 } })
          .toArray(),
      ]);
      const data = {
        addresses: newestFirst(book?.state ?? null).map(({ version: _version, ...address }) => address),
        wishlist: list?.state.items ?? [],
        wishlistSharedAt: list?.state.share?.createdAt ?? null,
        customers: recipients.map(({ customerId, owner: _owner, ...customer }) => ({ id: customerId, ...customer })),
      };
      await requests.change(requestId, (known) =>
        known
          ? unchanged(null)
          : changed(
              { id: requestId, kind: 'export', answeredAt: now() },
              [exported(userId, exportId, JSON.parse(JSON.stringify(data)) as Record<string, unknown>)],
              null,
            ),
      );
    },
  };

  async function removeAll(userId: string): Promise<void> {
    const own = { _id: userId };
    // First of all: whatever is counted from here on is counted by those who looked before.
    await erasedUsers.add(userId);
    // They hold the user's turn, so this waits for them; what they wrote goes with the rest.
    await orderTurns.updateOne(own, { $inc: { orders: 1 } }, { upsert: true });
    await Promise.all([
      remove(addressBooks, own),
      remove(wishlists, own),
      remove(customers, { owner: userId }),
      remove(alerts, { _id: { $gt: `${userId}/`, $lt: `${userId}0` } }),
      orderTurns.deleteOne(own),
    ]);
  }

  /** What still has an event to tell is a tombstone until the relay has told it. */
  async function remove(collection: Removable, filter: Record<string, unknown>): Promise<void> {
    await collection.updateMany(filter, { $set: { deletedAt: now() }, $inc: { version: 1 } });
    await collection.deleteMany({ ...filter, deletedAt: { $exists: true }, outbox: { $size: 0 } });
  }
}

interface Removable {
  updateMany(filter: object, update: object): Promise<unknown>;
  deleteMany(filter: object): Promise<unknown>;
}
