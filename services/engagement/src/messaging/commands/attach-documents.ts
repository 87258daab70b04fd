import type { billingEvents } from '@storefront/contracts';
import { creditNotePdf, invoicePdf } from '@storefront/documents';
import type { Attachment } from '../domain/outgoing-mail.ts';
import type { TemplatedMail } from '../domain/render-mail.ts';

interface Documents {
  readonly invoicePdf: (document: billingEvents.InvoiceDocument) => Promise<Uint8Array>;
  readonly creditNotePdf: (document: billingEvents.CreditNoteDocument) => Promise<Uint8Array>;
}

/** Makes the attachments of a mail: the PDF of the invoice or credit note that the mail is about, or nothing. */
export async function attachmentsOf(
  { template, data }: TemplatedMail,
  documents: Documents = { invoicePdf, creditNotePdf },
): Promise<readonly Attachment[]> {
  if (template === 'invoice-issued') return [pdf(data.document.number, await documents.invoicePdf(data.document))];
  if (template === 'credit-note-issued')
    return [pdf(data.document.number, await documents.creditNotePdf(data.document))];
  return [];
}

function pdf(number: string, content: Uint8Array): Attachment {
  return { filename: `${number}.pdf`, contentType: 'application/pdf', content: Buffer.from(content) };
}
