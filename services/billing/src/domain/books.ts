import type { StateOf } from '@storefront/contracts';
import { z } from 'zod';
import { settled, owedOf, withoutPayment } from './balance.ts';
import type { Account } from './account.ts';
import { withWarning } from './credit.ts';
import type { Invoice } from './invoice.ts';
import type { Payment } from './payment.ts';

/**
 * The documents of one account that a change of money needs. Only the functions below move money between payments and
 * invoices, so that no money is lost. These sums always agree: the received amount of a payment is its allocations and
 * its remainder; the paid amount of an invoice is all allocations to the invoice; the account's `outstanding` is the
 * sum of the balances; the account's `unused` is the sum of the remainders.
 */
export interface Books {
  readonly account: Account;
  readonly invoices: ReadonlyMap<string, Invoice>;
  readonly payments: ReadonlyMap<string, Payment>;
  /** The new entries of the journal. */
  readonly entries: readonly Entry[];
}

/** A line in the journal of an account: one change of the balance. An entry is never changed later. */
export const entry = z.object({
  accountId: z.string(),
  /** 1 for the first entry of the account. */
  sequence: z.int(),
  /** Never earlier than the time of the entry before. */
  at: z.date(),
  kind: z.enum(['invoice', 'void', 'credit-note', 'payment', 'refund']),
  /** The id of the invoice, credit note or payment. */
  id: z.string(),
  /** The number of the invoice or credit note; null for money. */
  number: z.string().nullable(),
  /** The change of the balance; below 0 for credit notes and payments. */
  amount: z.int(),
  /** The balance after this entry: the outstanding amount less the credit. */
  balance: z.int(),
});
export type Entry = StateOf<typeof entry>;

/**
 * Adds an entry to the journal, with the difference between the balances of `before` and `after`. This is the last step
 * of each change of money. It also decides whether the account gets a warning about its limit. Money of an order that has
 * paid its invoice, or went back, has an entry of its own.
 */
export function entered(
  before: Books,
  after: Books,
  { kind, id, number }: Pick<Entry, 'kind' | 'id' | 'number'>,
  now: Date,
): Books {
  const { account } = after;
  const at = account.lastEntryAt !== null && account.lastEntryAt > now ? account.lastEntryAt : now;
  let balance = before.account.outstanding - before.account.unused;
  const change = account.outstanding - account.unused - balance;
  const ofOrders = orderMoney(before, after);
  const amount = ofOrders.reduce((rest, each) => rest - each.amount, change);
  const entries = [{ kind, id, number, amount }, ...ofOrders].map((each, index): Entry => {
    balance += each.amount;
    return { ...each, accountId: account.id, sequence: account.entries + index + 1, at, balance };
  });
  return {
    ...after,
    account: withWarning({ ...account, entries: account.entries + entries.length, lastEntryAt: at }),
    entries: [...after.entries, ...entries],
  };
}

/** By how much less is owed because payments of orders have paid their invoices, or more because their money went back. */
function orderMoney(before: Books, after: Books): readonly Pick<Entry, 'kind' | 'id' | 'number' | 'amount'>[] {
  return [...after.invoices.values()].flatMap((invoice) => {
    if (!invoice.isPrepaid) return [];
    const paidBefore = before.invoices.get(invoice.id)?.payments ?? [];
    const ids = new Set([...paidBefore, ...invoice.payments].map(({ paymentId }) => paymentId));
    return [...ids].flatMap((id) => {
      const amount = paidWith(paidBefore, id) - paidWith(invoice.payments, id);
      if (amount === 0) return [];
      return [{ kind: amount < 0 ? ('payment' as const) : ('refund' as const), id, number: null, amount }];
    });
  });
}

function paidWith(payments: Invoice['payments'], id: string): number {
  return payments.reduce((sum, { paymentId, amount }) => (paymentId === id ? sum + amount : sum), 0);
}

/** An amount that moved from a payment to an invoice, or back from the invoice to the payment. */
export interface Moved {
  readonly invoiceId: string;
  readonly amount: number;
}

/** Pays the invoices from the payment's remainder, the oldest due date first, until the remainder is used up. */
export function pay(
  books: Books,
  paymentId: string,
  invoiceIds: readonly string[],
  now: Date,
): { readonly books: Books; readonly moved: readonly Moved[] } {
  let payment = paymentIn(books, paymentId);
  const invoices = new Map(books.invoices);
  const moved: Moved[] = [];
  for (const invoice of byDueDate(invoiceIds.map((id) => invoiceIn(books, id)))) {
    const amount = Math.min(owedOf(invoice), payment.remainder);
    if (amount === 0) continue;
    invoices.set(
      invoice.id,
      settled(invoice, { payments: [...invoice.payments, { paymentId, amount, at: now }] }, now),
    );
    payment = allocated(payment, invoice.id, amount, now);
    moved.push({ invoiceId: invoice.id, amount });
  }
  return { books: balanced(books, { invoices, payments: [payment] }), moved };
}

/** Pays the invoice from the account's credit: from the remainders of the payments in `books`, in their order. */
export function payFromCredit(books: Books, invoiceId: string, now: Date): Books {
  let after = books;
  for (const { id, remainder } of books.payments.values())
    if (remainder > 0 && owedOf(invoiceIn(after, invoiceId)) > 0) after = pay(after, id, [invoiceId], now).books;
  return after;
}

/** Adds received money to the payment. The money goes into the payment's remainder. */
export function receive(books: Books, paymentId: string, amount: number, now: Date): Books {
  const payment = paymentIn(books, paymentId);
  const { received, remainder } = payment;
  return balanced(books, {
    payments: [{ ...payment, received: received + amount, remainder: remainder + amount, updatedAt: now }],
  });
}

