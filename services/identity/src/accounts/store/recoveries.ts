import { identityErrors, type Decision } from '@storefront/contracts';
import {
  defineCollection,
  inTransaction,
  openRepository,
  withEvents,
  type Filter,
  type Repository,
  type RepositoryNeeds,
  type StoredAs,
  type Transaction,
} from '@storefront/mongo';
import { countTry } from './count-try.ts';
import type { User } from '../../domain/user.ts';
import type { Users } from '../../store/users.ts';
import { storedRecovery, useUp, type Recovery } from '../domain/recovery.ts';
import type { ControlChanges } from '../../factors/factors.ts';

export const recoveries = defineCollection(
  'recoveries',
  { ...withEvents, ...storedRecovery.shape },
  {
    sharding: { unsharded: 'those of the last hour, one for each forgotten password; the link of a mail is unique' },
    indexes: {
      link: { keys: { linkHash: 1 }, unique: true, partialFilterExpression: { linkHash: { $gt: '' } } },
      user: { keys: { userId: 1 } },
      expiry: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 },
    },
  },
);

export interface Recoveries extends Pick<Repository<Recovery>, 'load' | 'insertNew'> {
  /** Counts a try of the six digits. Returns the recovery, or null where the digits must not be compared. */
  tryCode(id: string, now: Date): Promise<Recovery | null>;
  findByLink(linkHash: string, now: Date): Promise<Recovery | null>;
  /**
   * Deletes the recovery, ends the user's other recoveries, removes the factors that were added by changes which can
   * still be undone, and changes the user: all or nothing.
   */
  complete<Result>(
    recovery: Recovery,
    now: Date,
    decide: (current: User | null, factorsDropped: boolean) => Decision<User, Result>,
  ): Promise<Result>;
  /** Ends all recoveries of a user whose email changes. */
  endAllIn(transaction: Transaction, userId: string, now: Date): Promise<void>;
  /** Erases all recoveries of the user. */
  erase(userId: string): Promise<void>;
}

interface Stores {
  readonly users: Users;
  readonly controlChanges: ControlChanges;
}

export function openRecoveries(needs: RepositoryNeeds, { users, controlChanges }: Stores): Recoveries {
  const repository = openRepository<Recovery>(recoveries, needs);
  const { collection } = repository;
  const endAll = ({ session }: Transaction, filter: Filter<StoredAs<Recovery>>, now: Date) =>
    collection.updateMany(filter, { $set: { expiresAt: now }, $inc: { version: 1 } }, { session });
  return {
    ...repository,

    tryCode: (id, now) => countTry(repository, id, now),

    async findByLink(linkHash, now) {
      const found = await repository.findOne({ linkHash, expiresAt: { $gt: now } }, { hint: 'link' });
      return found?.state ?? null;
    },

    complete: ({ id, userId }, now, decide) =>
      inTransaction(needs.database, async (transaction) => {
        if (userId === null) throw identityErrors.invalidCode();
        await repository.changeAll(transaction, [id], (_id, current) => useUp(current, now));
        const factorsDropped = await controlChanges.dropAddedFactorsIn(transaction, userId, now);
        const [changed] = await users.changeAll(transaction, [userId], (_id, current) =>
          decide(current, factorsDropped),
        );
        if (!changed) throw new Error(`nothing was decided about ${userId}`);
        // The other codes that were mailed for this account must not work any more.
        await endAll(transaction, { userId, _id: { $ne: id } }, now);
        return changed.result;
      }),

    async endAllIn(transaction, userId, now) {
      await endAll(transaction, { userId }, now);
    },

    erase: (userId) => repository.eraseMany({ userId }),
  };
}
