import { identityErrors } from '@storefront/contracts';
import type { Decision } from '@storefront/contracts';
import {
  arrayOf,
  collectionOf,
  date,
  byId,
  defineCollection,
  inTransaction,
  isDuplicate,
  openRepository,
  optional,
  orNull,
  text,
  withEvents,
  withId,
} from '@storefront/mongo';
import type { Repository, RepositoryNeeds } from '@storefront/mongo';
import { codeField, countTry } from '../../codes/store/count-try.ts';
import type { User } from '../../domain/user.ts';
import type { Factors } from '../../factors/domain/factors.ts';
import type { FactorStore } from '../../factors/store/factors.ts';
import type { Recoveries } from '../../recoveries/store/recoveries.ts';
import type { Emails } from '../../store/emails.ts';
import type { Users } from '../../store/users.ts';
import { dropChange, useUpChange } from '../domain/email-change.ts';
import type { EmailChange } from '../domain/email-change.ts';
import type { Reversal } from '../domain/new-email.ts';

export const emailChanges = defineCollection(
  'email_changes',
  {
    ...withEvents,
    changeId: text(),
    email: text(),
    emailTyped: optional(text()),
    code: orNull(codeField),
    codesSent: arrayOf(date()),
    expiresAt: date(),
  },
  { sharding: byId, indexes: { expiry: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 } } },
);

export const emailReversals = defineCollection(
  'email_reversals',
  { userId: text(), email: text(), emailTyped: optional(text()), createdAt: date(), expiresAt: date() },
  {
    sharding: {
      key: { _id: 'hashed' },
      acrossShards: [
        { by: ['userId'], because: 'a user who changes or takes back an email, now and then, and an erasure' },
      ],
    },
    indexes: {
      user: { keys: { userId: 1, createdAt: 1 } },
      expiry: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 },
    },
  },
);

export interface EmailChanges extends Pick<Repository<EmailChange>, 'load' | 'change'> {
  /** Counts a try of the user's code. Returns the request, or null where the code must not be compared. */
  tryCode(userId: string, now: Date): Promise<EmailChange | null>;
  /** The ways back of the user, the oldest first. */
  reversalsOf(userId: string): Promise<Reversal[]>;
  findReversal(linkHash: string, now: Date): Promise<Reversal | null>;
  /**
   * Uses the request up, gives the new email to the user, keeps the former one for the way back, and saves the user: all or
   * nothing. Throws `invalid_code` where the email belongs to another user by now.
   */
  complete<Result>(
    change: EmailChange & { readonly code: NonNullable<EmailChange['code']> },
    reversal: Reversal,
    decide: (current: User | null) => Decision<User, Result>,
  ): Promise<Result>;
  /**
   * Uses the way back up, frees the email that the user has now, ends all that came after, and saves the user and the factors:
   * all or nothing. Throws `invalid_revert_token` where it was used meanwhile.
   */
  revert<Result>(
    reversal: Reversal,
    now: Date,
    decide: {
      readonly user: (current: User | null) => Decision<User, Result>;
      readonly factors: (current: Factors | null) => Decision<Factors, null>;
    },
  ): Promise<Result>;
  /** Erases everything of the user, and frees the former emails. */
  erase(userId: string): Promise<void>;
}

interface Stores {
  readonly users: Users;
  readonly emails: Emails;
  readonly factors: FactorStore;
  readonly recoveries: Recoveries;
}

export function openEmailChanges(needs: RepositoryNeeds, stores: Stores): EmailChanges {
  const { users, emails, factors, recoveries } = stores;
  const repository = openRepository<EmailChange>(emailChanges, needs);
  const reversals = collectionOf(needs.database, emailReversals);
  const reversalsOf = async (userId: string) =>
    (await reversals.find({ userId }, { hint: 'user' }).sort({ createdAt: 1 }).toArray()).map(withId);

  return {
    ...repository,
    reversalsOf,

    tryCode: (userId, now) => countTry(repository, userId, now),

    async findReversal(linkHash, now) {
      const found = await reversals.findOne({ _id: linkHash, expiresAt: { $gt: now } });
      return found && withId(found);
    },

    async complete({ id: userId, email, code }, { id, ...reversal }, decide) {
      const { email: from, createdAt, expiresAt } = reversal;
      try {
        return await inTransaction(needs.database, async (transaction) => {
          await repository.changeAll(transaction, [userId], (_id, current) => useUpChange(current, code.id));
          const [changed] = await users.changeAll(transaction, [userId], (_id, current) => decide(current));
          if (!changed) throw new Error(`nothing was decided about ${userId}`);
          const isFree = await emails.moveIn(transaction, userId, { from, to: email, reservedUntil: expiresAt });
          if (!isFree) throw identityErrors.invalidCode();
          await recoveries.endAllIn(transaction, userId, createdAt);
          await reversals.insertOne({ _id: id, ...reversal }, { session: transaction.session });
          return changed.result;
        });
      } catch (error) {
        // Somebody else proved the email at the same moment.
        throw isDuplicate(error) ? identityErrors.invalidCode() : error;
      }
    },

    revert: ({ id, userId, email, createdAt }, now, decide) =>
      inTransaction(needs.database, async (transaction) => {
        const { session } = transaction;
        const { deletedCount } = await reversals.deleteOne({ _id: id }, { session });
        if (deletedCount !== 1) throw identityErrors.invalidRevertToken();
        let current: string | null = null;
        const [changed] = await users.changeAll(transaction, [userId], (_id, user) => {
          current = user?.email ?? null;
          return decide.user(user);
        });
        if (!changed || current === null) throw new Error(`nothing was decided about ${userId}`);
        // Ways back to what came after belong to whoever changed the email then.
        const later = { userId, createdAt: { $gt: createdAt } };
        for (const between of await reversals.find(later, { session, hint: 'user' }).toArray())
          if (between.email !== email) await emails.releaseIn(transaction, between.email, userId);
        await reversals.deleteMany(later, { session });
        if (current !== email)
          await emails.moveIn(transaction, userId, { from: current, to: email, reservedUntil: null });
        await factors.changeAll(transaction, [userId], (_id, known) => decide.factors(known));
        await repository.changeAll(transaction, [userId], (_id, request) => dropChange(request));
        await recoveries.endAllIn(transaction, userId, now);
        return changed.result;
      }),

    async erase(userId) {
      for (const { email } of await reversalsOf(userId)) await emails.release(email, userId);
      await reversals.deleteMany({ userId });
      await repository.eraseMany({ _id: userId });
    },
  };
}
