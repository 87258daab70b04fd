import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { stated, statementKinds, type Stated } from '../../../test/states.ts';
import type { Account } from '../../domain/account.ts';
import type { Books } from '../../domain/books.ts';
import type { Invoice } from '../../domain/invoice.ts';
import type { Payment } from '../../domain/payment.ts';
import { newPaymentOf } from '../../domain/provider-fact.ts';
import { receivedOf, statusOf, withFact, worthOf } from '../../domain/receipts.ts';
import { placePayment, settlePayment } from './settle-payment.ts';

const now = new Date('2026-11-21T12:00:00.000Z');
const party = { businessName: 'Teahaus', address: 'Berlin', country: 'DE', vatNumber: null };

function invoiceOf(name: string, total: number, dueOn: string, status: Invoice['status'] = 'open'): Invoice {
  return {
    id: name,
    number: name,
    accountId: 'user_1',
    status,
    currency: 'EUR',
    buyer: party,
    seller: party,
    reference: null,
    orderRef: null,
    taxTreatment: 'domestic',
    reverseCharge: false,
    isPrepaid: false,
    lines: [],
    taxes: [],
    subtotal: total,
    tax: 0,
    total,
    amountPaid: 0,
    credited: 0,
    balance: total,
    termsDays: 30,
    issuedAt: now,
    issuedOn: '2026-11-21',
    dueAt: new Date(`${dueOn}T23:00:00.000Z`),
    dueOn,
    paidAt: null,
    voidedAt: null,
    payments: [],
    creditNotes: [],
    steps: [],
    nextStepAt: null,
  };
}

