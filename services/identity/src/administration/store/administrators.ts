import { identityErrors, type Decision, type PageOf, type Slice } from '@storefront/contracts';
import { byId, collectionOf, defineCollection, inTransaction, type Database, type Loaded } from '@storefront/mongo';
import { z } from 'zod';
import type { User } from '../../domain/user.ts';
import type { Users } from '../../store/users.ts';

/**
 * A single document. Each transaction that disables an administrator writes it, so that these transactions run one
 * after the other.
 */
export const administratorChanges = defineCollection(
  'administrator_changes',
  { disabled: z.int() },
  { sharding: byId },
);

/** The users who are administrators. */
export interface Administrators {
  /** A page of the administrators, the newest first. */
  page(slice: Slice): Promise<PageOf<Loaded<User>>>;
  /**
   * Disables an administrator, as `decide` says. Throws `last_administrator`, and writes nothing, where no other
   * administrator is enabled. Simultaneous calls can't disable the last administrator either.
   */
  disable<Result>(
    id: string,
    decide: (current: User | null, version: number) => Decision<User, Result>,
  ): Promise<{ result: Result; version: number }>;
}

const documentId = 'administrators';
const hint = 'administrators_newest';

export function openAdministrators({ database, users }: { database: Database; users: Users }): Administrators {
  const changes = collectionOf(database, administratorChanges);
  return {
    page: (slice) => users.page({ filter: { role: 'admin' }, order: { createdAt: -1, _id: -1 }, hint, slice }),

    disable: (id, decide) =>
      inTransaction(database, async (transaction) => {
        const { session } = transaction;
        await changes.updateOne({ _id: documentId }, { $inc: { disabled: 1 } }, { upsert: true, session });
        const [done] = await users.changeAll(transaction, [id], (_id, ...current) => decide(...current));
        if (!done) throw new Error(`nothing was decided about ${id}`);
        const others = { role: 'admin', status: 'active', _id: { $ne: id } } as const;
        if ((await users.count(others, { hint, limit: 1, transaction })) === 0)
          throw identityErrors.lastAdministrator();
        return done;
      }),
  };
}
