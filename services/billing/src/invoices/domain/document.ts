import type { billingEvents } from '@storefront/contracts';
import type { Shop } from '../../domain/shop.ts';
import type { CreditNote, Invoice, Sums } from '../../domain/invoice.ts';

/** The content of the invoice's document. Later payments and credit notes do not change it. */
export function documentOf(invoice: Invoice, bank: Shop['bank']): billingEvents.InvoiceDocument {
  const { number, currency, buyer, seller, taxTreatment, reverseCharge, reference, orderRef, dueOn, termsDays } =
    invoice;
  return {
    number,
    currency,
    issuedAt: invoice.issuedAt.toISOString(),
    issuedOn: invoice.issuedOn,
    buyer,
    seller,
    bank,
    taxTreatment,
    reverseCharge,
    ...sumsOf(invoice),
    reference,
    orderRef,
    dueOn,
    termsDays,
    ...(invoice.isPrepaid && { isPrepaid: true }),
  };
}

/** The content of the credit note's document. */
export function creditNoteDocumentOf(
  invoice: Invoice,
  note: CreditNote,
  bank: Shop['bank'],
): billingEvents.CreditNoteDocument {
  const { currency, buyer, seller, taxTreatment, reverseCharge } = invoice;
  return {
    number: note.number,
    currency,
    issuedAt: note.issuedAt.toISOString(),
    issuedOn: note.issuedOn,
    buyer,
    seller,
    bank,
    taxTreatment,
    reverseCharge,
    ...sumsOf(note),
    reason: note.reason,
    invoiceNumber: invoice.number,
    invoiceIssuedOn: invoice.issuedOn,
  };
}

function sumsOf({ lines, taxes, subtotal, tax, total }: Sums) {
  return { lines: [...lines], taxes: [...taxes], subtotal, tax, total };
}
