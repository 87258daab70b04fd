import { identityErrors, staffRoles, type Decision, type PageOf, type Slice } from '@storefront/contracts';
import { byId, collectionOf, defineCollection, inTransaction, type Database, type Loaded } from '@storefront/mongo';
import { z } from 'zod';
import type { User } from '../../domain/user.ts';
import type { Users } from '../../store/users.ts';

/** A single document. Each transaction that changes a member of the staff writes it, so that they run one after the other. */
export const staffChanges = defineCollection('staff_changes', { changes: z.int() }, { sharding: byId });

/** The users who work for the shop. */
export interface Staff {
  /** A page of the staff, the newest first. */
  page(slice: Slice): Promise<PageOf<Loaded<User>>>;
  /**
   * Changes the role or the status of a user, as `decide` says. Throws `last_administrator`, and writes nothing, where
   * this would leave the shop without an enabled administrator. Simultaneous calls can't do that either.
   */
  change<Result>(
    id: string,
    decide: (current: User | null, version: number) => Decision<User, Result>,
  ): Promise<{ result: Result; version: number }>;
}

const documentId = 'staff';
const enabledAdministrator = { role: 'admin', status: 'active' } as const;

export function openStaff({ database, users }: { database: Database; users: Users }): Staff {
  const changes = collectionOf(database, staffChanges);
  return {
    page: (slice) =>
      users.page({
        filter: { role: { $in: [...staffRoles] } },
        order: { createdAt: -1, _id: -1 },
        hint: 'staff_newest',
        slice,
      }),

    change: (id, decide) =>
      inTransaction(database, async (transaction) => {
        const { session } = transaction;
        await changes.updateOne({ _id: documentId }, { $inc: { changes: 1 } }, { upsert: true, session });
        let losesOne = false;
        const [done] = await users.changeAll(transaction, [id], (_id, current, version) => {
          const decision = decide(current, version);
          losesOne =
            decision.kind === 'changed' && isEnabledAdministrator(current) && !isEnabledAdministrator(decision.state);
          return decision;
        });
        if (!done) throw new Error(`nothing was decided about ${id}`);
        const others = { ...enabledAdministrator, _id: { $ne: id } };
        if (losesOne && (await users.count(others, { hint: 'by_role_and_status', limit: 1, transaction })) === 0)
          throw identityErrors.lastAdministrator();
        return done;
      }),
  };
}

function isEnabledAdministrator(user: User | null): boolean {
  return user?.role === enabledAdministrator.role && user.status === enabledAdministrator.status;
}
