import type { Day } from '@storefront/calendar';
import type { Party } from '../../accounts/domain/account.ts';
import type { TaxTreatment } from '../../accounts/domain/vat.ts';

export type InvoiceStatus = 'open' | 'paid' | 'overdue' | 'void';

/** A line of an invoice or a credit note. Amounts are in minor units. */
export interface Line {
  readonly description: string;
  readonly sku: string | null;
  /** With three decimals at most. */
  readonly quantity: number;
  readonly unitPrice: number;
  /** Taken off the whole line. */
  readonly discount: number;
  /** In per cent, with two decimals at most; 0 where the buyer owes the tax, or none is due. */
  readonly taxRate: number;
  readonly net: number;
}

/** The tax of all lines of one rate. */
export interface TaxRow {
  readonly rate: number;
  readonly base: number;
  readonly amount: number;
}

export interface Sums {
  readonly lines: readonly Line[];
  readonly taxes: readonly TaxRow[];
  readonly subtotal: number;
  readonly tax: number;
  readonly total: number;
}

export interface CreditNote extends Sums {
  readonly id: string;
  readonly number: string;
  readonly issuedAt: Date;
  readonly issuedOn: Day;
  readonly reason: string;
  /** What of each line of the invoice it credits. */
  readonly credits: readonly { readonly line: number; readonly quantity: number; readonly net: number }[];
}

/** What money of a payment paid of an invoice. */
export interface PaidBy {
  readonly paymentId: string;
  readonly amount: number;
  readonly at: Date;
}

/** Something that is done about an unpaid invoice when its time has come. */
export interface Step {
  /** `remind` tells the buyer; `overdue` marks it; `hold` puts the account on hold. */
  readonly kind: 'remind' | 'overdue' | 'hold';
  /** So many days after the day on which it is due. */
  readonly days: number;
  readonly at: Date;
  /** When it was done, or passed over as nothing was owed then. */
  readonly doneAt: Date | null;
}

/** Amounts are in minor units of `currency`. */
export interface Invoice extends Sums {
  readonly id: string;
  readonly number: string;
  readonly accountId: string;
  readonly status: InvoiceStatus;
  readonly currency: string;
  readonly buyer: Party;
  readonly seller: Party;
  readonly reference: string | null;
  readonly orderRef: string | null;
  readonly taxTreatment: TaxTreatment;
  /** Whether the treatment is `reverse-charge`. */
  readonly reverseCharge: boolean;
  readonly amountPaid: number;
  readonly credited: number;
  readonly balance: number;
  readonly termsDays: number;
  readonly issuedAt: Date;
  readonly issuedOn: Day;
  /** The end of `dueOn`. */
  readonly dueAt: Date;
  readonly dueOn: Day;
  readonly paidAt: Date | null;
  readonly voidedAt: Date | null;
  readonly payments: readonly PaidBy[];
  readonly creditNotes: readonly CreditNote[];
  readonly steps: readonly Step[];
  /** When the next step is to be done; null where none is. */
  readonly nextStepAt: Date | null;
}
