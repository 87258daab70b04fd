import type { billingEvents } from '@storefront/contracts';
import { untaxedOf } from './untaxed.ts';

type Document = billingEvents.InvoiceDocument | billingEvents.CreditNoteDocument;

/** The tax of each rate, as invoices and e-invoices state it: one row of rate 0 where no tax is charged. */
export function taxRowsOf(document: Document): Document['taxes'] {
  const { subtotal, taxes } = document;
  return untaxedOf(document) ? [{ rate: 0, base: subtotal, amount: 0 }] : taxes;
}
