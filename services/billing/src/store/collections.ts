import { eventRecordDays } from '@storefront/contracts';
import {
  arrayOf,
  boolean,
  collectionOf,
  date,
  byId,
  defineCollection,
  integer,
  jobHolders,
  number,
  object,
  oneOf,
  openCollections,
  openRepository,
  orNull,
  servedCollections,
  text,
  withEvents,
  type Collection,
  type CollectionDefinition,
  type Database,
  type Repository,
  type RepositoryNeeds,
} from '@storefront/mongo';
import { userDataCollections } from '@storefront/user-data';
import type { Account } from '../accounts/domain/account.ts';
import type { Entry } from '../books/domain/books.ts';
import type { Callback } from '../callbacks/domain/callback.ts';
import type { Invoice } from '../invoices/domain/invoice.ts';
import type { RefusedOrder } from '../invoices/domain/order.ts';
import type { Payment } from '../payments/domain/payment.ts';

const day = 24 * 60 * 60;
/** The law wants invoices for ten years after the year in which they were issued. */
const keptByLaw = 11 * 366 * day;

const party = object({ businessName: text(), address: text(), country: text(), vatNumber: orNull(text()) });

const sums = {
  lines: arrayOf(
    object({
      description: text(),
      sku: orNull(text()),
      quantity: number(),
      unitPrice: integer(),
      discount: integer(),
      taxRate: number(),
      net: integer(),
    }),
  ),
  taxes: arrayOf(object({ rate: number(), base: integer(), amount: integer() })),
  subtotal: integer(),
  tax: integer(),
  total: integer(),
};

/** Keyed by the user. */
const accounts = defineCollection(
  'accounts',
  {
    ...withEvents,
    isOpen: boolean(),
    buyer: party,
    limit: orNull(integer()),
    termsDays: integer(),
    hold: boolean(),
    overdueInvoices: arrayOf(text()),
    outstanding: integer(),
    unused: integer(),
    entries: integer(),
    lastEntryAt: orNull(date()),
    isWarned: boolean(),
    sequence: integer(),
    erasedAt: orNull(date()),
    createdAt: date(),
    updatedAt: date(),
  },
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
  {
    ...withEvents,
    number: text(),
    accountId: text(),
    status: oneOf(['open', 'paid', 'overdue', 'void']),
    currency: text(),
    buyer: party,
    seller: party,
    reference: orNull(text()),
    orderRef: orNull(text()),
    ...sums,
    taxTreatment: oneOf(['domestic', 'eu', 'reverse-charge', 'export']),
    reverseCharge: boolean(),
    amountPaid: integer(),
    credited: integer(),
    balance: integer(),
    termsDays: integer(),
    issuedAt: date(),
    issuedOn: text(),
    dueAt: date(),
    dueOn: text(),
    paidAt: orNull(date()),
    voidedAt: orNull(date()),
    payments: arrayOf(object({ paymentId: text(), amount: integer(), at: date() })),
    creditNotes: arrayOf(
      object({
        id: text(),
        number: text(),
        issuedAt: date(),
        issuedOn: text(),
        reason: text(),
        ...sums,
        credits: arrayOf(object({ line: integer(), quantity: number(), net: integer() })),
      }),
    ),
    steps: arrayOf(
      object({ kind: oneOf(['remind', 'overdue', 'hold']), days: integer(), at: date(), doneAt: orNull(date()) }),
    ),
    nextStepAt: orNull(date()),
  },
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
  {
    ...withEvents,
    accountId: text(),
    reason: oneOf([
      'limit',
      'hold',
      'not-a-trade-account',
      'other-currency',
      'no-lines',
      'too-many-lines',
      'totals-differ',
    ]),
    refusedAt: date(),
  },
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
  { last: integer(), lastAt: date() },
  { sharding: { unsharded: 'one document for each series and year' } },
);

/** Keyed by the account and the sequence of the entry. */
const journal = defineCollection(
  'journal',
  {
    accountId: text(),
    sequence: integer(),
    at: date(),
    kind: oneOf(['invoice', 'void', 'credit-note', 'payment', 'refund']),
    id: text(),
    number: orNull(text()),
    amount: integer(),
    balance: integer(),
  },
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
  {
    ...withEvents,
    accountId: orNull(text()),
    provider: text(),
    status: oneOf(['pending', 'succeeded', 'failed', 'refunded', 'disputed', 'unallocated']),
    currency: text(),
    asked: orNull(integer()),
    invoiceIds: arrayOf(text()),
    receipts: arrayOf(
      object({
        reference: text(),
        succeeded: integer(),
        refunded: integer(),
        disputed: integer(),
        failed: boolean(),
        refunds: arrayOf(object({ id: text(), amount: integer(), createdAt: integer(), failedAt: orNull(integer()) })),
        refundedInAll: orNull(object({ amount: integer(), statedAt: integer() })),
        disputes: arrayOf(
          object({ id: text(), amount: integer(), isTaken: boolean(), isClosed: boolean(), statedAt: integer() }),
        ),
      }),
    ),
    received: integer(),
    refunded: integer(),
    allocations: arrayOf(object({ invoiceId: text(), amount: integer() })),
    remainder: integer(),
    unallocatedReason: orNull(
      oneOf([
        'other_currency',
        'unknown_invoice',
        'unknown_payment',
        'invoice_void',
        'account_closed',
        'indivisible_amount',
      ]),
    ),
    worth: orNull(object({ amount: integer(), currency: text(), of: integer() })),
    redirectUrl: orNull(text()),
    createdAt: date(),
    updatedAt: date(),
  },
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
  {
    ...withEvents,
    provider: text(),
    outcome: oneOf(['received', 'done', 'ignored', 'failed', 'duplicate', 'bad_signature', 'stale']),
    reason: orNull(text()),
    eventId: orNull(text()),
    type: orNull(text()),
    paymentId: orNull(text()),
    address: orNull(text()),
    bytes: integer(),
    body: orNull(text()),
    receivedAt: date(),
    doneAt: orNull(date()),
    replays: integer(),
    deleteAt: orNull(date()),
  },
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
