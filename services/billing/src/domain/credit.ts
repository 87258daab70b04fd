import { billingEvents, fact, type Fact } from '@storefront/contracts';
import type { Account } from './account.ts';

/** Why an account gets no invoice: it is not open, it is on hold, or the invoice would exceed its limit. */
export type CreditRefusal = 'closed' | 'hold' | 'limit';

export type HoldReason = 'suspended' | 'administrator' | 'overdue';

/**
 * What counts as owed: the balances of the account's invoices, and the orders that are to be invoiced, less its credit.
 * Below 0 if the credit is larger.
 */
function owedBy({ outstanding, reserved, unused }: Pick<Account, 'outstanding' | 'reserved' | 'unused'>): number {
  return outstanding + reserved - unused;
}

/** Reserves so much more credit for orders that are to be invoiced; less, if `amount` is below 0. */
export function withReserved(account: Account, amount: number): Account {
  return withWarning({ ...account, reserved: account.reserved + amount });
}

/** The amount that may still be invoiced; null for no limit. */
export function availableOf(account: Account): number | null {
  return account.limit === null ? null : Math.max(0, account.limit - owedBy(account));
}

/** Why the account gets no invoices at all at the moment, whatever the total; null if it gets invoices. */
export function holdReasonOf({ isOpen, hold, overdueInvoices }: Account): HoldReason | null {
  if (!isOpen) return 'suspended';
  if (hold) return 'administrator';
  return overdueInvoices.length > 0 ? 'overdue' : null;
}

/** Why the account gets no invoice with this total; null if it gets one. */
export function creditRefusalOf(account: Account, total: number): CreditRefusal | null {
  const reason = holdReasonOf(account);
  if (reason !== null) return reason === 'suspended' ? 'closed' : 'hold';
  return account.limit !== null && owedBy(account) + total > account.limit ? 'limit' : null;
}

/** Sets `isWarned` anew: it becomes true at 80 % of the limit, and false again when less than 70 % is owed. */
export function withWarning(account: Account): Account {
  const { limit, isWarned } = account;
  const owed = owedBy(account);
  const isReached = limit !== null && owed > 0 && owed * 10 >= limit * 8;
  const isKept = limit !== null && owed > 0 && owed * 10 >= limit * 7;
  return { ...account, isWarned: isWarned ? isKept : isReached };
}

/** The event that warns of the limit, if `after` has reached 80 % of the limit and `before` had not. */
export function warningFacts(before: Account, after: Account, currency: string): readonly Fact[] {
  const { id, limit, outstanding, reserved } = after;
  if (before.isWarned || !after.isWarned || limit === null) return [];
  return [fact(billingEvents.creditWarning, id, { currency, limit, outstanding: outstanding + reserved })];
}
