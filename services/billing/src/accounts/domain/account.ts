/** A business as it stands on a document. */
export interface Party {
  readonly businessName: string;
  readonly address: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly vatNumber: string | null;
}

/**
 * A trade account: a copy of what identity tells of it, what administrators grant it, and what it owes. Every change of its money
 * changes it too, so that two changes of one account never overlap. Amounts are in minor units of the shop's currency.
 */
export interface Account {
  /** The user's id. */
  readonly id: string;
  /** Approved, and not suspended. */
  readonly isOpen: boolean;
  readonly buyer: Party;
  /** How much it may owe; null for any amount. */
  readonly limit: number | null;
  readonly termsDays: number;
  /** An administrator holds it. */
  readonly hold: boolean;
  /** The invoices that are overdue for 30 days; an administrator who lifts the hold empties it. */
  readonly overdueInvoices: readonly string[];
  /** The balances of all its invoices. */
  readonly outstanding: number;
  /** What of its payments paid no invoice: its credit. */
  readonly unused: number;
  /** How many entries its journal has. */
  readonly entries: number;
  /** When the last of them was made. */
  readonly lastEntryAt: Date | null;
  /** The warning about the limit was told. */
  readonly isWarned: boolean;
  /** The sequence of the newest event of identity about it. */
  readonly sequence: number;
  /** Its user was erased: nothing of it is shown any more. */
  readonly erasedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
