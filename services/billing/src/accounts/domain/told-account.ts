import { changed, unchanged, type Decision } from '@storefront/contracts';
import type { Shop } from '../../domain/shop.ts';
import type { Account } from './account.ts';

/** What identity tells of a trade account. */
export interface ToldAccount {
  readonly id: string;
  /** Of two events about one account, the one with the higher sequence is newer. */
  readonly sequence: number;
  readonly isOpen: boolean;
  /** It was approved at some time; false where that is not known, as of one whose application may still be decided. */
  readonly wasApproved: boolean;
  /** Missing in events of an earlier version of identity; its country also where identity does not know it yet. */
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
 * The account as identity tells of it. One that is approved is made, with the credit that the shop grants to new accounts. Without
 * the business and its country nothing could stand on an invoice, so none is made.
 */
export function keepAccount(
  current: Account | null,
  { id, sequence, isOpen, wasApproved, business }: ToldAccount,
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
