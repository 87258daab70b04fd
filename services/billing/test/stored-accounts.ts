import { newId } from '@storefront/contracts';
import type { Harness, Person } from './harness.ts';

const day = 24 * 60 * 60 * 1000;

/** What a test says about an invoice; the rest does not matter to payments. Amounts are in cents. */
export interface SomeInvoice {
  readonly total: number;
  /** So many days after today. */
  readonly due?: number;
  readonly status?: 'open' | 'void';
}

const seller = { businessName: 'Storefront Ltd', address: 'Hamburg', country: 'DE', vatNumber: 'DE987654321' };
const buyer = { businessName: 'Teahaus', address: 'Berlin', country: 'DE', vatNumber: null };
const document = { version: 1, outbox: [] };
let numbers = 0;

/** A trade account with open invoices, written as billing keeps them. */
export async function accountWith(
  harness: Harness,
  invoices: readonly SomeInvoice[],
  account: Readonly<Record<string, unknown>> = {},
): Promise<{
  readonly person: Person;
  readonly invoices: readonly { readonly id: string; readonly number: string }[];
}> {
  const id = newId('user');
  const now = harness.now();
  const made = invoices.map((invoice) => invoiceOf(id, invoice, now));
  const open = made.filter(({ status }) => status !== 'void');
  let balance = 0;
  const entries = open.map((invoice, index) => {
    balance += invoice.total;
    const entry = { accountId: id, sequence: index + 1, at: now, kind: 'invoice', id: invoice._id };
    return { _id: `${id}/${index + 1}`, ...entry, number: invoice.number, amount: invoice.total, balance };
  });
  await harness.collection('accounts').insertOne({
    ...document,
    _id: id,
    isOpen: true,
    buyer,
    limit: null,
    termsDays: 30,
    hold: false,
    overdueInvoices: [],
    outstanding: balance,
    unused: 0,
    entries: entries.length,
    lastEntryAt: entries.length > 0 ? now : null,
    isWarned: false,
    sequence: 1,
    erasedAt: null,
    createdAt: now,
    updatedAt: now,
    ...account,
  } as object);
  if (made.length > 0) await harness.collection('invoices').insertMany(made as object[]);
  if (entries.length > 0) await harness.collection('journal').insertMany(entries as object[]);
  return { person: { id, role: 'trade' }, invoices: made.map(({ _id, number }) => ({ id: _id, number })) };
}

function invoiceOf(accountId: string, { total, due = 30, status = 'open' }: SomeInvoice, now: Date) {
  const issuedOn = now.toISOString().slice(0, 10);
  const dueAt = new Date(now.getTime() + due * day);
  numbers += 1;
  return {
    ...document,
    _id: newId('inv'),
    number: `INV-2026-${String(numbers).padStart(6, '0')}`,
    accountId,
    status,
    currency: 'EUR',
    buyer,
    seller,
    reference: null,
    orderRef: null,
    lines: [],
    taxes: [],
    subtotal: total,
    tax: 0,
    total,
    reverseCharge: false,
    amountPaid: 0,
    credited: 0,
    balance: status === 'void' ? 0 : total,
    termsDays: 30,
    issuedAt: now,
    issuedOn,
    dueAt,
    dueOn: dueAt.toISOString().slice(0, 10),
    paidAt: null,
    voidedAt: status === 'void' ? now : null,
    payments: [],
    creditNotes: [],
    steps: [],
    nextStepAt: null,
  };
}

type Document = Readonly<Record<string, any>>;

/** Everything of the books that does not add up, as it is stored at one moment; nothing where all is well. */
export async function findImbalances(harness: Harness): Promise<string[]> {
  const [accounts, invoices, payments, journal] = await atOneMoment(harness);
  return [
    ...accounts.flatMap((account) => ofAccount(account, { invoices, payments, journal })),
    ...invoices.flatMap((invoice) => ofInvoice(invoice, payments)),
    ...payments.flatMap(ofPayment),
  ];
}

async function atOneMoment(harness: Harness): Promise<[Document[], Document[], Document[], Document[]]> {
  const session = harness.connection.getClient().startSession({ snapshot: true });
  try {
    const read = (name: string) => harness.collection(name).find({}, { session }).toArray();
    return [await read('accounts'), await read('invoices'), await read('payments'), await read('journal')];
  } finally {
    await session.endSession();
  }
}

const sumOf = (items: readonly Document[], amountOf: (item: Document) => number) =>
  items.reduce((sum, item) => sum + amountOf(item), 0);

function differing(what: string, sums: Readonly<Record<string, number>>): string[] {
  const [first, ...others] = Object.values(sums);
  return others.every((sum) => sum === first) ? [] : [`${what}: ${JSON.stringify(sums)}`];
}

function ofAccount(
  { _id, outstanding, unused, entries }: Document,
  all: { invoices: readonly Document[]; payments: readonly Document[]; journal: readonly Document[] },
): string[] {
  const own = (items: readonly Document[]) => items.filter(({ accountId }) => accountId === _id);
  const invoices = own(all.invoices).filter(({ status }) => status !== 'void');
  const payments = own(all.payments).filter(({ unallocatedReason }) => unallocatedReason === null);
  const journal = own(all.journal).toSorted((a, b) => a['sequence'] - b['sequence']);
  let balance = 0;
  return [
    ...differing(`${_id} balance`, {
      journal: sumOf(journal, ({ amount }) => amount),
      account: outstanding - unused,
    }),
    ...differing(`${_id} outstanding`, { outstanding, invoices: sumOf(invoices, (invoice) => invoice['balance']) }),
    ...differing(`${_id} unused`, { unused, payments: sumOf(payments, ({ remainder }) => remainder) }),
    ...differing(`${_id} entries`, { entries, journal: journal.length, last: journal.at(-1)?.['sequence'] ?? 0 }),
    ...journal.flatMap((entry) => {
      balance += entry['amount'];
      return differing(`${entry['_id']} balance`, { stated: entry['balance'], added: balance });
    }),
  ];
}

function ofInvoice({ _id, ...invoice }: Document, payments: readonly Document[]): string[] {
  const allocated = payments.flatMap(({ allocations }) =>
    (allocations as Document[]).filter(({ invoiceId }) => invoiceId === _id),
  );
  const paid = sumOf(invoice['payments'], ({ amount }) => amount);
  const isVoid = invoice['status'] === 'void';
  return [
    ...differing(`${_id} total`, {
      total: invoice['total'],
      parts: isVoid ? invoice['total'] : invoice['credited'] + invoice['amountPaid'] + invoice['balance'],
    }),
    ...differing(`${_id} paid`, {
      amountPaid: invoice['amountPaid'],
      payments: paid,
      allocations: sumOf(allocated, ({ amount }) => amount),
    }),
    ...(invoice['balance'] < 0 ? [`${_id} has a balance below 0`] : []),
    ...(!isVoid && (invoice['balance'] === 0) !== (invoice['status'] === 'paid') ? [`${_id} has a wrong status`] : []),
  ];
}

function ofPayment({ _id, received, worth, allocations, remainder, receipts }: Document): string[] {
  const counted = sumOf(receipts, ({ succeeded, refunded, disputed }) =>
    Math.max(0, succeeded - refunded - Math.max(0, disputed)),
  );
  const held = remainder + sumOf(allocations, ({ amount }) => amount);
  return [
    ...differing(`${_id} received`, { received, receipts: counted }),
    ...differing(`${_id} held`, { held, worth: worth ? Math.round((worth.amount * received) / worth.of) : received }),
    ...(remainder < 0 ? [`${_id} has a remainder below 0`] : []),
  ];
}
