import type { billingEvents } from '@storefront/contracts';
import type { OrderConfirmationDocument, PackingSlipDocument } from './order.ts';
import type { StatementDocument } from './statement.ts';

// What draws a PDF takes 30 MB of memory, and most instances never need it. So it is loaded at the first use.

export async function invoicePdf(document: billingEvents.InvoiceDocument): Promise<Buffer> {
  const paper = await import('./paper/invoice.ts');
  return paper.invoicePdf(document);
}

export async function creditNotePdf(document: billingEvents.CreditNoteDocument): Promise<Buffer> {
  const paper = await import('./paper/credit-note.ts');
  return paper.creditNotePdf(document);
}

export async function statementPdf(document: StatementDocument): Promise<Buffer> {
  const paper = await import('./paper/statement.ts');
  return paper.statementPdf(document);
}

export async function orderConfirmationPdf(document: OrderConfirmationDocument): Promise<Buffer> {
  const paper = await import('./paper/order-confirmation.ts');
  return paper.orderConfirmationPdf(document);
}

export async function packingSlipPdf(document: PackingSlipDocument): Promise<Buffer> {
  const paper = await import('./paper/packing-slip.ts');
  return paper.packingSlipPdf(document);
}
