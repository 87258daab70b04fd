import { billingEvents, fact, type Fact } from '@storefront/contracts';
import type { Account } from './account.ts';

/** Why an account gets no invoice: it is not open, it is on hold, or the limit leaves less than the total. */
export type CreditRefusal = 'closed' | 'hold' | 'limit';

export type HoldReason = 'suspended' | 'administrator' | 'overdue';

/** The balances of the account's invoices, less its credit. Below 0 where the credit is larger. */
function owedBy({ outstanding, unused }: Pick<Account, 'outstanding' | 'unused'>): number {
  return outstanding - unused;
}

/** The amount that may still be invoiced; null for any amount. */
export function availableOf(account: Account): number | null {
  return account.limit === null ? null : Math.max(0, account.limit - owedBy(account));
}

/** Why no order of the account is invoiced, whatever its total; null where orders are. */
export function holdReasonOf({ isOpen, hold, overdueInvoices }: Account): HoldReason | null {
  if (!isOpen) return 'suspended';
  if (hold) return 'administrator';
  return overdueInvoices.length > 0 ? 'overdue' : null;
}

/** Why the account gets no invoice of that total; null where it does. */
export function creditRefusalOf(account: Account, total: number): CreditRefusal | null {
  const reason = holdReasonOf(account);
  if (reason !== null) return reason === 'suspended' ? 'closed' : 'hold';
  return account.limit !== null && owedBy(account) + total > account.limit ? 'limit' : null;
}

/** The account with `isWarned` as it must be: true from 80 % of its limit on, until less than 70 % is owed. */
export function withWarning(account: Account): Account {
  const { limit, isWarned } = account;
  const owed = owedBy(account);
  const isReached = limit !== null && owed > 0 && owed * 10 >= limit * 8;
  const isKept = limit !== null && owed > 0 && owed * 10 >= limit * 7;
  return { ...account, isWarned: isWarned ? isKept : isReached };
}

/** The warning, where `after` has reached 80 % of its limit and `before` had not. */
export function warningFacts(before: Account, after: Account, currency: string): readonly Fact[] {
  const { id, limit, outstanding } = after;
  if (before.isWarned || !after.isWarned || limit === null) return [];
  return [fact(billingEvents.creditWarning, id, { currency, limit, outstanding })];
}
