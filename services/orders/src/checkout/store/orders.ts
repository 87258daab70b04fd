import type { Slice } from '@storefront/contracts';
import {
  byId,
  collectionOf,
  defineCollection,
  duplicatePlace,
  inTransaction,
  openRepository,
  withEvents,
  type CollectionDefinition,
  type RepositoryNeeds,
  type Transaction,
} from '@storefront/mongo';
import { z } from 'zod';
import { exportedFields } from '../domain/order-rows.ts';
import { order, type Order } from '../domain/order.ts';
import { codeBudgets } from './code-budgets.ts';
import { mailBudgets } from './mail-budgets.ts';
import { listQuery, type OrderFilter } from './order-list.ts';

const newest = { createdAt: -1, _id: -1 } as const;

const orders = defineCollection(
  'orders',
  { ...withEvents, ...order.shape },
  {
    sharding: {
      key: { _id: 'hashed' },
      acrossShards: [
        { by: ['userId'], because: 'the orders of a user are listed' },
        { by: [], because: 'staff list all orders' },
        { by: ['status'], because: 'staff list all orders' },
        { by: ['createdAt'], because: 'staff list all orders' },
        { by: ['returns.status'], because: 'staff list all orders' },
        { by: ['number'], because: 'staff look for an order' },
        { by: ['email'], because: 'staff look for the orders of a guest' },
        { by: ['placedAt'], because: 'staff export all orders' },
        { by: ['stuckAt'], because: 'staff list what they have to see to' },
        { by: ['payment.disputed'], because: 'staff list what they have to see to' },
        { by: ['payment.refundsFailed'], because: 'staff list what they have to see to' },
        { by: ['dueAt'], because: 'each instance looks for what is due on all shards' },
        { by: ['forgetAt'], because: 'each instance looks for what is due on all shards' },
      ],
    },
    indexes: {
      newest: { keys: { userId: 1, createdAt: -1, _id: -1 } },
      by_state: { keys: { userId: 1, status: 1, fulfilment: 1, 'payment.status': 1, createdAt: -1, _id: -1 } },
      all_newest: { keys: newest },
      all_by_state: { keys: { status: 1, fulfilment: 1, 'payment.status': 1, createdAt: -1, _id: -1 } },
      all_by_return: {
        keys: { 'returns.status': 1, createdAt: -1, _id: -1 },
        partialFilterExpression: { 'returns.status': { $exists: true } },
      },
      by_number: { keys: { number: 1, createdAt: -1, _id: -1 } },
      by_email: { keys: { email: 1, createdAt: -1, _id: -1 } },
      placed: { keys: { placedAt: 1, _id: 1 }, partialFilterExpression: { placedAt: { $gt: new Date(0) } } },
      stuck: { keys: newest, partialFilterExpression: { stuckAt: { $gt: new Date(0) } } },
      disputed: { keys: newest, partialFilterExpression: { 'payment.disputed': { $gt: 0 } } },
      'refund-failed': { keys: newest, partialFilterExpression: { 'payment.refundsFailed': { $gt: 0 } } },
      due: { keys: { dueAt: 1 }, partialFilterExpression: { dueAt: { $gt: new Date(0) } } },
      to_forget: { keys: { forgetAt: 1 }, partialFilterExpression: { forgetAt: { $gt: new Date(0) } } },
    },
  },
);

/** The unpaid orders of a buyer or of a network, by its key. */
const unpaidOrders = defineCollection('unpaid_orders', { orderIds: z.array(z.string()) }, { sharding: byId });

/** The last number that was taken in a year, such as `ORD-2026`. */
const orderNumbers = defineCollection(
  'order_numbers',
  { last: z.int() },
  { sharding: { unsharded: 'one document for each year' } },
);

export const checkoutCollections: readonly CollectionDefinition[] = [
  orders,
  unpaidOrders,
  orderNumbers,
  codeBudgets,
  mailBudgets,
];

export type OrderStore = ReturnType<typeof openOrders>;

