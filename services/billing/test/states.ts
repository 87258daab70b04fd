import type { Fact } from '@storefront/contracts';
import type { Account } from '../src/accounts/domain/account.ts';
import type { Books } from '../src/books/domain/books.ts';
import type { Shop } from '../src/domain/shop.ts';
import type { Invoice } from '../src/invoices/domain/invoice.ts';
import { draftOf, issueInvoice } from '../src/invoices/domain/issue-invoice.ts';
import type { GivenLine } from '../src/invoices/domain/sums.ts';
import { emptyPayment } from '../src/payments/domain/payment.ts';
import type { Payment } from '../src/payments/domain/payment.ts';
import { anAccount as approvedAccount, berlin } from './builders.ts';

export const noon = new Date('2026-05-05T10:00:00.000Z');
export const calendar = berlin;

export const shop: Shop = {
  currency: 'EUR',
  seller: { businessName: 'Storefront Ltd', address: 'Marktplatz 5', country: 'DE', vatNumber: 'DE987654321' },
  bank: null,
  defaultLimit: 500_000,
  defaultTermsDays: 30,
  defaultTaxRate: 19,
};

/** An approved account that owes nothing; the same one each time. */
export function anAccount(change: Partial<Account> = {}): Account {
  return approvedAccount({ id: 'user_buyer', createdAt: noon, updatedAt: noon, ...change });
}

export function aPayment(change: Partial<Payment> = {}): Payment {
  return { ...emptyPayment('pay_1', 'demo', 'EUR', noon), accountId: 'user_buyer', ...change };
}

export function someBooks(account: Account = anAccount()): Books {
  return { account, invoices: new Map(), payments: new Map(), entries: [] };
}

/** The books after an invoice for these lines was issued. */
export function withIssued(
  books: Books,
  lines: readonly GivenLine[],
  { id = 'inv_1', number = 'INV-2026-000001', at = noon, termsDays = null as number | null } = {},
): { readonly books: Books; readonly invoice: Invoice; readonly facts: readonly Fact[] } {
  const asked = { id, accountId: books.account.id, lines, termsDays, reference: null, orderRef: null };
  return issueInvoice(books, asked, draftOf(books.account, lines, shop), { number, at, shop, calendar });
}
