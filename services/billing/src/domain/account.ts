import type { StateOf } from '@storefront/contracts';
import { z } from 'zod';

/** A business as it is printed on a document. */
export const party = z.object({
  businessName: z.string(),
  address: z.string(),
  /** ISO 3166-1 alpha-2. */
  country: z.string(),
  vatNumber: z.string().nullable(),
});
export type Party = StateOf<typeof party>;

/**
 * A trade account: a copy of the data that identity publishes, the terms that staff grant, and the amount
 * owed. Every change of the account's money also writes this document, so that two changes of one account never
 * overlap. Amounts are in minor units of the shop's currency.
 */
export const account = z.object({
  /** The user's id. */
  id: z.string(),
  /** True if the account is approved and not suspended. */
  isOpen: z.boolean(),
  buyer: party,
  /** The largest amount that the account may owe; null for no limit. */
  limit: z.int().nullable(),
  termsDays: z.int(),
  /** True if staff have put the account on hold. */
  hold: z.boolean(),
  /**
   * The ids of the invoices that have been overdue for 30 days or more. They put the account on hold. Staff
   * who lifts the hold empties this list.
   */
  overdueInvoices: z.array(z.string()),
  /** The sum of the balances of all invoices of the account. */
  outstanding: z.int(),
  /** The sum of the orders on account that have no invoice yet. They count as owed. */
  reserved: z.int(),
  /** The account's credit: the part of its payments that has not paid any invoice. */
  unused: z.int(),
  /** The number of entries in the account's journal. */
  entries: z.int(),
  /** When the last journal entry was made. */
  lastEntryAt: z.date().nullable(),
  /** True if the warning about the limit has been published. */
  isWarned: z.boolean(),
  /** The sequence of the newest event of identity about the account. */
  sequence: z.int(),
  /** When the user was erased. From then on nothing of the account is shown. */
  erasedAt: z.date().nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
});
export type Account = StateOf<typeof account>;
