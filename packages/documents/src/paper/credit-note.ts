import type { billingEvents } from '@storefront/contracts';
import { draw } from './draw.ts';
import { linesOf, whyUntaxed } from './lines.ts';
import type { Mark } from './pages.ts';
import { gap, opening, pagesOf, paragraph } from './parts.ts';
import { styleFor, styles } from './text.ts';

/** The credit note as a PDF/A-2b file, with the same guarantees as `invoicePdf`. */
export async function creditNotePdf(document: billingEvents.CreditNoteDocument): Promise<Buffer> {
  const pages = await creditNotePages(document);
  return draw(pages, { title: `Credit note ${document.number}`, createdAt: new Date(document.issuedAt) });
}

/** What is drawn on each page of a credit note. */
export async function creditNotePages(document: billingEvents.CreditNoteDocument): Promise<Mark[][]> {
  const { seller, buyer, number, issuedOn, invoiceNumber, invoiceIssuedOn, reason } = document;
  const facts = [
    ['Credit note number', number],
    ['Date of issue', issuedOn],
    ['For invoice', invoiceNumber],
    ['Date of invoice', invoiceIssuedOn],
  ] as const;
  const effect =
    `The total is taken off what is owed for invoice ${invoiceNumber}. ` +
    'What was paid beyond the rest becomes credit of your account.';
  const lines = await linesOf(document, 'Total credited');
  return pagesOf(
    [
      opening({ title: 'Credit note', seller, recipients: [{ label: 'To', party: buyer }], facts }),
      {
        rows: [
          ...paragraph('Reason', styles.label),
          ...paragraph(reason, styleFor(styles.normal, reason, seller.country)),
          gap(16),
        ],
      },
      lines,
      whyUntaxed(document),
      { rows: [gap(20), ...paragraph(effect, styles.normal)] },
    ],
    `Credit note ${number}`,
  );
}
