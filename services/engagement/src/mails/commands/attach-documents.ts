import type { billingEvents } from '@storefront/contracts';
import type { Attachment } from '../domain/outgoing-mail.ts';
import type { TemplatedMail } from '../domain/render-mail.ts';

interface Needs {
  readonly invoicePdf: (document: billingEvents.InvoiceDocument) => Promise<Uint8Array>;
  readonly creditNotePdf: (document: billingEvents.CreditNoteDocument) => Promise<Uint8Array>;
}

/** Returns what makes the files that a mail carries: the invoice or the credit note that it is about. */
export function attachDocuments({
  invoicePdf,
  creditNotePdf,
}: Needs): (mail: TemplatedMail) => Promise<readonly Attachment[]> {
  return async (mail) => {
    switch (mail.template) {
      case 'invoice-issued':
        return [pdf(mail.data.document.number, await invoicePdf(mail.data.document))];
      case 'credit-note-issued':
        return [pdf(mail.data.document.number, await creditNotePdf(mail.data.document))];
      default:
        return [];
    }
  };
}

function pdf(number: string, content: Uint8Array): Attachment {
  return { filename: `${number}.pdf`, contentType: 'application/pdf', content: Buffer.from(content) };
}
