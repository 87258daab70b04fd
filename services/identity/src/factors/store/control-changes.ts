import { changed, deletedIfAny, type Decision } from '@storefront/contracts';
import {
  defineCollection,
  inTransaction,
  openRepository,
  withEvents,
  type RepositoryNeeds,
  type Transaction,
} from '@storefront/mongo';
import type { CallerSession } from '../../domain/caller.ts';
import type { User } from '../../domain/user.ts';
import type { Codes } from '../../secrets/codes.ts';
import {
  assertRoomForChange,
  controlHistory,
  newChange,
  openChanges,
  recordChange,
  type ControlChange,
  type ControlChangeKind,
  type ControlHistory,
} from '../domain/control-change.ts';
import type { RevertLink } from '../../domain/revert-link.ts';
import type { Factors } from '../domain/factors.ts';
import { proofRequired } from '../domain/fresh-proof.ts';
import { dropAddedFactors, putFactorsBack, type ControlChain } from '../domain/undo.ts';
import type { FactorStore } from './factors.ts';
import type { Users } from '../../store/users.ts';

export const controlChanges = defineCollection(
  'control_changes',
  { ...withEvents, ...controlHistory.shape },
  {
    sharding: {
      key: { _id: 'hashed' },
      acrossShards: [{ by: ['changes.id'], because: 'a user undoes changes by the link of a mail, now and then' }],
    },
    indexes: {
      link: { keys: { 'changes.id': 1 } },
      expiry: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 },
    },
  },
);

/** The user and the factors as a transaction reads them. */
interface AccountState {
  readonly user: User;
  readonly factors: Factors | null;
}

/** A change that is to be recorded, and the link by which it can be undone. */
export interface ChangeRecord {
  readonly kind: ControlChangeKind;
  readonly linkHash: string;
  readonly sealedLink: string;
  readonly now: Date;
}

/** Changes either the user or the factors. */
type AccountDecision<Result> =
  | { readonly user: Decision<User, Result> }
  | { readonly factors: Decision<Factors, Result> };

export interface ControlChanges {
  /** Makes the record of a change, with a new link by which the change can be undone. */
  newRecord(kind: ControlChangeKind): Promise<ChangeRecord>;
  /** The changes of the user that can be undone, the oldest first. */
  openOf(userId: string, now: Date, transaction?: Transaction): Promise<readonly ControlChange[]>;
  /** Throws `too_many_control_changes` where no further change of the user could be undone. */
  assertRoom(userId: string, now: Date): Promise<void>;
  /** The id of the user whose change the link undoes. */
  ownerOf(linkHash: string, now: Date): Promise<string | null>;
  /**
   * Decides and records a change of the user, all or nothing, by a session of version `ver`. Changes of one user happen
   * one after the other. `revertLink` is null beyond the limit of changes. Throws `reauthentication_required` where the
   * session has ended meanwhile, and `too_many_control_changes`.
   */
  make<Result>(
    session: Pick<CallerSession, 'sub' | 'ver'>,
    record: ChangeRecord,
    decide: (account: AccountState, revertLink: RevertLink | null) => AccountDecision<Result>,
  ): Promise<Result>;
  /**
   * Records a change in the transaction that makes the change. Returns the link that undoes it; null beyond the limit.
   */
  recordIn(transaction: Transaction, user: User, record: ChangeRecord): Promise<RevertLink | null>;
  /**
   * Removes the factors that were added by changes which can still be undone, as `dropAddedFactors` does. Returns
   * whether a factor was removed.
   */
  dropAddedFactorsIn(transaction: Transaction, userId: string, now: Date): Promise<boolean>;
  /** Restores the factors from before the changes, and deletes all links that undo changes of the user. */
  putFactorsBackIn(transaction: Transaction, userId: string, chain: ControlChain): Promise<void>;
  erase(userId: string): Promise<void>;
}

interface Parts {
  readonly users: Users;
  readonly factors: FactorStore;
  readonly codes: Codes;
}

export function openControlChanges(needs: RepositoryNeeds, { users, factors, codes }: Parts): ControlChanges {
  const repository = openRepository<ControlHistory>(controlChanges, needs);

  const openOf: ControlChanges['openOf'] = async (userId, now, transaction) =>
    openChanges((await repository.load(userId, transaction))?.state ?? null, now);

  const factorsOf = async (userId: string, transaction: Transaction) =>
    (await factors.load(userId, transaction))?.state ?? null;

  async function record(
    transaction: Transaction,
    account: AccountState,
    { kind, linkHash, sealedLink, now }: ChangeRecord,
  ): Promise<RevertLink | null> {
    const change = newChange(linkHash, kind, account, now);
    const { id } = account.user;
    const [recorded] = await repository.changeAll(transaction, [id], (_id, current) =>
      recordChange(current, id, change),
    );
    return recorded?.result ? { sealedLink, expiresAt: change.expiresAt } : null;
  }

  return {
    openOf,

    async newRecord(kind) {
      const { linkHash, sealed } = await codes.createLink(false);
      return { kind, linkHash, sealedLink: sealed, now: needs.now() };
    },

    async assertRoom(userId, now) {
      assertRoomForChange(await openOf(userId, now), now);
    },

    async ownerOf(linkHash, now) {
      const found = await repository.findOne({ 'changes.id': linkHash }, { hint: 'link' });
      const isOpen = openChanges(found?.state ?? null, now).some(({ id }) => id === linkHash);
      return found && isOpen ? found.state.id : null;
    },

    make: ({ sub, ver }, change, decide) =>
      inTransaction(needs.database, async (transaction) => {
        const user = (await users.load(sub, transaction))?.state;
        const known = await factorsOf(sub, transaction);
        if (user?.tokenVersion !== ver) throw proofRequired(known);
        const account = { user, factors: known };
        const decision = decide(account, await record(transaction, account, change));
        // The user is written even if only the factors change, so that changes of one account happen one after the
        // other.
        const ofUser = 'user' in decision ? decision.user : changed({ ...user, updatedAt: change.now }, [], null);
        const [changedUser] = await users.changeAll(transaction, [sub], () => ofUser as Decision<User, unknown>);
        if ('user' in decision) return changedUser?.result as typeof decision.user.result;
        const [changedFactors] = await factors.changeAll(transaction, [sub], () => decision.factors);
        if (!changedFactors) throw new Error(`nothing was decided about the factors of ${sub}`);
        return changedFactors.result;
      }),

    recordIn: async (transaction, user, change) =>
      record(transaction, { user, factors: await factorsOf(user.id, transaction) }, change),

    async dropAddedFactorsIn(transaction, userId, now) {
      const open = await openOf(userId, now, transaction);
      const [dropped] = await factors.changeAll(transaction, [userId], (_id, current) =>
        dropAddedFactors(current, open),
      );
      return dropped?.result ?? false;
    },

    async putFactorsBackIn(transaction, userId, chain) {
      await factors.changeAll(transaction, [userId], (_id, current) => putFactorsBack(current, userId, chain));
      await repository.changeAll(transaction, [userId], (_id, current) => deletedIfAny(current));
    },

    erase: (userId) => repository.eraseMany({ _id: userId }),
  };
}
