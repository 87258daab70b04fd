import { eventRecordDays, type UserDataKeeper } from '@storefront/contracts';
import {
  date,
  byId,
  defineCollection,
  erasedUsers,
  oneOf,
  openCollections,
  openRepository,
  withEvents,
  type CollectionDefinition,
  type Repository,
  type RepositoryNeeds,
} from '@storefront/mongo';

/**
 * An erasure or an export that was answered, so that each is answered once unless identity asks again; or a page of an
 * answer that has several.
 */
export interface DataRequest {
  /** The id of the event that requested an erasure, or of the export. Of a page, the export's with the page's own. */
  readonly id: string;
  readonly kind: 'erasure' | 'export';
  readonly answeredAt: Date;
}

const keptSeconds = eventRecordDays * 24 * 60 * 60;

/** The name of the index in the database of each service: an index can't be created again under another name. */
const expiryIndexes = { account: 'kept', engagement: 'answeredAt_1', billing: 'kept' } as const satisfies Record<
  UserDataKeeper,
  string
>;

/** The collection of the service's answered requests. */
export function dataRequestsOf(service: UserDataKeeper) {
  return defineCollection(
    'data_requests',
    { ...withEvents, kind: oneOf(['erasure', 'export']), answeredAt: date() },
    {
      sharding: byId,
      indexes: { [expiryIndexes[service]]: { keys: { answeredAt: 1 }, expireAfterSeconds: keptSeconds } },
    },
  );
}

/** All collections that `openUserData` opens for the service. */
export function userDataCollections(service: UserDataKeeper): readonly CollectionDefinition[] {
  return [erasedUsers, dataRequestsOf(service)];
}

export async function openDataRequests(
  service: UserDataKeeper,
  needs: RepositoryNeeds,
): Promise<Repository<DataRequest>> {
  const definition = dataRequestsOf(service);
  await openCollections(needs.database, [definition]);
  return openRepository<DataRequest>(definition, needs);
}
