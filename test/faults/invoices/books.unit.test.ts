import { expect, it } from 'vitest';
import { imbalancesOf, wrongBalances, wrongNumbers, type StoredBooks } from './books.ts';

/** An invoice of 100 of which 60 are paid out of a payment of 70. */
const books: StoredBooks = {
  accounts: [{ _id: 'bea', outstanding: 40, unused: 10 }],
  invoices: [
    {
      _id: 'inv',
      number: 'INV-2026-000001',
      accountId: 'bea',
      status: 'open',
      orderRef: null,
      total: 100,
      amountPaid: 60,
      credited: 0,
      balance: 40,
      payments: [{ paymentId: 'pay', amount: 60 }],
      creditNotes: [],
    },
  ],
  payments: [
    {
      _id: 'pay',
      accountId: 'bea',
      received: 70,
      remainder: 10,
      unallocatedReason: null,
      receipts: [{ reference: 'r', succeeded: 80, refunded: 10, disputed: 0 }],
      allocations: [{ invoiceId: 'inv', amount: 60 }],
    },
  ],
  journal: [
    { accountId: 'bea', sequence: 1, amount: 100, balance: 100 },
    { accountId: 'bea', sequence: 2, amount: -80, balance: 20 },
    { accountId: 'bea', sequence: 3, amount: 10, balance: 30 },
  ],
};

it('finds nothing in books that add up', () => {
  expect(imbalancesOf(books)).toEqual([]);
});

it('names each sum that does not add up', () => {
  const [account] = books.accounts;
  const [invoice] = books.invoices;
  const [payment] = books.payments;
  const [entry] = books.journal;
  if (!account || !invoice || !payment || !entry) throw new Error('the books are empty');
  const wrong = (change: Partial<StoredBooks>) => imbalancesOf({ ...books, ...change });

  expect(wrong({ accounts: [{ ...account, outstanding: 41 }] })).toEqual([
    'bea: outstanding is 41, not 40',
    'bea: journal is 30, not 31',
  ]);
  expect(wrong({ accounts: [{ ...account, unused: 9 }] })).toContain('bea: credit is 9, not 10');
  expect(wrong({ invoices: [{ ...invoice, credited: 1 }] })).toEqual([
    'inv: total is 100, not 101',
    'inv: credited is 1, not 0',
  ]);
  expect(wrong({ invoices: [{ ...invoice, payments: [] }] })).toEqual([
    'inv: paid is 60, not 0',
    'pay: paid of inv is 60, not 0',
  ]);
  expect(wrong({ payments: [{ ...payment, received: 71 }] })).toEqual([
    'pay: received is 71, not 70',
    'pay: receipts is 71, not 70',
  ]);
  expect(wrong({ journal: [entry] })).toEqual(['bea: journal is 100, not 30']);
  expect(wrong({ journal: books.journal.map((each) => ({ ...each, sequence: 1 })) })).toEqual(['bea: entries 1 1 1']);
});

it('finds invoices whose changes do not add up to what is owed', () => {
  const changes = (...deltas: readonly number[]) => deltas.map((delta) => ({ invoiceId: 'inv', delta }));
  expect(wrongBalances(books, changes(100, -70, 10))).toEqual([]);
  expect(wrongBalances(books, changes(100))).toEqual(['INV-2026-000001: what events say is owed is 100, not 40']);
  expect(wrongBalances(books, [])).toHaveLength(1);
  const voided = { invoices: books.invoices.map((invoice) => ({ ...invoice, status: 'void' })) };
  expect(wrongBalances(voided, changes(100, -100))).toEqual([]);
});

it('finds numbers that are missing or there twice, in each series by itself', () => {
  expect(wrongNumbers(['INV-2026-000002', 'INV-2026-000001', 'INV-2027-000001', 'CN-2026-000001'])).toEqual([]);
  expect(wrongNumbers(['INV-2026-000001', 'INV-2026-000003'])).toEqual(['INV-2026: 3 in place of 2']);
  expect(wrongNumbers(['INV-2026-000001', 'INV-2026-000001'])).toEqual(['INV-2026: 1 in place of 2']);
});
