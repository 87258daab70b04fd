import { audited, changed, unchanged, type Actor, type Decision } from '@storefront/contracts';
import type { Account } from '../../domain/account.ts';
import { warningFacts, withWarning } from '../../domain/credit.ts';
import type { Shop } from '../../domain/shop.ts';

/** A trade account as an event of identity describes it. */
export interface PublishedAccount {
  readonly id: string;
  /** Of two events about one account, the one with the higher sequence is newer. */
  readonly sequence: number;
  readonly isOpen: boolean;
  /**
   * Whether the account was ever approved. Also false if this is not known and the application may still be decided.
   */
  readonly wasApproved: boolean;
  readonly business: {
    readonly name: string;
    readonly address: string;
    readonly vatNumber: string | null;
    /** null if identity does not know the country yet. */
    readonly country: string | null;
  };
}

/**
 * Updates the account from an event of identity, or creates it for an approved business, with the shop's default
 * credit. An account is created only if the country of the business is known, because every invoice names the country.
 * An event that is not newer than the account changes nothing.
 */
export function keepAccount(
  current: Account | null,
  { id, sequence, isOpen, wasApproved, business }: PublishedAccount,
  shop: Shop,
  now: Date,
): Decision<Account, null> {
  if (current && (current.sequence >= sequence || current.erasedAt !== null)) return unchanged(null);
  const buyer = business.country && {
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
      reserved: 0,
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

/** What staff grant an account. `limit` is in minor units; null for any amount. */
export interface CreditTerms {
  readonly limit: number | null;
  readonly termsDays: number;
  readonly hold: boolean;
}

/** Returns the account with other terms. If `hold` is false, the hold for overdue invoices ends too. */
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

/** Marks the account as erased. It is no longer shown and gets no new invoices, but its invoices can still be paid. */
export function eraseAccount(account: Account | null, now: Date): Decision<Account, null> {
  if (!account || account.erasedAt !== null) return unchanged(null);
  return changed({ ...account, isOpen: false, erasedAt: now, updatedAt: now }, [], null);
}
