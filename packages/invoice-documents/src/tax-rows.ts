import type { billingEvents } from '@storefront/contracts';

type Document = billingEvents.InvoiceDocument | billingEvents.CreditNoteDocument;

/** The tax of each rate, as invoices and e-invoices state it: one row of rate 0 where the buyer owes the tax. */
export function taxRowsOf({ reverseCharge, subtotal, taxes }: Document): Document['taxes'] {
  return reverseCharge ? [{ rate: 0, base: subtotal, amount: 0 }] : taxes;
}
