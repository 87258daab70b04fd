import type { billingEvents, billingHttp } from '@storefront/contracts';

/**
 * The whole content of a statement of account. Amounts are in minor units of `currency`; a balance above 0 is owed by
 * the buyer.
 */
export interface StatementDocument {
  readonly buyer: billingEvents.DocumentParty;
  readonly seller: billingEvents.DocumentParty;
  readonly currency: string;
  /** The first day, in the shop's time zone. */
  readonly from: string;
  /** The day after the last day. */
  readonly to: string;
  /**
   * When the statement was made: the time, and its day in the shop's time zone. `ageing` shows the state at this time.
   */
  readonly madeAt: string;
  readonly madeOn: string;
  /** The balance before the first entry. */
  readonly opening: number;
  readonly entries: readonly StatementEntry[];
  /** The balance after the last entry. */
  readonly closing: number;
  /** The owed amounts by how long they are overdue, and the credit: the amount that was paid beyond what was owed. */
  readonly ageing: Readonly<Record<keyof billingHttp.StatementBody['ageing'], number>>;
}

export interface StatementEntry {
  readonly on: string;
  readonly kind: billingHttp.StatementBody['entries'][number]['kind'];
  /** The number of the invoice or credit note; null for payments and refunds. */
  readonly number: string | null;
  /** The id of the invoice, credit note or payment. */
  readonly id: string;
  /** The change of the balance: below 0 for credit notes and payments. */
  readonly amount: number;
  /** The balance after this entry. */
  readonly balance: number;
}
