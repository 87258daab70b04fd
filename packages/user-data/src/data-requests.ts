import { eventRecordDays, type StateOf, type UserDataKeeper } from '@storefront/contracts';
import { byId, defineCollection, erasedUsers, withEvents, type CollectionDefinition } from '@storefront/mongo';
import { z } from 'zod';

/**
 * A record that an erasure or an export was answered, so that each is answered once unless identity asks again. Where
 * an answer has several pages, each page has a record, too.
 */
const dataRequest = z.object({
  /**
   * For an erasure the id of the event that requested it, for an export the export's id. For a page the export's id and
   * the page's own.
   */
  id: z.string(),
  kind: z.enum(['erasure', 'export']),
  answeredAt: z.date(),
});
export type DataRequest = StateOf<typeof dataRequest>;

const keptSeconds = eventRecordDays * 24 * 60 * 60;

/**
 * The name of the index on `answeredAt` in each service's database. The names differ since an existing index can't be
 * created again under another name.
 */
const expiryIndexes = { account: 'kept', engagement: 'answeredAt_1', billing: 'kept' } as const satisfies Record<
  UserDataKeeper,
  string
>;

/** Defines the collection of the service's answered requests. */
export function dataRequestsOf(service: UserDataKeeper) {
  return defineCollection(
    'data_requests',
    { ...withEvents, ...dataRequest.shape },
    {
      sharding: byId,
      indexes: { [expiryIndexes[service]]: { keys: { answeredAt: 1 }, expireAfterSeconds: keptSeconds } },
    },
  );
}

/** All collections that the service must have opened before it calls `openUserData`. */
export function userDataCollections(service: UserDataKeeper): readonly CollectionDefinition[] {
  return [erasedUsers, dataRequestsOf(service)];
}
