import { eventRecordDays, type StateOf } from '@storefront/contracts';
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

/** The answered requests of a service, in its own database. */
export const dataRequests = defineCollection(
  'data_requests',
  { ...withEvents, ...dataRequest.shape },
  {
    sharding: byId,
    indexes: { kept: { keys: { answeredAt: 1 }, expireAfterSeconds: eventRecordDays * 24 * 60 * 60 } },
  },
);

/** All collections that a service must have opened before it calls `openUserData`. */
export const userDataCollections: readonly CollectionDefinition[] = [erasedUsers, dataRequests];