function booksOf(...invoices: readonly Invoice[]): Books {
  const outstanding = invoices.reduce((sum, { status, balance }) => sum + (status === 'void' ? 0 : balance), 0);
  const account: Account = {
    id: 'user_1',
    isOpen: true,
    buyer: party,
    limit: null,
    termsDays: 30,
    hold: false,
    overdueInvoices: [],
    outstanding,
    reserved: 0,
    unused: 0,
    entries: 0,
    lastEntryAt: null,
    isWarned: false,
    sequence: 1,
    erasedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  return { account, invoices: new Map(invoices.map((each) => [each.id, each])), payments: new Map(), entries: [] };
}

const captured = { kind: 'captured' } as const;
const open = () => [invoiceOf('inv_b', 500, '2026-12-02'), invoiceOf('inv_a', 300, '2026-12-01')];
const waiting = (currency = 'EUR'): Payment => ({
  ...newPaymentOf('demo', stated({ ...captured, amount: 0, currency }), now),
  accountId: 'user_1',
  invoiceIds: ['inv_b', 'inv_a'],
});

function after(books: Books, payment: Payment, given: Stated) {
  const fact = stated(given);
  const wentBack = fact.kind === 'disputed' ? 'dispute' : 'refund';
  const receipts = withFact(payment.receipts, fact);
  const settled = settlePayment(books, { ...payment, receipts }, { currency: 'EUR', wentBack, now });
  const next = settled.books.payments.get(payment.id);
  if (!next) throw new Error('the payment is not in the books');
  return { ...settled, payment: next };
}

/** What does not add up. */
function expectBalanced({ account, invoices, payments, entries }: Books, start: Books): void {
  const all = [...invoices.values()];
  expect(account.outstanding).toBe(
    all.reduce((sum, { status, balance }) => sum + (status === 'void' ? 0 : balance), 0),
  );
  const credit = [...payments.values()].filter(({ unallocatedReason }) => unallocatedReason === null);
  expect(account.unused).toBe(credit.reduce((sum, { remainder }) => sum + remainder, 0));
  const moved = entries.reduce((sum, { amount }) => sum + amount, 0);
  expect(account.outstanding - account.unused - start.account.outstanding).toBe(moved);
  for (const payment of payments.values()) {
    const held = payment.remainder + payment.allocations.reduce((sum, { amount }) => sum + amount, 0);
    expect([payment.received, held]).toEqual([receivedOf(payment.receipts), worthOf(payment, payment.received)]);
  }
  for (const invoice of all) {
    const paid = [...payments.values()].flatMap(({ allocations }) =>
      allocations.filter(({ invoiceId }) => invoiceId === invoice.id),
    );
    expect(invoice.amountPaid).toBe(paid.reduce((sum, { amount }) => sum + amount, 0));
    expect(invoice.total).toBe(invoice.credited + invoice.amountPaid + invoice.balance);
  }
}

/** Facts in two orders, some of them more than once. */
const published = fc
  .array(
    fc.record({
      kind: fc.constantFrom(...statementKinds),
      amount: fc.integer({ min: 1, max: 900 }),
      reference: fc.constantFrom('tr_1', 'tr_2', 'tr_3'),
      id: fc.constantFrom('1', '2'),
      at: fc.nat(2),
    }),
    { maxLength: 10 },
  )
  .chain((all) => {
    const more = [...all, ...all.slice(0, 3)];
    return fc.record({ all: fc.constant(all), again: fc.shuffledSubarray(more, { minLength: more.length }) });
  });
const runs = inject('isProof') ? 10_000 : 200;

test.each<[what: string, invoices: () => Invoice[], currency: string]>([
  ['invoices that are open', open, 'EUR'],
  ['void ones', () => open().map((invoice) => ({ ...invoice, status: 'void' as const })), 'EUR'],
  ['open ones in another currency', open, 'USD'],
])('money for %s comes to the same in any order, and adds up at any moment', (_what, invoices, currency) => {
  fc.assert(
    fc.property(published, ({ all, again }) => {
      const ends = [all, again].map((order) => {
        const start = booksOf(...invoices());
        let [books, payment] = [start, waiting(currency)];
        for (const fact of order) {
          ({ books, payment } = after(books, payment, { ...fact, currency }));
          expectBalanced(books, start);
        }
        const balances = [...books.invoices.values()].map(({ balance, status }) => [balance, status]);
        const sums = [books.account.outstanding, books.account.unused];
        return { payment, balances, sums };
      });
      expect(ends[1]).toEqual(ends[0]);
    }),
    { numRuns: runs },
  );
});

test('money pays the oldest due first, and what goes back is taken from the youngest due', () => {
  const came = after(booksOf(...open()), waiting(), { ...captured, amount: 600 });
  expect(came.payment.allocations).toEqual([
    { invoiceId: 'inv_a', amount: 300 },
    { invoiceId: 'inv_b', amount: 300 },
  ]);
  expect(came.facts.map(({ type, subject }) => [type, subject])).toEqual([
    ['billing.invoice-balance-changed', 'inv_b'],
    ['billing.invoice-balance-changed', 'inv_a'],
    ['billing.invoice-paid', 'inv_a'],
    ['billing.payment-received', came.payment.id],
  ]);
  const back = after(came.books, came.payment, { kind: 'disputed', amount: 400 });
  expect(back.payment.allocations).toEqual([{ invoiceId: 'inv_a', amount: 200 }]);
  expect(back.facts).toMatchObject([
    { subject: 'inv_b', data: { delta: 300, balance: 500, reason: 'refunded' } },
    { subject: 'inv_a', data: { delta: 100, balance: 100, reason: 'refunded' } },
    {
      type: 'billing.payment-refunded',
      data: { kind: 'dispute', amount: 400, credit: 0, allocations: [{ number: 'inv_b' }, { number: 'inv_a' }] },
    },
  ]);
  const won = after(back.books, back.payment, { kind: 'won', amount: 400 });
  expect(won.payment).toMatchObject({ status: 'succeeded', received: 600, remainder: 0 });
  expect(won.books.entries.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['payment', -600],
    ['refund', 400],
    ['payment', -400],
  ]);
});

test('money for a void invoice and for one that is owed pays the latter', () => {
  const [owed, other] = open() as [Invoice, Invoice];
  const came = after(booksOf(owed, { ...other, status: 'void' }), waiting(), { ...captured, amount: 600 });
  expect(came.payment).toMatchObject({
    status: 'succeeded',
    unallocatedReason: null,
    allocations: [{ invoiceId: 'inv_b', amount: 500 }],
    remainder: 100,
  });
});

test('money for void invoices alone is kept apart, and published once; what of it goes back is published', () => {
  const books = booksOf(...open().map((invoice) => ({ ...invoice, status: 'void' as const })));
  const came = after(books, waiting(), { ...captured, amount: 600 });
  expect(came.payment).toMatchObject({ status: 'unallocated', unallocatedReason: 'invoice_void', remainder: 600 });
  const more = after(came.books, came.payment, { ...captured, amount: 50, reference: 'tr_2' });
  expect(more.facts).toMatchObject([{ type: 'billing.payment-unallocated', data: { amount: 50 } }]);
  const back = after(more.books, more.payment, { kind: 'disputed', amount: 150 });
  expect(back.payment).toMatchObject({ status: 'unallocated', received: 500, refunded: 150, remainder: 500 });
  expect(back.facts).toMatchObject([
    { type: 'billing.payment-refunded', data: { kind: 'dispute', amount: 150, allocations: [], credit: 0 } },
  ]);
  const most = after(back.books, back.payment, { kind: 'disputed', amount: 450, id: '2' });
  const none = after(most.books, most.payment, { kind: 'disputed', amount: 50, reference: 'tr_2' });
  expect(none.payment).toMatchObject({ status: 'disputed', remainder: 0, unallocatedReason: null });
});

