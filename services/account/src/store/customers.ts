import { newId } from '@storefront/contracts';
import { inTransaction } from '@storefront/outbox';
import type { Parts } from '@storefront/service-kit';
import { countOrder, customerKey } from '../domain/customer.ts';
import type { Customer } from '../domain/customer.ts';
import { identityKeys, recognise } from '../domain/match.ts';
import type { Person } from '../domain/person.ts';
import { queryTokens } from '../domain/search.ts';
import { living } from './collections.ts';
import type { Collections } from './collections.ts';

export interface CustomerList {
  /** Up to `limit` recipients of the owner, the newest first, from after the position on. */
  list(
    owner: string,
    limit: number,
    after: { createdAt: Date; id: string } | null,
    query: string | undefined,
  ): Promise<Customer[]>;
}

// So many are read at once and put in order then. A beginning that more have fills a page soon in the list's own order; that
// reads too much only where none of the newer ones has it.
const few = 500;

export function createCustomerList({ customers }: Collections): CustomerList {
  return {
    async list(owner, limit, after, query) {
      const tokens = query ? queryTokens(query) : [];
      if (query && tokens.length === 0) return [];
      const { beginnings, isRare } = await byRarity(owner, tokens);
      const found = await customers
        .find(
          { owner, ...(tokens.length > 0 && { $and: beginnings }), ...beyond(after), ...living },
          { hint: isRare ? 'by_token' : 'newest', projection: { outbox: 0, tokens: 0, keys: 0 } },
        )
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id, ...fields }) => ({ ...fields, id: _id, tokens: [], keys: [] }));
    },
  };

  /** The rarest first: an index of words is read by the first one that is asked for. */
  async function byRarity(
    owner: string,
    tokens: readonly string[],
  ): Promise<{ beginnings: Beginning[]; isRare: boolean }> {
    const counted = await Promise.all(
      tokens.map(async (token) => {
        const beginning = beginningWith(token);
        const count = await customers.countDocuments({ owner, ...beginning }, { hint: 'by_token', limit: few + 1 });
        return { beginning, count };
      }),
    );
    const rarestFirst = counted.toSorted((one, other) => one.count - other.count);
    const [rarest] = rarestFirst;
    return {
      beginnings: rarestFirst.map(({ beginning }) => beginning),
      isRare: rarest !== undefined && rarest.count <= few,
    };
  }
}

type Beginning = ReturnType<typeof beginningWith>;

/** A search is for beginnings of words, as ranges: there is no pattern that a query could change. */
function beginningWith(token: string) {
  return { tokens: { $elemMatch: { $gte: token, $lt: `${token}\u{10ffff}` } } };
}

function beyond(after: { createdAt: Date; id: string } | null): Record<string, unknown> {
  if (after === null) return {};
  const { createdAt, id } = after;
  return { createdAt: { $lte: createdAt }, $or: [{ createdAt: { $lt: createdAt } }, { createdAt, _id: { $lt: id } }] };
}

/** An order, as far as it matters here. */
export interface Order {
  readonly orderId: string;
  readonly userId: string;
  readonly recipient: Person;
  readonly placedAt: Date;
}

/**
 * Counts an order for the recipient it names, whom it saves where there is none. Once for each order, however often it is
 * told; and orders of one user one after the other, so that two for somebody new make one recipient. Those of somebody who
 * was erased are not counted.
 */
export function createOrderCount(collections: Collections, { now }: Pick<Parts, 'now'>) {
  const { database, customers, customerAggregates, countedOrders, orderTurns, erasedUsers } = collections;
  return async function count({ orderId, userId, recipient, placedAt }: Order): Promise<void> {
    await inTransaction(database, async (transaction) => {
      const { session } = transaction;
      // Orders have a queue of their own: one may come after the erasure of whoever placed it.
      if (await erasedUsers.has(userId, transaction)) return;
      // A write that any other transaction for the user collides with.
      await orderTurns.updateOne({ _id: userId }, { $inc: { orders: 1 } }, { upsert: true, session });
      if (await countedOrders.findOne({ _id: orderId }, { session })) return;
      await countedOrders.insertOne({ _id: orderId }, { session });
      const candidates = await customers
        .find({ owner: userId, keys: { $in: identityKeys(recipient) }, ...living }, { session })
        .toArray();
      const known = recognise(
        recipient,
        candidates.map(({ _id, ...fields }) => ({ ...fields, id: _id })),
      );
      const customerId = known?.customerId ?? newId('cust');
      await customerAggregates.changeAll(transaction, [customerKey(userId, customerId)], (_key, current) =>
        countOrder(current, userId, customerId, recipient, placedAt, now()),
      );
    });
  };
}