/**
 * Deducts refunded money from the payment: first from its remainder, then from the invoices that it paid, the latest
 * due date first.
 */
export function takeBack(
  books: Books,
  paymentId: string,
  amount: number,
  now: Date,
): { readonly books: Books; readonly moved: readonly Moved[] } {
  const moved: Moved[] = [];
  let payment = paymentIn(books, paymentId);
  const invoices = new Map(books.invoices);
  const paid = byDueDate(payment.allocations.map(({ invoiceId }) => invoiceIn(books, invoiceId))).toReversed();
  for (const invoice of paid) {
    const missing = amount - payment.remainder;
    if (missing <= 0) break;
    const freed = Math.min(missing, allocationOf(payment, invoice.id));
    invoices.set(invoice.id, freedOf(invoice, paymentId, freed, now));
    payment = allocated(payment, invoice.id, -freed, now);
    moved.push({ invoiceId: invoice.id, amount: freed });
  }
  if (payment.remainder < amount) throw new RangeError(`${paymentId} did not receive so much`);
  payment = { ...payment, received: payment.received - amount, remainder: payment.remainder - amount, updatedAt: now };
  return { books: balanced(books, { invoices, payments: [payment] }), moved };
}

/**
 * Replaces the credit notes of an invoice. If more was paid than the remaining total, the excess returns to the
 * remainders of the payments, the newest first; but what was paid with the order goes back to the buyer. `books` must
 * contain all payments that paid the invoice.
 */
export function credit(books: Books, invoiceId: string, creditNotes: Invoice['creditNotes'], now: Date): Books {
  const invoice = invoiceIn(books, invoiceId);
  const payments: Payment[] = [];
  const credited = creditNotes.reduce((sum, { total }) => sum + total, 0);
  let excess = credited + invoice.amountPaid - invoice.total;
  let paid = invoice.payments;
  for (const paymentId of new Set(invoice.payments.toReversed().map((each) => each.paymentId))) {
    const freed = Math.min(Math.max(excess, 0), paidWith(invoice.payments, paymentId));
    if (freed === 0) continue;
    excess -= freed;
    paid = withoutPayment(paid, paymentId, freed);
    if (!invoice.isPrepaid) payments.push(allocated(paymentIn(books, paymentId), invoiceId, -freed, now));
  }
  const after = settled(invoice, { creditNotes, payments: paid }, now);
  return balanced(books, { invoices: new Map(books.invoices).set(invoiceId, after), payments });
}

/** Adds a new invoice, or replaces an invoice that is now void. */
export function withInvoice(books: Books, invoice: Invoice): Books {
  return balanced(books, { invoices: new Map(books.invoices).set(invoice.id, invoice), payments: [] });
}

/** Adds a payment of the account, or replaces one. A replacement must have the same amounts as before. */
export function withPaymentOf(books: Books, payment: Payment): Books {
  return balanced(books, { payments: [payment] });
}

/** Returns the books with changed invoices and payments, and calculates the sums of the account anew. */
function balanced(
  books: Books,
  change: { readonly invoices?: ReadonlyMap<string, Invoice>; readonly payments: readonly Payment[] },
): Books {
  const invoices = change.invoices ?? books.invoices;
  const payments = new Map(books.payments);
  for (const payment of change.payments) payments.set(payment.id, payment);
  const { account } = books;
  return {
    ...books,
    invoices,
    payments,
    account: {
      ...account,
      outstanding: account.outstanding + sumOf(invoices, owedOf) - sumOf(books.invoices, owedOf),
      unused: account.unused + sumOf(payments, unusedOf) - sumOf(books.payments, unusedOf),
      overdueInvoices: account.overdueInvoices.filter((id) => {
        const invoice = invoices.get(id);
        return !invoice || owedOf(invoice) > 0;
      }),
    },
  };
}

/** The part of a payment that is credit of the account. Money of unknown purpose is not credit. */
function unusedOf({ remainder, accountId, unallocatedReason }: Payment): number {
  return accountId === null || unallocatedReason !== null ? 0 : remainder;
}

function sumOf<Item>(items: ReadonlyMap<string, Item>, amountOf: (item: Item) => number): number {
  let sum = 0;
  for (const item of items.values()) sum += amountOf(item);
  return sum;
}

function freedOf(invoice: Invoice, paymentId: string, amount: number, now: Date): Invoice {
  return settled(invoice, { payments: withoutPayment(invoice.payments, paymentId, amount) }, now);
}

/** Moves `amount` from the payment's remainder to the invoice; a negative amount moves money back to the remainder. */
function allocated(payment: Payment, invoiceId: string, amount: number, now: Date): Payment {
  const others = payment.allocations.filter((allocation) => allocation.invoiceId !== invoiceId);
  const sum = allocationOf(payment, invoiceId) + amount;
  return {
    ...payment,
    allocations: sum > 0 ? [...others, { invoiceId, amount: sum }] : others,
    remainder: payment.remainder - amount,
    updatedAt: now,
  };
}

function allocationOf({ allocations }: Payment, invoiceId: string): number {
  return allocations.find((allocation) => allocation.invoiceId === invoiceId)?.amount ?? 0;
}

function byDueDate(invoices: readonly Invoice[]): Invoice[] {
  return invoices.toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime() || (a.number < b.number ? -1 : 1));
}

function invoiceIn({ invoices }: Books, id: string): Invoice {
  const invoice = invoices.get(id);
  if (!invoice) throw new Error(`${id} is not in the books that were read`);
  return invoice;
}

function paymentIn({ payments }: Books, id: string): Payment {
  const payment = payments.get(id);
  if (!payment) throw new Error(`${id} is not in the books that were read`);
  return payment;
}
