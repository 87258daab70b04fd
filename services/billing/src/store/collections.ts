import { eventRecordDays } from '@storefront/contracts';
import {
  byId,
  collectionOf,
  defineCollection,
  openRepository,
  withEvents,
  type Collection,
  type CollectionDefinition,
  type Database,
  type Repository,
  type RepositoryNeeds,
} from '@storefront/mongo';
import { z } from 'zod';
import { account, type Account } from '../domain/account.ts';
import { entry, type Entry } from '../domain/books.ts';
import { invoice, type Invoice, type InvoiceStatus } from '../domain/invoice.ts';
import { payment, type Payment } from '../domain/payment.ts';

const day = 24 * 60 * 60;
/**
 * In seconds. The law requires that invoices are kept for ten years after the year of issue. Eleven years are always
 * enough.
 */
export const keptByLaw = 11 * 366 * day;

/** Trade accounts. The key is the user's id. */
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

/** Invoices of which something is owed. */
export const stillOwed = { status: { $in: ['open', 'overdue'] satisfies InvoiceStatus[] } };

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
      all_newest: { keys: { issuedAt: -1, _id: -1 } },
      all_by_status: { keys: { status: 1, issuedAt: -1, _id: -1 } },
      owed_by_due: { keys: { accountId: 1, dueOn: 1, _id: 1 }, partialFilterExpression: stillOwed },
      all_owed_by_due: { keys: { dueOn: 1, _id: 1 }, partialFilterExpression: stillOwed },
      by_step: { keys: { nextStepAt: 1, _id: 1 }, partialFilterExpression: { nextStepAt: { $gt: new Date(0) } } },
      // An invoice is not deleted while something is still owed.
      kept: {
        keys: { issuedAt: 1 },
        expireAfterSeconds: keptByLaw,
        partialFilterExpression: { status: { $in: ['paid', 'void'] } },
      },
    },
  },
);

/** Journal entries. The key is made from the account's id and the entry's sequence. */
const journal = defineCollection(
  'journal',
  { _id: z.string(), ...entry.shape },
  {
    sharding: { key: { accountId: 'hashed' } },
    indexes: {
      by_account: { keys: { accountId: 1, at: 1, sequence: 1 } },
      kept: { keys: { at: 1 }, expireAfterSeconds: keptByLaw },
    },
  },
);

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
      // Payments of orders to which no money came. They end with the record of their order.
      kept: {
        keys: { updatedAt: 1 },
        expireAfterSeconds: eventRecordDays * day,
        partialFilterExpression: { orderId: { $gt: '' }, status: { $in: ['pending', 'failed'] } },
      },
    },
  },
);

/** The collections that all areas share: the books of the accounts. */
export const sharedCollections: readonly CollectionDefinition[] = [accounts, invoices, journal, payments];

/** The documents of the books. A change of money writes several of them in one transaction (`books.ts`). */
export interface Store {
  readonly database: Database;
  readonly accounts: Repository<Account>;
  readonly invoices: Repository<Invoice>;
  readonly payments: Repository<Payment>;
  readonly journal: Collection<{ _id: string } & Entry>;
}

/** Opens the repositories of the books. Their collections must already be open. */
export function openStore(resources: RepositoryNeeds): Store {
  const { database } = resources;
  return {
    database,
    accounts: openRepository<Account>(accounts, resources),
    invoices: openRepository<Invoice>(invoices, resources),
    payments: openRepository<Payment>(payments, resources, { remembersWrites: true }),
    journal: collectionOf(database, journal),
  };
}