test('money for an erased account pays what it owes, and is kept apart where it owes nothing', () => {
  const erased = (...invoices: readonly Invoice[]): Books => {
    const books = booksOf(...invoices);
    return { ...books, account: { ...books.account, erasedAt: now } };
  };
  expect(after(erased(...open()), waiting(), { ...captured, amount: 300 }).payment).toMatchObject({
    status: 'succeeded',
    allocations: [{ invoiceId: 'inv_a', amount: 300 }],
  });
  const paid = open().map((invoice) => ({
    ...invoice,
    status: 'paid' as const,
    amountPaid: invoice.total,
    balance: 0,
  }));
  expect(after(erased(...paid), waiting(), { ...captured, amount: 300 }).payment).toMatchObject({
    status: 'unallocated',
    unallocatedReason: 'account_closed',
  });
});

test('the status says what a provider stated about money that is not there', () => {
  const published = (...facts: readonly Stated[]) =>
    statusOf({ receipts: facts.map(stated).reduce(withFact, []), unallocatedReason: null });
  expect(published()).toBe('pending');
  expect(published({ kind: 'failed', amount: 5 })).toBe('failed');
  expect(published({ ...captured, amount: 5 }, { kind: 'failed', amount: 5 })).toBe('succeeded');
  expect(published({ kind: 'refunded', amount: 5 })).toBe('pending');
  expect(published({ kind: 'refunded', amount: 5 }, { ...captured, amount: 5 })).toBe('refunded');
  expect(published({ ...captured, amount: 5 }, { kind: 'disputed', amount: 5 })).toBe('disputed');
  expect(published({ ...captured, amount: 5 }, { kind: 'disputed', amount: 4 })).toBe('succeeded');
});

test('credit that money had before pays too, and is not published as credit again', () => {
  const came = after(booksOf(...open()), { ...waiting(), invoiceIds: ['inv_a'] }, { ...captured, amount: 500 });
  expect(came.facts.at(-1)).toMatchObject({ data: { amount: 500, credit: 200 } });
  const more = after(came.books, { ...came.payment, invoiceIds: ['inv_a', 'inv_b'] }, { ...captured, amount: 550 });
  expect(more.payment).toMatchObject({ remainder: 0 });
  expect(more.facts.at(-1)).toMatchObject({
    data: { amount: 50, credit: 0, allocations: [{ invoiceId: 'inv_b', amount: 250 }] },
  });
});

test('of money of another currency, a refund takes the same share of what it was worth', () => {
  const start = booksOf(...open());
  const apart = after(start, waiting('USD'), { ...captured, currency: 'USD', amount: 1000 });
  expect(apart.payment).toMatchObject({ status: 'unallocated', unallocatedReason: 'other_currency', remainder: 1000 });
  const worth = { amount: 901, currency: 'EUR', of: 1000 };
  const { books } = placePayment(apart.books, { ...apart.payment, worth }, { wentBack: 'refund', now });
  expectBalanced(books, start);
  const placed = books.payments.get(apart.payment.id);
  if (!placed) throw new Error('the payment is not in the books');
  expect([placed.status, placed.received, placed.remainder]).toEqual(['succeeded', 1000, 101]);
  const half = after(books, placed, { kind: 'refunded', currency: 'USD', amount: 500 });
  expect(half.payment.allocations.reduce((sum, { amount }) => sum + amount, 0)).toBe(451);
  expect(half.facts).toMatchObject([
    { data: { currency: 'EUR', delta: 349 } },
    { data: { currency: 'EUR', amount: 450, credit: 101 } },
  ]);
  expectBalanced(half.books, start);
  const all = after(half.books, half.payment, { kind: 'refunded', currency: 'USD', amount: 500, id: '2' });
  expect(all.payment).toMatchObject({ status: 'refunded', allocations: [], remainder: 0 });
  const failed = after(all.books, all.payment, { kind: 'refund-failed', currency: 'USD', amount: 500, id: '2' });
  expect(failed.payment).toMatchObject({ status: 'succeeded', received: 500 });
  expectBalanced(failed.books, start);
});