export function openOrders(resources: RepositoryNeeds) {
  const { database, now: clock } = resources;
  const repository = openRepository<Order>(orders, resources, { remembersWrites: true });
  const unpaid = collectionOf(database, unpaidOrders);
  const numbers = collectionOf(database, orderNumbers);

  return {
    orders: repository,

    /** Runs `work` in a transaction; it may run several times. */
    inTransaction: <Result>(work: (transaction: Transaction) => Promise<Result>) => inTransaction(database, work),

    /** Takes the next number of the year. One that is taken and not used is missing in the series. */
    async nextNumber(year: number): Promise<string> {
      const taken = await numbers.findOneAndUpdate(
        { _id: `ORD-${year}` },
        { $inc: { last: 1 } },
        { upsert: true, returnDocument: 'after' },
      );
      if (!taken) throw new Error(`ORD-${year} has no number`);
      return `${taken._id}-${String(taken.last).padStart(6, '0')}`;
    },

    /**
     * Has the series of the year go on with `next`, or higher where it is there already. Returns the number that comes next then. No
     * number is given twice: neither one below the last that was taken, nor below one that an order has.
     */
    async continueNumbers(year: number, next: number): Promise<number> {
      const series = `ORD-${year}-`;
      const [highest] = await repository.find(
        { number: { $gte: series, $lt: `ORD-${year}.` } },
        { fields: ['number'], order: { number: -1, createdAt: 1, _id: 1 }, limit: 1, hint: 'by_number' },
      );
      const given = Number(highest?.state.number?.slice(series.length) ?? 0);
      const last = Math.max(given, next - 1);
      const after = await numbers.findOneAndUpdate(
        { _id: `ORD-${year}` },
        { $max: { last } },
        { upsert: true, returnDocument: 'after' },
      );
      return (after?.last ?? last) + 1;
    },

    /**
     * Counts the order as unpaid for each of the keys. Returns the first that has as many already as it may, and null where none
     * has; after a refusal the transaction can't go on. Two transactions that do so for one key collide, so that the number is
     * exact.
     */
    async countAsUnpaid<Key extends { readonly key: string; readonly most: number }>(
      { session }: Transaction,
      keys: readonly Key[],
      orderId: string,
    ): Promise<Key | null> {
      const writes = keys.map(({ key: _id, most }) => ({
        updateOne: {
          // The document of a key with as many as it may have is not found, and can't be inserted a second time.
          filter: { _id, [`orderIds.${most - 1}`]: { $exists: false } },
          update: { $addToSet: { orderIds: orderId } },
          upsert: true,
        },
      }));
      try {
        await unpaid.bulkWrite(writes, { session });
        return null;
      } catch (error) {
        const place = duplicatePlace(error);
        if (place === null) throw error;
        return keys[place] ?? null;
      }
    },

    /** Ends what `countAsUnpaid` began. */
    async countNoLonger({ session }: Transaction, keys: readonly string[], orderId: string): Promise<void> {
      if (keys.length === 0) return;
      const ofKeys = { _id: { $in: [...keys] } };
      // Most buyers have one unpaid order.
      const { deletedCount } = await unpaid.deleteMany({ ...ofKeys, orderIds: [orderId] }, { session });
      if (deletedCount < keys.length) await unpaid.updateMany(ofKeys, { $pull: { orderIds: orderId } }, { session });
    },

    /** One page of the orders of a list, the newest first. */
    pageOf(wanted: OrderFilter, slice: Slice) {
      return repository.page({ ...listQuery(wanted, clock()), order: newest, slice });
    },

    /** One page of the orders that were placed from `from` on and before `to`, the oldest first, with what an export reads. */
    pageOfPlaced(from: Date, to: Date, slice: Slice) {
      return repository.page({
        filter: { placedAt: { $gt: new Date(0), $gte: from, $lt: to } },
        fields: exportedFields,
        order: { placedAt: 1, _id: 1 },
        slice,
        hint: 'placed',
      });
    },

    /** The ids of orders for which something is due, the longest due first. */
    async findDue(now: Date, limit: number): Promise<string[]> {
      const due = await repository.find(
        { dueAt: { $gt: new Date(0), $lte: now } },
        { fields: ['dueAt'], order: { dueAt: 1, _id: 1 }, limit, hint: 'due' },
      );
      return due.map(({ state }) => state.id);
    },

    /** The ids of orders that were sent before this time, the oldest first. */
    async findSentBefore(time: Date, limit: number): Promise<string[]> {
      const found = await repository.find(
        { createdAt: { $lt: time } },
        { fields: ['createdAt'], order: { createdAt: 1, _id: 1 }, limit, hint: 'all_newest' },
      );
      return found.map(({ state }) => state.id);
    },

    /** The ids of orders whose personal data is to be erased by now. */
    async findToForget(now: Date, limit: number): Promise<string[]> {
      const found = await repository.find(
        { forgetAt: { $gt: new Date(0), $lte: now } },
        { fields: ['forgetAt'], limit, hint: 'to_forget' },
      );
      return found.map(({ state }) => state.id);
    },
  };
}
