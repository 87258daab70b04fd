import { identityErrors, type Decision } from '@storefront/contracts';
import { inTransaction, type RepositoryNeeds } from '@storefront/mongo';
import type { User } from '../../domain/user.ts';
import type { EmailChanges } from './email-changes.ts';
import type { Recoveries } from './recoveries.ts';
import type { Emails } from '../../store/emails.ts';
import type { Users } from '../../store/users.ts';
import type { ControlChain, ControlChanges } from '../../factors/factors.ts';

export interface Reversals {
  /**
   * Undoes all changes of the user that can still be undone. Deletes their links, frees the emails that the user got by
   * them, ends recoveries and a pending change of the email, and saves the user and the factors: all or nothing. Throws
   * `invalid_revert_token` where the link was used meanwhile.
   */
  undo<Result>(
    link: { readonly userId: string; readonly hash: string },
    now: Date,
    decide: (current: User | null, chain: ControlChain) => Decision<User, Result>,
  ): Promise<Result>;
  /** Erases the changes of the user, and frees the emails that the user had before them. */
  erase(user: Pick<User, 'id' | 'email'>, now: Date): Promise<void>;
}

interface Stores {
  readonly users: Users;
  readonly emails: Emails;
  readonly recoveries: Recoveries;
  readonly emailChanges: EmailChanges;
  readonly controlChanges: ControlChanges;
}

export function openReversals(
  needs: RepositoryNeeds,
  { users, emails, recoveries, emailChanges, controlChanges }: Stores,
): Reversals {
  return {
    undo: ({ userId, hash }, now, decide) =>
      inTransaction(needs.database, async (transaction) => {
        const [first, ...later] = await controlChanges.openOf(userId, now, transaction);
        const user = (await users.load(userId, transaction))?.state;
        if (!user || !first || ![first, ...later].some(({ id }) => id === hash))
          throw identityErrors.invalidRevertToken();
        const chain: ControlChain = [first, ...later];
        const { email } = first.before;
        const [changed] = await users.changeAll(transaction, [userId], (_id, current) => decide(current, chain));
        if (!changed) throw new Error(`nothing was decided about ${userId}`);
        for (const between of new Set(later.map(({ before }) => before.email)))
          if (between !== email && between !== user.email) await emails.releaseIn(transaction, between, userId);
        const move = { from: user.email, to: email, reservedUntil: null };
        if (user.email !== email && !(await emails.moveIn(transaction, userId, move)))
          throw identityErrors.invalidRevertToken();
        await controlChanges.putFactorsBackIn(transaction, userId, chain);
        await emailChanges.dropIn(transaction, userId);
        await recoveries.endAllIn(transaction, userId, now);
        return changed.result;
      }),

    async erase({ id, email }, now) {
      for (const { before } of await controlChanges.openOf(id, now))
        if (before.email !== email) await emails.release(before.email, id);
      await controlChanges.erase(id);
    },
  };
}
