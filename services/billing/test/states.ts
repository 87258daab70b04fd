import type { Fact } from '@storefront/contracts';
import type { Account } from '../src/domain/account.ts';
import type { Books } from '../src/domain/books.ts';
import type { Shop } from '../src/domain/shop.ts';
import type { Invoice } from '../src/domain/invoice.ts';
import { draftOf, issueInvoice } from '../src/invoices/domain/issue-invoice.ts';
import type { GivenLine } from '../src/invoices/domain/sums.ts';
import { emptyPayment, type Payment } from '../src/domain/payment.ts';
import type { ProviderFact, Statement } from '../src/domain/provider-fact.ts';
import { anAccount as approvedAccount, berlin } from './builders.ts';

export const noon = new Date('2026-05-05T10:00:00.000Z');
export const calendar = berlin;

export const shop: Shop = {
  currency: 'EUR',
  seller: { businessName: 'Storefront Ltd', address: 'Marktplatz 5', country: 'DE', vatNumber: 'DE987654321' },
  bank: null,
  defaultLimit: 500_000,
  timeZone: 'UTC',
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
  const requested = { id, accountId: books.account.id, lines, termsDays, reference: null, orderRef: null };
  return issueInvoice(books, requested, draftOf(books.account, lines, shop), { number, at, shop, calendar });
}

/** What a provider may state; `won`: a dispute whose money stays here. */
export const statementKinds = ['captured', 'failed', 'refunded', 'refund-failed', 'in-all', 'disputed', 'won'] as const;
type StatementKind = (typeof statementKinds)[number];

export interface Stated {
  readonly kind: StatementKind;
  readonly amount: number;
  readonly reference?: string;
  /** Of the refund or dispute. */
  readonly id?: string;
  readonly at?: number;
  readonly currency?: string;
}

/** A fact as a provider's adapter makes it; of the transfer `tr_1` where none is named. */
export function stated({ reference = 'tr_1', currency = 'EUR', ...given }: Stated): ProviderFact {
  return { paymentId: null, invoiceNumber: null, currency, reference, ...statementOf(given) };
}

function statementOf({ kind, amount, id = '1', at = 0 }: Omit<Stated, 'reference' | 'currency'>): Statement {
  switch (kind) {
    case 'captured':
      return { kind, amount };
    case 'failed':
      return { kind };
    case 'refunded':
    case 'refund-failed':
      return { kind: 'refunded', id, amount, createdAt: 0, failedAt: kind === 'refunded' ? null : at };
    case 'in-all':
      return { kind: 'refunded-in-all', amount, statedAt: at };
    case 'disputed':
      return { kind, id, amount, isTaken: true, isClosed: false, statedAt: at };
    case 'won':
      return { kind: 'disputed', id, amount, isTaken: false, isClosed: true, statedAt: at };
  }
}
