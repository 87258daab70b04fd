import { deletedIfAny, identityErrors, type Decision } from '@storefront/contracts';
import {
  byId,
  defineCollection,
  inTransaction,
  isDuplicate,
  openRepository,
  withEvents,
  type Repository,
  type RepositoryNeeds,
  type Transaction,
} from '@storefront/mongo';
import { countTry } from './count-try.ts';
import type { RevertLink } from '../../domain/revert-link.ts';
import type { User } from '../../domain/user.ts';
import type { Recoveries } from './recoveries.ts';
import type { Emails } from '../../store/emails.ts';
import type { Users } from '../../store/users.ts';
import { storedEmailChange, useUpChange, type EmailChange } from '../domain/email-change.ts';
import type { ChangeRecord, ControlChanges } from '../../factors/factors.ts';

export const emailChanges = defineCollection(
  'email_changes',
  { ...withEvents, ...storedEmailChange.shape },
  { sharding: byId, indexes: { expiry: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 } } },
);

export interface EmailChanges extends Pick<Repository<EmailChange>, 'load' | 'change'> {
  /** Counts a try of the user's code. Returns the request, or null where the code must not be compared. */
  tryCode(userId: string, now: Date): Promise<EmailChange | null>;
  /**
   * Marks the request as used, records the change and gives the new email to the user, all or nothing. The former email
   * stays reserved, so that the change can be reverted. Throws `invalid_code` where another user has got the new email
   * meanwhile.
   */
  complete<Result>(
    change: EmailChange & { readonly code: NonNullable<EmailChange['code']> },
    recorded: ChangeRecord,
    decide: (current: User | null, revertLink: RevertLink) => Decision<User, Result>,
  ): Promise<Result>;
  /** Deletes the request of the user, if there is one. */
  dropIn(transaction: Transaction, userId: string): Promise<void>;
  erase(userId: string): Promise<void>;
}

interface Stores {
  readonly users: Users;
  readonly emails: Emails;
  readonly recoveries: Recoveries;
  readonly controlChanges: ControlChanges;
}

export function openEmailChanges(needs: RepositoryNeeds, stores: Stores): EmailChanges {
  const { users, emails, recoveries, controlChanges } = stores;
  const repository = openRepository<EmailChange>(emailChanges, needs);

  return {
    ...repository,

    tryCode: (userId, now) => countTry(repository, userId, now),

    async complete({ id: userId, email, code }, recorded, decide) {
      try {
        return await inTransaction(needs.database, async (transaction) => {
          await repository.changeAll(transaction, [userId], (_id, current) => useUpChange(current, code.id));
          const user = (await users.load(userId, transaction))?.state;
          if (!user) throw identityErrors.invalidCode();
          const revertLink = await controlChanges.recordIn(transaction, user, recorded);
          if (!revertLink) throw new Error('a change of the email is never made without a revert link');
          const [changed] = await users.changeAll(transaction, [userId], (_id, current) => decide(current, revertLink));
          if (!changed) throw new Error(`nothing was decided about ${userId}`);
          const move = { from: user.email, to: email, reservedUntil: revertLink.expiresAt };
          if (!(await emails.moveIn(transaction, userId, move))) throw identityErrors.invalidCode();
          await recoveries.endAllIn(transaction, userId, recorded.now);
          return changed.result;
        });
      } catch (error) {
        // Another user has proved the same email at the same moment.
        throw isDuplicate(error) ? identityErrors.invalidCode() : error;
      }
    },

    async dropIn(transaction, userId) {
      await repository.changeAll(transaction, [userId], (_id, current) => deletedIfAny(current));
    },

    erase: (userId) => repository.eraseMany({ _id: userId }),
  };
}
