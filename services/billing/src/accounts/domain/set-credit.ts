import { audited, changed, unchanged, type Actor, type Decision } from '@storefront/contracts';
import { warningFacts, withWarning } from './credit.ts';
import type { Account } from './account.ts';

/** What an administrator grants an account. `limit` is in minor units; null for any amount. */
export interface CreditTerms {
  readonly limit: number | null;
  readonly termsDays: number;
  readonly hold: boolean;
}

/** The account with other terms. Without a hold, invoices that are overdue already hold it no more. */
export function setCredit(
  account: Account,
  { limit, termsDays, hold }: CreditTerms,
  { admin, currency, now }: { readonly admin: Actor; readonly currency: string; readonly now: Date },
): Decision<Account, Account> {
  const isSame =
    limit === account.limit &&
    termsDays === account.termsDays &&
    hold === account.hold &&
    (hold || account.overdueInvoices.length === 0);
  if (isSame) return unchanged(account);
  const overdueInvoices = hold ? account.overdueInvoices : [];
  const after = withWarning({ ...account, limit, termsDays, hold, overdueInvoices, updatedAt: now });
  const audit = audited('billing', admin, 'credit-set', {
    object: { type: 'trade-account', id: account.id },
    about: account.id,
    details: { limit, currency, termsDays, hold, limitBefore: account.limit },
  });
  return changed(after, [audit, ...warningFacts(account, after, currency)]);
}
