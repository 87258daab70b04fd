import type { Entry } from '../../domain/books.ts';
import type { Store } from '../../store/collections.ts';
import type { Owed } from '../domain/statement.ts';

/** Reads the data for statements. */
export interface Statements {
  /**
   * The entries of the account's journal with `from` <= time < `to`, in the journal's order; at most `limit` of them.
   */
  readonly entries: (accountId: string, from: Date, to: Date, limit: number) => Promise<Entry[]>;
  /** The account's balance at this moment, in minor units; 0 if there is no earlier entry. */
  readonly balanceAt: (accountId: string, at: Date) => Promise<number>;
  /** The amounts that the account owes now, by due day. */
  readonly owed: (accountId: string) => Promise<Owed[]>;
}

export function openStatements({ invoices, journal }: Pick<Store, 'invoices' | 'journal'>): Statements {
  return {
    async entries(accountId, from, to, limit) {
      return await journal
        .find({ accountId, at: { $gte: from, $lt: to } }, { projection: { _id: 0 }, hint: 'by_account' })
        .sort({ accountId: 1, at: 1, sequence: 1 })
        .limit(limit)
        .toArray();
    },

    async balanceAt(accountId, at) {
      const [last] = await journal
        .find({ accountId, at: { $lt: at } }, { projection: { balance: 1 }, hint: 'by_account' })
        .sort({ accountId: -1, at: -1, sequence: -1 })
        .limit(1)
        .toArray();
      return last?.balance ?? 0;
    },

    async owed(accountId) {
      return await invoices.collection
        .aggregate<Owed>(
          [
            { $match: { accountId, status: { $in: ['open', 'overdue'] } } },
            { $group: { _id: '$dueOn', balance: { $sum: '$balance' } } },
            { $project: { _id: 0, dueOn: '$_id', balance: 1 } },
          ],
          { hint: 'by_due' },
        )
        .toArray();
    },
  };
}
