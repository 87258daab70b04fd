import { changed, unchanged, userDataKeepers } from '@storefront/contracts';
import type { Decision } from '@storefront/contracts';
import {
  arrayOf,
  date,
  defineCollection,
  inTransaction,
  mixed,
  oneOf,
  openRepository,
  optional,
  orNull,
  text,
  withEvents,
} from '@storefront/mongo';
import type { Repository, RepositoryNeeds } from '@storefront/mongo';
import type { UserErasure, UserExport } from '../domain/data-request.ts';
import type { User } from '../domain/user.ts';
import type { Users } from './users.ts';

/** Erasures and exports of users; only exports have the fields from `exportId` on. */
export const dataRequests = defineCollection(
  'data_requests',
  {
    ...withEvents,
    userId: text(),
    requestedAt: date(),
    waitingFor: arrayOf(oneOf(userDataKeepers)),
    exportId: optional(text()),
    parts: optional(mixed<Record<string, unknown>>()),
    readyAt: optional(orNull(date())),
    expiresAt: optional(date()),
  },
  { indexes: { expiry: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 } } },
);

export type Exports = Repository<UserExport>;

export interface Erasures extends Repository<UserErasure> {
  /** Changes the user, and saves the erasure unless it is under way: both or neither. */
  start<Result>(erasure: UserErasure, decide: (current: User | null) => Decision<User, Result>): Promise<Result>;
}

export function openDataRequests(needs: RepositoryNeeds, users: Users): { erasures: Erasures; exports: Exports } {
  const repository = openRepository<UserErasure | UserExport>(dataRequests, needs);
  // The ids of erasures and exports differ, so that each of these two meets documents of its own kind only.
  const erasures = repository as unknown as Repository<UserErasure>;
  return {
    exports: repository as unknown as Exports,
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
