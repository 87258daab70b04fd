import { changed, controlChanges as kinds, type Decision } from '@storefront/contracts';
import {
  arrayOf,
  date,
  defineCollection,
  inTransaction,
  object,
  oneOf,
  openRepository,
  optional,
  orNull,
  text,
  withEvents,
  type RepositoryNeeds,
  type Transaction,
} from '@storefront/mongo';
import type { User } from '../../domain/user.ts';
import {
  newChange,
  openChanges,
  recordChange,
  settle,
  type ControlChange,
  type ControlChangeKind,
  type ControlHistory,
} from '../domain/control-change.ts';
import type { WayBack } from '../../domain/way-back.ts';
import type { Factors } from '../domain/factors.ts';
import { proofRequired } from '../domain/fresh-proof.ts';
import { factorFields, type FactorStore } from './factors.ts';
import type { Users } from '../../store/users.ts';

export const controlChanges = defineCollection(
  'control_changes',
  {
    ...withEvents,
    changes: arrayOf(
      object({
        id: text(),
        kind: oneOf(kinds),
        before: object({ email: text(), emailTyped: optional(text()), factors: orNull(object(factorFields)) }),
        createdAt: date(),
        expiresAt: date(),
      }),
    ),
    expiresAt: date(),
  },
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

/** The account as a transaction sees it. */
interface AccountState {
  readonly user: User;
  readonly factors: Factors | null;
}

/** A change that is to be recorded, and the link by which it can be undone. */
export interface RecordedAs {
  readonly kind: ControlChangeKind;
  readonly linkHash: string;
  readonly sealedLink: string;
  readonly now: Date;
}

/** Either of them; the other one stays as it is. */
type AccountDecision<Result> =
  | { readonly user: Decision<User, Result> }
  | { readonly factors: Decision<Factors, Result> };

export interface ControlChanges {
  /** The changes of the user that can be undone, the oldest first. */
  openOf(userId: string, now: Date, transaction?: Transaction): Promise<readonly ControlChange[]>;
  /** The id of the user whose change the link undoes. */
  ownerOf(linkHash: string, now: Date): Promise<string | null>;
  /**
   * Decides and records a change of the user by a session of version `ver`: all or nothing, and one after the other. `wayBack` is
   * null where there is no room for a link. Throws `reauthentication_required` where the session has ended meanwhile, and
   * `too_many_control_changes`.
   */
  make<Result>(
    session: { readonly sub: string; readonly ver: number },
    change: RecordedAs,
    decide: (account: AccountState, wayBack: WayBack | null) => AccountDecision<Result>,
  ): Promise<Result>;
  /** Records a change in the transaction that makes it. Returns the way back; null where there is no room for a link. */
  recordIn(transaction: Transaction, account: AccountState, change: RecordedAs): Promise<WayBack | null>;
  /** Uses all links of the user up. */
  settleIn(transaction: Transaction, userId: string): Promise<void>;
  erase(userId: string): Promise<void>;
}

interface Stores {
  readonly users: Users;
  readonly factors: FactorStore;
}

export function openControlChanges(needs: RepositoryNeeds, { users, factors }: Stores): ControlChanges {
  const repository = openRepository<ControlHistory>(controlChanges, needs);

  const recordIn: ControlChanges['recordIn'] = async (transaction, account, { kind, linkHash, sealedLink, now }) => {
    const change = newChange(linkHash, kind, account, now);
    const { id } = account.user;
    const [recorded] = await repository.changeAll(transaction, [id], (_id, current) =>
      recordChange(current, id, change),
    );
    return recorded?.result ? { sealedLink, expiresAt: change.expiresAt } : null;
  };

  return {
    recordIn,

    async openOf(userId, now, transaction) {
      return openChanges((await repository.load(userId, transaction))?.state ?? null, now);
    },

    async ownerOf(linkHash, now) {
      const found = await repository.findOne({ 'changes.id': linkHash }, { hint: 'link' });
      const isOpen = openChanges(found?.state ?? null, now).some(({ id }) => id === linkHash);
      return found && isOpen ? found.state.id : null;
    },

    make: ({ sub, ver }, change, decide) =>
      inTransaction(needs.database, async (transaction) => {
        const user = (await users.load(sub, transaction))?.state;
        const known = (await factors.load(sub, transaction))?.state ?? null;
        if (user?.tokenVersion !== ver) throw proofRequired(known);
        const account = { user, factors: known };
        const decision = decide(account, await recordIn(transaction, account, change));
        // The user is written in any case, so that whatever else changes the account is before it or after it.
        const ofUser = 'user' in decision ? decision.user : changed({ ...user, updatedAt: change.now }, [], null);
        const [changedUser] = await users.changeAll(transaction, [sub], () => ofUser as Decision<User, unknown>);
        if ('user' in decision) return changedUser?.result as typeof decision.user.result;
        const [changedFactors] = await factors.changeAll(transaction, [sub], () => decision.factors);
        if (!changedFactors) throw new Error(`nothing was decided about the factors of ${sub}`);
        return changedFactors.result;
      }),

    async settleIn(transaction, userId) {
      await repository.changeAll(transaction, [userId], (_id, current) => settle(current));
    },

    erase: (userId) => repository.eraseMany({ _id: userId }),
  };
}
