import type { billingEvents } from '@storefront/contracts';
import { untaxedOf } from './untaxed.ts';

type Document = billingEvents.InvoiceDocument | billingEvents.CreditNoteDocument;

/** The tax for each rate, as written on invoices and e-invoices. If no tax is charged: one row with rate 0. */
export function taxRowsOf(document: Document): Document['taxes'] {
  const { subtotal, taxes } = document;
  return untaxedOf(document) ? [{ rate: 0, base: subtotal, amount: 0 }] : taxes;
}
