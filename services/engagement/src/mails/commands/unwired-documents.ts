import type { billingEvents } from '@storefront/contracts';

// In the place of @storefront/invoice-documents until that is there.

export const invoicePdf = async ({ number }: billingEvents.InvoiceDocument): Promise<Buffer> =>
  Buffer.from(`%PDF-1.7\n${number}\n`);

export const creditNotePdf = async ({ number }: billingEvents.CreditNoteDocument): Promise<Buffer> =>
  Buffer.from(`%PDF-1.7\n${number}\n`);
