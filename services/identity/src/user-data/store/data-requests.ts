import { changed, unchanged, type Decision } from '@storefront/contracts';
import {
  defineCollection,
  inTransaction,
  living,
  openRepository,
  withEvents,
  type Repository,
  type RepositoryNeeds,
} from '@storefront/mongo';
import { storedDataRequest, type UserErasure, type UserExport } from '../domain/data-request.ts';
import type { User } from '../../domain/user.ts';
import type { Users } from '../../store/users.ts';

/**
 * Erasures and exports of users. Only exports have the fields from `exportId` on. A request that still waits has no
 * `readyAt`.
 */
export const dataRequests = defineCollection(
  'data_requests',
  { ...withEvents, ...storedDataRequest.shape },
  {
    sharding: {
      key: { _id: 'hashed' },
      acrossShards: [{ by: ['readyAt'], because: 'a job looks for requests that wait for an answer' }],
    },
    indexes: {
      waiting: { keys: { readyAt: 1, 'watch.nextAt': 1 } },
      overdue: { keys: { readyAt: 1, 'watch.since': 1 } },
      expiry: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 },
    },
  },
);

export type Exports = Repository<UserExport>;

export interface Erasures extends Repository<UserErasure> {
  /** Changes the user, and saves the erasure unless there is one already: both or neither. */
  start<Result>(erasure: UserErasure, decide: (current: User | null) => Decision<User, Result>): Promise<Result>;
}

/** Requests that wait for the answer of a service. */
export interface WaitingRequests {
  /** The requests that are due, at most 100, with the database's time. Null where no request waits. */
  due(): Promise<{ readonly requests: readonly WaitingRequest[]; readonly now: Date } | null>;
  /** How many requests of each kind were first checked before that time and still wait. */
  countOverdue(before: Date): Promise<Record<WaitingRequest['kind'], number>>;
}

interface WaitingRequest {
  readonly kind: 'erasure' | 'export';
  readonly userId: string;
}

interface DataRequests {
  readonly erasures: Erasures;
  readonly exports: Exports;
  readonly waitingRequests: WaitingRequests;
}

const atOnce = 100;

export function openDataRequests(needs: RepositoryNeeds, users: Users): DataRequests {
  const repository = openRepository<UserErasure | UserExport>(dataRequests, needs);
  const { collection } = repository;
  const waiting = { readyAt: null, ...living };
  const kindOf = ({ exportId }: { readonly exportId?: string }) => (exportId === undefined ? 'erasure' : 'export');
  // Erasures and exports have different ids, so each of these two repositories reads documents of its own kind only.
  const erasures = repository as unknown as Repository<UserErasure>;
  return {
    exports: repository as unknown as Exports,
    waitingRequests: {
      async due() {
        const one = await collection.findOne<{ now: Date }>(waiting, {
          hint: 'waiting',
          projection: { now: '$$NOW' },
        });
        if (!one) return null;
        const found = await collection
          .find<{ userId: string; exportId?: string }>(
            { ...waiting, 'watch.nextAt': { $not: { $gt: one.now } } },
            { hint: 'waiting', projection: { userId: 1, exportId: 1 } },
          )
          .limit(atOnce)
          .toArray();
        return { requests: found.map((each) => ({ kind: kindOf(each), userId: each.userId })), now: one.now };
      },
      async countOverdue(before) {
        const found = await collection
          .find<{ exportId?: string }>(
            { ...waiting, 'watch.since': { $lt: before } },
            { hint: 'overdue', projection: { exportId: 1 } },
          )
          .toArray();
        const exports = found.filter((each) => kindOf(each) === 'export').length;
        return { erasure: found.length - exports, export: exports };
      },
    },
    erasures: {
      ...erasures,
      start: (erasure, decide) =>
        inTransaction(needs.database, async (transaction) => {
          const [user] = await users.changeAll(transaction, [erasure.userId], (_id, current) => decide(current));
          if (!user) throw new Error(`nothing was decided about ${erasure.userId}`);
          await erasures.changeAll(transaction, [erasure.id], (_id, current) =>
            current ? unchanged(current) : changed(erasure, []),
          );
          return user.result;
        }),
    },
  };
}
