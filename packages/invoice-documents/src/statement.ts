import type { billingEvents, billingHttp } from '@storefront/contracts';

/** Everything that stands on a statement of account. Amounts are in minor units of `currency`; above 0 the buyer owes. */
export interface StatementDocument {
  readonly buyer: billingEvents.DocumentParty;
  readonly seller: billingEvents.DocumentParty;
  readonly currency: string;
  /** The first day, in the shop's time zone. */
  readonly from: string;
  /** The day after the last one. */
  readonly to: string;
  /** When it was made, and the day on which that was in the shop's time zone: `ageing` is of that moment. */
  readonly madeAt: string;
  readonly madeOn: string;
  /** The balance before the first entry. */
  readonly opening: number;
  readonly entries: readonly StatementEntry[];
  /** The balance after the last entry. */
  readonly closing: number;
  /** What is owed, by how long it is overdue, and what was paid beyond what was owed. */
  readonly ageing: Readonly<Record<keyof billingHttp.StatementBody['ageing'], number>>;
}

export interface StatementEntry {
  readonly on: string;
  readonly kind: billingHttp.StatementBody['entries'][number]['kind'];
  /** Of the invoice or credit note. */
  readonly number: string | null;
  /** Of the invoice, credit note or payment. */
  readonly id: string;
  /** What it adds to the balance: below 0 for credit notes and payments. */
  readonly amount: number;
  /** After it. */
  readonly balance: number;
}
