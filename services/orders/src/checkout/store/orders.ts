import type { Slice } from '@storefront/contracts';
import {
  byId,
  collectionOf,
  defineCollection,
  inTransaction,
  openRepository,
  withEvents,
  type CollectionDefinition,
  type Database,
  type Relay,
  type Transaction,
} from '@storefront/mongo';
import { z } from 'zod';
import { order, type Order } from '../domain/order.ts';
import { codeBudgets } from './code-budgets.ts';
import { listQuery, type OrderFilter } from './order-list.ts';

const orders = defineCollection(
  'orders',
  { ...withEvents, ...order.shape },
  {
    sharding: {
      key: { _id: 'hashed' },
      acrossShards: [
        { by: ['userId'], because: 'the orders of a user are listed' },
        { by: ['status'], because: 'staff list all orders' },
        { by: ['createdAt'], because: 'staff list all orders' },
        { by: ['fulfilment'], because: 'staff list all orders' },
        { by: ['payment.status'], because: 'staff list all orders' },
        { by: ['number'], because: 'staff look for an order' },
        { by: ['email'], because: 'staff look for the orders of a guest' },
        { by: ['dueAt'], because: 'each instance looks for what is due on all shards' },
        { by: ['forgetAt'], because: 'each instance looks for what is due on all shards' },
      ],
    },
    indexes: {
      newest: { keys: { userId: 1, createdAt: -1, _id: -1 } },
      by_status: { keys: { userId: 1, status: 1, createdAt: -1, _id: -1 } },
      all_newest: { keys: { createdAt: -1, _id: -1 } },
      all_by_status: { keys: { status: 1, createdAt: -1, _id: -1 } },
      all_by_fulfilment: { keys: { fulfilment: 1, status: 1, createdAt: -1, _id: -1 } },
      all_by_payment: { keys: { 'payment.status': 1, createdAt: -1, _id: -1 } },
      by_number: { keys: { number: 1, createdAt: -1, _id: -1 } },
      by_email: { keys: { email: 1, createdAt: -1, _id: -1 } },
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

export const checkoutCollections: readonly CollectionDefinition[] = [orders, unpaidOrders, orderNumbers, codeBudgets];

export type OrderStore = ReturnType<typeof openOrders>;

export function openOrders(resources: {
  readonly database: Database;
  readonly relay: Relay;
  readonly now: () => Date;
}) {
  const { database } = resources;
  const repository = openRepository<Order>(orders, resources);
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
     * Counts the order as unpaid for the key, and returns how many unpaid orders the key has then. Two transactions that do
     * so for one key collide, so that the number is exact.
     */
    async countAsUnpaid(transaction: Transaction, key: string, orderId: string): Promise<number> {
      const after = await unpaid.findOneAndUpdate(
        { _id: key },
        { $addToSet: { orderIds: orderId } },
        { upsert: true, returnDocument: 'after', session: transaction.session },
      );
      return after?.orderIds.length ?? 0;
    },

    /** Ends what `countAsUnpaid` began. */
    async countNoLonger({ session }: Transaction, keys: readonly string[], orderId: string): Promise<void> {
      const ended = keys.flatMap((key) => [
        { updateOne: { filter: { _id: key }, update: { $pull: { orderIds: orderId } } } },
        { deleteOne: { filter: { _id: key, orderIds: [] } } },
      ]);
      if (ended.length > 0) await unpaid.bulkWrite(ended, { session });
    },

    /** One page of the orders of a list, the newest first. */
    pageOf(wanted: OrderFilter, slice: Slice) {
      return repository.page({ ...listQuery(wanted), order: { createdAt: -1, _id: -1 }, slice });
    },

    /** The ids of orders for which something is due, the longest due first. */
    async findDue(now: Date, limit: number): Promise<string[]> {
      const due = await repository.find(
        { dueAt: { $gt: new Date(0), $lte: now } },
        { fields: ['dueAt'], order: { dueAt: 1, _id: 1 }, limit, hint: 'due' },
      );
      return due.map(({ state }) => state.id);
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
