import { audited, changed, unchanged, type Actor, type Decision } from '@storefront/contracts';
import type { Account } from '../../domain/account.ts';
import { warningFacts, withWarning } from '../../domain/credit.ts';
import type { Shop } from '../../domain/shop.ts';

/** A trade account as an event of identity has it. */
export interface PublishedAccount {
  readonly id: string;
  /** Of two events about one account, the one with the higher sequence is newer. */
  readonly sequence: number;
  readonly isOpen: boolean;
  /** It was approved at some time; false where that is unknown, as long as its application may still be decided. */
  readonly wasApproved: boolean;
  /** Its country is missing where identity does not know it yet. */
  readonly business?:
    | {
        readonly name: string;
        readonly address: string;
        readonly vatNumber: string | null;
        readonly country?: string | null | undefined;
      }
    | undefined;
}

/**
 * The account as identity has published it. An approved account that is new gets the credit that the shop grants to new accounts.
 * Without the country of its business, which stands on each invoice, no account is made. An event that is not newer changes nothing.
 */
export function keepAccount(
  current: Account | null,
  { id, sequence, isOpen, wasApproved, business }: PublishedAccount,
  shop: Shop,
  now: Date,
): Decision<Account, null> {
  if (current && (current.sequence >= sequence || current.erasedAt !== null)) return unchanged(null);
  const buyer = business?.country && {
    businessName: business.name,
    address: business.address,
    country: business.country,
    vatNumber: business.vatNumber,
  };
  if (current)
    return changed({ ...current, isOpen, buyer: buyer || current.buyer, sequence, updatedAt: now }, [], null);
  if (!buyer || !wasApproved) return unchanged(null);
  return changed(
    {
      id,
      isOpen,
      buyer,
      limit: shop.defaultLimit,
      termsDays: shop.defaultTermsDays,
      hold: false,
      overdueInvoices: [],
      outstanding: 0,
      unused: 0,
      entries: 0,
      lastEntryAt: null,
      isWarned: false,
      sequence,
      erasedAt: null,
      createdAt: now,
      updatedAt: now,
    },
    [],
    null,
  );
}

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

/** The account of a user who was erased: it is shown no more and gets no invoices, but its invoices can still be paid. */
export function eraseAccount(account: Account | null, now: Date): Decision<Account, null> {
  if (!account || account.erasedAt !== null) return unchanged(null);
  return changed({ ...account, isOpen: false, erasedAt: now, updatedAt: now }, [], null);
}
