import type { Database, Position } from '@storefront/service-kit';
import type { User } from '../domain/user.ts';
import { usersCollection } from './users.ts';

interface TradeAccountQuery {
  readonly status?: User['status'] | undefined;
  readonly limit: number;
  readonly after?: Position | undefined;
}

export interface TradeAccounts {
  /** Up to `limit + 1`, those submitted last first. */
  list(query: TradeAccountQuery): Promise<User[]>;
}

export function createTradeAccounts(database: Database): TradeAccounts {
  const collection = usersCollection(database);
  return {
    async list({ status, limit, after }) {
      const submittedAt = after && new Date(after[0] ?? 0);
      const beyond = after && {
        $or: [
          { 'trade.submittedAt': { $lt: submittedAt } },
          { 'trade.submittedAt': submittedAt, _id: { $lt: String(after[1]) } },
        ],
      };
      const documents = await collection
        .find({ role: 'trade', ...(status ? { status } : {}), deletedAt: { $exists: false }, ...beyond } as object, {
          hint: status ? 'trade_by_status' : 'trade_newest',
          projection: { outbox: 0 },
        })
        .sort({ 'trade.submittedAt': -1, _id: -1 })
        .limit(limit + 1)
        .toArray();
      return documents.map(({ _id, ...fields }) => ({ id: _id, ...fields }));
    },
  };
}
