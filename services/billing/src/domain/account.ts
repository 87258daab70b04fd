import type { StateOf } from '@storefront/contracts';
import { z } from 'zod';

/** A business as it stands on a document. */
export const party = z.object({
  businessName: z.string(),
  address: z.string(),
  /** ISO 3166-1 alpha-2. */
  country: z.string(),
  vatNumber: z.string().nullable(),
});
export type Party = StateOf<typeof party>;

/**
 * A trade account: a copy of what identity publishes about it, what administrators grant it, and what it owes. Every change of its
 * money changes it too, so that two changes of one account never overlap. Amounts are in minor units of the shop's currency.
 */
export const account = z.object({
  /** The user's id. */
  id: z.string(),
  /** Approved, and not suspended. */
  isOpen: z.boolean(),
  buyer: party,
  /** How much it may owe; null for any amount. */
  limit: z.int().nullable(),
  termsDays: z.int(),
  /** An administrator holds it. */
  hold: z.boolean(),
  /** The invoices that are overdue for 30 days; an administrator who lifts the hold empties it. */
  overdueInvoices: z.array(z.string()),
  /** The sum of the balances of all its invoices. */
  outstanding: z.int(),
  /** The part of its payments that paid no invoice: its credit. */
  unused: z.int(),
  /** How many entries its journal has. */
  entries: z.int(),
  /** When the last of them was made. */
  lastEntryAt: z.date().nullable(),
  /** The warning about the limit was published. */
  isWarned: z.boolean(),
  /** The sequence of the newest event of identity about it. */
  sequence: z.int(),
  /** When its user was erased: from then on nothing of it is shown. */
  erasedAt: z.date().nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
});
export type Account = StateOf<typeof account>;
