import { changed } from '@storefront/contracts';
import type { Fact } from '@storefront/contracts';
import { inTransaction } from '@storefront/mongo';
import type { InContextOf, Repository, Transaction } from '@storefront/mongo';
import type { Store } from '../../store/collections.ts';
import type { Books } from '../domain/books.ts';

/** What of an account's books a change needs. */
export interface Wanted {
  readonly invoiceIds?: readonly string[];
  readonly paymentIds?: readonly string[];
  /** The payments too whose remainder is credit of the account, the oldest first. */
  readonly withCredit?: boolean;
}

export type BooksStore = ReturnType<typeof openBooks>;

/** Reads and writes the books of accounts, in transactions. */
export function openBooks({ database, accounts, invoices, payments, journal }: Store) {
  return {
    /** Runs `work` in a transaction; it may run several times. */
    transaction: <Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> =>
      inTransaction(database, work),

    /**
     * The books of the account; null where there is none. What `wanted` names and does not belong to the account is not in them.
     */
    async load(transaction: Transaction, accountId: string, wanted: Wanted): Promise<Books | null> {
      const account = await accounts.load(accountId, transaction);
      if (!account) return null;
      const { invoiceIds = [], paymentIds = [], withCredit = false } = wanted;
      const found = {
        invoices:
          invoiceIds.length > 0
            ? await invoices.find({ _id: { $in: [...invoiceIds] }, accountId }, { transaction })
            : [],
        payments:
          paymentIds.length > 0
            ? await payments.find({ _id: { $in: [...paymentIds] }, accountId }, { transaction })
            : [],
        credit: withCredit
          ? await payments.find(
              { accountId, remainder: { $gt: 0 }, unallocatedReason: null },
              { transaction, order: { createdAt: 1, _id: 1 }, hint: 'by_remainder' },
            )
          : [],
      };
      return {
        account: account.state,
        invoices: new Map(found.invoices.map(({ state }) => [state.id, state])),
        payments: new Map([...found.payments, ...found.credit].map(({ state }) => [state.id, state])),
        entries: [],
      };
    },

    /**
     * Writes what is another in `after` than in `before`, new documents included, with the facts about each. The account is always
     * written, so that of two changes of one account one starts again.
     */
    async save(
      transaction: Transaction,
      before: Books,
      after: Books,
      facts: readonly Fact[],
      inContextOf?: InContextOf,
    ): Promise<void> {
      const about = Map.groupBy(facts, ({ subject }) => subject);
      const write = async <State extends { readonly id: string }>(
        repository: Repository<State>,
        states: ReadonlyMap<string, State>,
        former: ReadonlyMap<string, State>,
      ): Promise<void> => {
        const ids = [...states.keys()].filter((id) => states.get(id) !== former.get(id) || about.has(id));
        if (ids.length === 0) return;
        await repository.changeAll(
          transaction,
          ids,
          (id) => {
            const state = states.get(id);
            if (!state) throw new Error(`${id} is not in the books`);
            return changed(state, about.get(id) ?? []);
          },
          inContextOf,
        );
      };
      await write(accounts, new Map([[after.account.id, { ...after.account }]]), new Map());
      await write(invoices, after.invoices, before.invoices);
      await write(payments, after.payments, before.payments);
      if (after.entries.length > 0)
        await journal.insertMany(
          after.entries.map((entry) => ({ _id: `${entry.accountId}/${entry.sequence}`, ...entry })),
          { session: transaction.session },
        );
    },
  };
}
