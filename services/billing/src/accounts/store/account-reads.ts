import { notFound } from '@storefront/contracts';
import type { Loaded } from '@storefront/mongo';
import type { Store } from '../../store/collections.ts';
import type { Account } from '../../domain/account.ts';

export type AccountReads = ReturnType<typeof openAccountReads>;

/** Reads trade accounts. The account of an erased user is not shown. */
export function openAccountReads({ accounts, invoices }: Pick<Store, 'accounts' | 'invoices'>) {
  return {
    /** Throws `not_found` if there is no such account, or if its user was erased. */
    async get(id: string): Promise<Loaded<Account>> {
      const found = await accounts.load(id);
      if (!found || found.state.erasedAt !== null) throw notFound('trade account');
      return found;
    },

    async isErased(id: string): Promise<boolean> {
      const found = await accounts.load(id);
      return found !== null && found.state.erasedAt !== null;
    },

    /** Those of these accounts whose users were erased. */
    async erasedAmong(ids: readonly string[]): Promise<ReadonlySet<string>> {
      const found = await accounts.find(
        { _id: { $in: [...new Set(ids)] }, erasedAt: { $ne: null } },
        { order: { _id: 1 }, limit: ids.length + 1, fields: ['erasedAt'] },
      );
      return new Set(found.map(({ state }) => state.id));
    },

    /** The sum of the balances of the account's overdue invoices, in minor units. */
    async overdue(id: string): Promise<number> {
      const [found] = await invoices.collection
        .aggregate<{ sum: number }>(
          [
            { $match: { accountId: id, status: 'overdue' } },
            { $project: { _id: 0, balance: 1 } },
            { $group: { _id: null, sum: { $sum: '$balance' } } },
          ],
          { hint: 'by_due' },
        )
        .toArray();
      return found?.sum ?? 0;
    },
  };
}
