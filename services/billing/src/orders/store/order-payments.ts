import { eventRecordDays } from '@storefront/contracts';
import {
  defineCollection,
  inTransaction,
  inTransactionOfNew,
  openRepository,
  withEvents,
  type RepositoryNeeds,
  type Transaction,
} from '@storefront/mongo';
import { keptByLaw } from '../../store/collections.ts';
import { orderPayment, type OrderPayment } from '../domain/order-payment.ts';

const day = 24 * 60 * 60;

/** How each order is paid, with the order's id as the key. */
export const orderPaymentCollection = defineCollection(
  'order_payments',
  { ...withEvents, ...orderPayment.shape },
  {
    sharding: {
      key: { _id: 'hashed' },
      acrossShards: [{ by: ['nextCallAt'], because: 'a job calls the providers for which calls are left' }],
    },
    indexes: {
      // A record makes old events of the order harmless, and outlives them.
      kept: {
        keys: { updatedAt: 1 },
        expireAfterSeconds: eventRecordDays * day,
        partialFilterExpression: { isBookkeeping: false },
      },
      kept_by_law: {
        keys: { createdAt: 1 },
        expireAfterSeconds: keptByLaw,
        partialFilterExpression: { isBookkeeping: true },
      },
      by_call: { keys: { nextCallAt: 1, _id: 1 }, partialFilterExpression: { nextCallAt: { $gt: new Date(0) } } },
    },
  },
);

export type OrderPayments = ReturnType<typeof openOrderPayments>;

const limitMs = 10_000;

/** The repository of the records of orders. */
export function openOrderPayments(needs: RepositoryNeeds) {
  const orderPayments = openRepository<OrderPayment>(orderPaymentCollection, needs, { remembersWrites: true });
  const transaction = <Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> =>
    inTransaction(needs.database, work, { limitMs });
  return {
    ...orderPayments,

    /** Runs `work` in a transaction, beside those that change the books of accounts. `work` may run several times. */
    transaction,

    /** The same for an order that most often has no record yet: see `inTransactionOfNew`. */
    transactionOfNew: <Result>(work: (transaction: Transaction, isNew: boolean) => Promise<Result>): Promise<Result> =>
      inTransactionOfNew(needs.database, work, { limitMs }),

    /** The ids of orders for which a provider is to be called by now, the earliest first; at most `limit`. */
    async dueForCall(now: Date, limit: number): Promise<readonly string[]> {
      const due = await orderPayments.find(
        { nextCallAt: { $gt: new Date(0), $lte: now } },
        { fields: ['nextCallAt'], order: { nextCallAt: 1, _id: 1 }, limit, hint: 'by_call' },
      );
      return due.map(({ state }) => state.id);
    },
  };
}
