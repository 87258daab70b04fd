import { eventRecordDays } from '@storefront/contracts';
import {
  byId,
  collectionOf,
  defineCollection,
  jobHolders,
  openCollections,
  openRepository,
  servedCollections,
  withEvents,
  type Collection,
  type CollectionDefinition,
  type Database,
  type Repository,
  type RepositoryNeeds,
} from '@storefront/mongo';
import { userDataCollections } from '@storefront/user-data';
import { z } from 'zod';
import { account, type Account } from '../accounts/domain/account.ts';
import { entry, type Entry } from '../books/domain/books.ts';
import { callback, type Callback } from '../callbacks/domain/callback.ts';
import { invoice, type Invoice } from '../invoices/domain/invoice.ts';
import { refusedOrder, type RefusedOrder } from '../invoices/domain/order.ts';
import { payment, type Payment } from '../payments/domain/payment.ts';

const day = 24 * 60 * 60;
/** The law wants invoices for ten years after the year in which they were issued. */
const keptByLaw = 11 * 366 * day;

/** Keyed by the user. */
const accounts = defineCollection(
  'accounts',
  { ...withEvents, ...account.shape },
  {
    sharding: byId,
    indexes: {
      kept: {
        keys: { erasedAt: 1 },
        expireAfterSeconds: keptByLaw,
        partialFilterExpression: { outstanding: 0 },
      },
    },
  },
);

const invoices = defineCollection(
  'invoices',
  { ...withEvents, ...invoice.shape },
  {
    sharding: {
      unsharded: 'numbers and orders are unique indexes, and each invoice takes its number from one document anyway',
    },
    indexes: {
      newest: { keys: { accountId: 1, issuedAt: -1, _id: -1 } },
      by_status: { keys: { accountId: 1, status: 1, issuedAt: -1, _id: -1 } },
      by_number: { keys: { number: 1 }, unique: true },
      by_order: { keys: { orderRef: 1 }, unique: true, partialFilterExpression: { orderRef: { $gt: '' } } },
      by_due: { keys: { accountId: 1, status: 1, dueOn: 1, balance: 1 } },
      by_step: { keys: { nextStepAt: 1, _id: 1 }, partialFilterExpression: { nextStepAt: { $gt: new Date(0) } } },
      // Not while it is owed.
      kept: {
        keys: { issuedAt: 1 },
        expireAfterSeconds: keptByLaw,
        partialFilterExpression: { status: { $in: ['paid', 'void'] } },
      },
    },
  },
);

/** Keyed by the order. Kept longer than the event of the order can be on its way, so that it is refused once. */
const refusedOrders = defineCollection(
  'refused_orders',
  { ...withEvents, ...refusedOrder.shape },
  {
    sharding: {
      key: { _id: 'hashed' },
      acrossShards: [{ by: ['accountId'], because: 'an erasure deletes all of the user' }],
    },
    indexes: {
      by_account: { keys: { accountId: 1 } },
      kept: { keys: { refusedAt: 1 }, expireAfterSeconds: eventRecordDays * day },
    },
  },
);

/** The last number of a series of one year, keyed by its beginning, such as `INV-2026`. */
const series = defineCollection(
  'series',
  { last: z.int(), lastAt: z.date() },
  { sharding: { unsharded: 'one document for each series and year' } },
);

/** Keyed by the account and the sequence of the entry. */
const journal = defineCollection('journal', entry.shape, {
  sharding: { key: { accountId: 'hashed' } },
  indexes: {
    by_account: { keys: { accountId: 1, at: 1, sequence: 1 } },
    kept: { keys: { at: 1 }, expireAfterSeconds: keptByLaw },
  },
});

const payments = defineCollection(
  'payments',
  { ...withEvents, ...payment.shape },
  {
    sharding: {
      key: { _id: 'hashed' },
      acrossShards: [
        { by: ['accountId'], because: 'an account lists its payments, and a change of its books takes its credit' },
        { by: ['status'], because: 'administrators list payments' },
        { by: [], because: 'administrators list payments' },
        { by: ['createdAt'], because: 'administrators list payments, page by page' },
        {
          by: ['receipts.reference'],
          because: 'a callback that names no payment is found by what the provider calls it',
        },
      ],
    },
    indexes: {
      newest: { keys: { accountId: 1, createdAt: -1, _id: -1 } },
      by_status: { keys: { accountId: 1, status: 1, createdAt: -1, _id: -1 } },
      all_newest: { keys: { createdAt: -1, _id: -1 } },
      all_by_status: { keys: { status: 1, createdAt: -1, _id: -1 } },
      by_reference: { keys: { 'receipts.reference': 1 } },
      by_remainder: { keys: { accountId: 1, createdAt: 1 }, partialFilterExpression: { remainder: { $gt: 0 } } },
    },
  },
);

const callbacks = defineCollection(
  'callbacks',
  { ...withEvents, ...callback.shape },
  {
    sharding: {
      key: { _id: 'hashed' },
      acrossShards: [
        { by: ['outcome'], because: 'administrators list callbacks, and a job takes those that are not done' },
        { by: ['paymentId'], because: 'administrators list callbacks, and an erasure empties those of the user' },
        { by: [], because: 'administrators list callbacks' },
        { by: ['receivedAt'], because: 'administrators list callbacks, page by page' },
      ],
    },
    indexes: {
      newest: { keys: { receivedAt: -1, _id: -1 } },
      by_outcome: { keys: { outcome: 1, receivedAt: -1, _id: -1 } },
      by_payment: { keys: { paymentId: 1, receivedAt: -1, _id: -1 } },
      by_body: { keys: { receivedAt: 1 }, partialFilterExpression: { body: { $gt: '' } } },
      kept: { keys: { deleteAt: 1 }, expireAfterSeconds: 0 },
    },
  },
);

/** All collections of the service, for tests too. */
export const definitions: readonly CollectionDefinition[] = [
  accounts,
  invoices,
  refusedOrders,
  series,
  journal,
  payments,
  callbacks,
  jobHolders,
  ...servedCollections,
  ...userDataCollections('billing'),
];

/** Everything that the billing service stores itself. */
export interface Store {
  readonly database: Database;
  readonly accounts: Repository<Account>;
  readonly invoices: Repository<Invoice>;
  readonly refusedOrders: Repository<RefusedOrder>;
  readonly payments: Repository<Payment>;
  readonly callbacks: Repository<Callback>;
  readonly journal: Collection<{ _id: string } & Entry>;
  readonly series: Collection<{ _id: string; last: number; lastAt: Date }>;
}

/** Opens all collections of the service. */
export async function openStore(resources: RepositoryNeeds): Promise<Store> {
  const { database } = resources;
  await openCollections(database, definitions);
  return {
    database,
    accounts: openRepository<Account>(accounts, resources),
    invoices: openRepository<Invoice>(invoices, resources),
    refusedOrders: openRepository<RefusedOrder>(refusedOrders, resources),
    payments: openRepository<Payment>(payments, resources),
    callbacks: openRepository<Callback>(callbacks, resources),
    journal: collectionOf(database, journal),
    series: collectionOf(database, series),
  };
}
