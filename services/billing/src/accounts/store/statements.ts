import type { Entry } from '../../domain/books.ts';
import type { Store } from '../../store/collections.ts';
import type { Owed } from '../domain/statement.ts';

/** Reads what statements are made of. */
export interface Statements {
  /** The entries of the account's journal from one moment on and before another, in their order; at most so many. */
  readonly entries: (accountId: string, from: Date, to: Date, limit: number) => Promise<Entry[]>;
  /** The balance of the account at the moment: 0 where it has no entry before it. */
  readonly balanceAt: (accountId: string, at: Date) => Promise<number>;
  /** What the account owes now, by the day on which it is due. */
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
