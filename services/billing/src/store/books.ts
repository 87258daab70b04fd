import { changed, type Fact } from '@storefront/contracts';
import { inTransaction, type Repository, type Transaction } from '@storefront/mongo';
import pLimit from 'p-limit';
import { warningFacts } from '../domain/credit.ts';
import type { Account } from '../domain/account.ts';
import type { Store } from './collections.ts';
import type { Books } from '../domain/books.ts';

/** Which documents of an account's books to read. */
export interface Wanted {
  readonly invoiceIds?: readonly string[];
  readonly paymentIds?: readonly string[];
  /** Also read all payments with credit of the account, the oldest first. */
  readonly withCredit?: boolean;
}

/** The books of an account before and after a change, and the events about their documents. */
export interface BooksChange {
  readonly before: Books;
  readonly after: Books;
  readonly facts: readonly Fact[];
}

export type BooksStore = ReturnType<typeof openBooks>;

const limitMs = 10_000;

/** Reads and writes the books of accounts in transactions. `currency` is the currency of all invoices. */
export function openBooks({ database, accounts, invoices, payments, journal }: Store, currency: string) {
  // One transaction at a time. Most transactions of an instance write the same account or the same series, and would
  // otherwise have to start again.
  const inTurn = pLimit(1);

  /**
   * Reads the books of several accounts, by account id. An unknown account is missing in the result. Documents that
   * belong to another account are left out.
   */
  async function loadAll(
    transaction: Transaction,
    wanted: ReadonlyMap<string, Wanted>,
  ): Promise<ReadonlyMap<string, Books>> {
    const all = [...wanted.values()];
    const [invoiceIds, paymentIds] = [
      all.flatMap((each) => each.invoiceIds ?? []),
      all.flatMap((each) => each.paymentIds ?? []),
    ];
    const withCredit = [...wanted].flatMap(([accountId, each]) => (each.withCredit ? [accountId] : []));
    // These reads are not parallel: a transaction can do only one operation at a time.
    const found = {
      accounts: await accounts.find({ _id: { $in: [...wanted.keys()] } }, { transaction }),
      invoices: invoiceIds.length > 0 ? await invoices.find({ _id: { $in: invoiceIds } }, { transaction }) : [],
      payments: paymentIds.length > 0 ? await payments.find({ _id: { $in: paymentIds } }, { transaction }) : [],
      credit:
        withCredit.length > 0
          ? await payments.find(
              { accountId: { $in: withCredit }, remainder: { $gt: 0 }, unallocatedReason: null },
              { transaction, order: { createdAt: 1, _id: 1 }, hint: 'by_remainder' },
            )
          : [],
    };
    const statesOf = <State extends { readonly id: string; readonly accountId: string | null }>(
      loaded: readonly { readonly state: State }[],
      accountId: string,
    ) => new Map(loaded.flatMap(({ state }) => (state.accountId === accountId ? [[state.id, state] as const] : [])));
    return new Map(
      found.accounts.map(({ state: account }) => [
        account.id,
        {
          account,
          invoices: statesOf(found.invoices, account.id),
          payments: statesOf([...found.credit, ...found.payments], account.id),
          entries: [],
        },
      ]),
    );
  }

  /**
   * Writes the documents that are new or differ between `before` and `after`, with the events about them, and the
   * warning about the credit limit if it is due. Returns the new versions of all written documents by id. Each account
   * is always written, so that of two changes of the same account one has to start again. Throws if an event is about
   * none of the documents.
   */
  async function saveAll(
    transaction: Transaction,
    changes: readonly BooksChange[],
  ): Promise<ReadonlyMap<string, number>> {
    const versions = new Map<string, number>();
    const facts = changes.flatMap(({ before, after, facts: stated }) => [
      ...stated,
      ...warningFacts(before.account, after.account, currency),
    ]);
    const about = Map.groupBy(facts, ({ subject }) => subject);
    const write = async <State extends { readonly id: string }>(
      repository: Repository<State>,
      statesOf: (books: Books) => ReadonlyMap<string, State>,
    ): Promise<void> => {
      const states = new Map<string, State>();
      for (const { before, after } of changes)
        for (const [id, state] of statesOf(after))
          if (statesOf(before).get(id) !== state || about.has(id)) states.set(id, state);
      if (states.size === 0) return;
      const ids = [...states.keys()];
      const saved = await repository.changeAll(transaction, ids, (id) => {
        const state = states.get(id);
        if (!state) throw new Error(`${id} is not in the books`);
        return changed(state, about.get(id) ?? []);
      });
      for (const [place, id] of ids.entries()) versions.set(id, saved[place]?.version ?? 0);
    };
    // A copy of each account, so that it counts as changed and is always written.
    const accountOf = ({ account }: Books) => new Map<string, Account>([[account.id, { ...account }]]);
    await write(accounts, accountOf);
    await write(invoices, (books) => books.invoices);
    await write(payments, (books) => books.payments);
    const lost = facts.find(({ subject }) => !versions.has(subject));
    if (lost) throw new Error(`${lost.type} is about ${lost.subject}, which is not in the books`);
    const entries = changes.flatMap(({ after }) => after.entries);
    if (entries.length > 0)
      await journal.insertMany(
        entries.map((entry) => ({ _id: `${entry.accountId}/${entry.sequence}`, ...entry })),
        { session: transaction.session },
      );
    return versions;
  }

  return {
    /**
     * Runs `work` in a transaction. `work` may run several times. After 10 s it fails with an error for which
     * `isDatabaseAway` is true. This happens, for example, while a transaction of a killed instance still blocks the
     * same documents.
     */
    transaction: <Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> =>
      inTurn(() => inTransaction(database, work, { limitMs })),

    loadAll,
    saveAll,

    /** The books of one account, as `loadAll` reads them; null if there is no such account. */
    load: async (transaction: Transaction, accountId: string, wanted: Wanted): Promise<Books | null> =>
      (await loadAll(transaction, new Map([[accountId, wanted]]))).get(accountId) ?? null,

    /** Writes the books of one account as `saveAll` does. */
    save: (
      transaction: Transaction,
      before: Books,
      after: Books,
      facts: readonly Fact[],
    ): Promise<ReadonlyMap<string, number>> => saveAll(transaction, [{ before, after, facts }]),
  };
}
