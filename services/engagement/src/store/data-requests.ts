import { createAggregates } from '@storefront/outbox';
import type { Aggregates } from '@storefront/outbox';
import { collectionOf } from '@storefront/service-kit';
import type { Parts } from '@storefront/service-kit';
import type { DataRequest } from '../domain/user-data.ts';

// Longer than an event can be on its way: after that it is not answered again.
const keptSeconds = 90 * 24 * 60 * 60;

/** Which erasures and exports were answered; keyed by the event that asked. */
export async function openDataRequests({ database, relay, now }: Parts): Promise<Aggregates<DataRequest>> {
  const collection = collectionOf(database, 'data_requests');
  await collection.createIndex({ answeredAt: 1 }, { expireAfterSeconds: keptSeconds });
  return createAggregates<DataRequest>({ collection, relay, now });
}
