import { createAggregates } from '@storefront/outbox';
import type { Aggregates } from '@storefront/outbox';
import { collectionOf } from '@storefront/service-kit';
import type { Parts } from '@storefront/service-kit';
import type { Preferences } from '../domain/preferences.ts';

/** A document for each user who ever chose; keyed by the user's id. */
export function openPreferences({
  database,
  relay,
  now,
}: Parts): Aggregates<Preferences> & { remove(userId: string): Promise<void> } {
  const collection = collectionOf<{ _id: string }>(database, 'preferences');
  return {
    ...createAggregates<Preferences>({ collection, relay, now }),
    async remove(userId) {
      await collection.deleteOne({ _id: userId });
    },
  };
}
