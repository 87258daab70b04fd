import { changed, createAggregates, inTransaction, unchanged } from '@storefront/outbox';
import type { Aggregates, Relay } from '@storefront/outbox';
import { collectionOf } from '@storefront/service-kit';
import type { Database } from '@storefront/service-kit';
import type { Erasure, Export } from '../domain/data-request.ts';
import type { Erasures, Users } from '../domain/ports.ts';
import { revokedErasedCollection } from './revocations.ts';

/** Erasures and exports that are under way, and exports that are ready. */
export function createDataRequests(
  database: Database,
  users: Users,
  { relay, now }: { relay: Pick<Relay, 'watch' | 'nudge'>; now: () => Date },
): { erasures: Erasures; exports: Aggregates<Export> } {
  const collection = requestsCollection(database);
  const revoked = revokedErasedCollection(database);
  const erasures = createAggregates<Erasure>({ collection, relay, now });
  return {
    exports: createAggregates<Export>({ collection, relay, now }),
    erasures: {
      ...erasures,
      begin: (erasure, decide) =>
        inTransaction(database, async (transaction) => {
          const [answer] = await users.changeAll(transaction, [erasure.userId], (_id, current) => decide(current));
          if (!answer) throw new Error(`nothing was decided about ${erasure.userId}`);
          await erasures.changeAll(transaction, [erasure.id], (_id, current) =>
            current ? unchanged(current) : changed(erasure, []),
          );
          return answer.result;
        }),
      async keepRevoked({ id, ver, until }) {
        await revoked.updateOne({ _id: id }, { $set: { ver, until } }, { upsert: true });
      },
    },
  };
}

/** What ran out goes by itself. */
export async function indexDataRequests(database: Database): Promise<void> {
  const expiry = { name: 'expiry', expireAfterSeconds: 0 };
  await Promise.all([
    requestsCollection(database).createIndex({ expiresAt: 1 }, expiry),
    revokedErasedCollection(database).createIndex({ until: 1 }, expiry),
  ]);
}

function requestsCollection(database: Database) {
  return collectionOf<{ _id: string }>(database, 'data_requests');
}
