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
    const { template, data } = mail;
    if (template === 'invoice-issued') return [pdf(data.document.number, await invoicePdf(data.document))];
    if (template === 'credit-note-issued') return [pdf(data.document.number, await creditNotePdf(data.document))];
    return [];
  };
}

function pdf(number: string, content: Uint8Array): Attachment {
  return { filename: `${number}.pdf`, contentType: 'application/pdf', content: Buffer.from(content) };
}
