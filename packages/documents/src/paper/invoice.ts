import type { billingEvents } from '@storefront/contracts';
import { draw } from './draw.ts';
import { linesOf, whyUntaxed } from './lines.ts';
import type { Mark } from './pages.ts';
import { opening, pagesOf } from './parts.ts';
import { payment } from './payment.ts';

/**
 * The invoice as a PDF/A-2b file. The same document always gives the same bytes. Between the lines, other work of the
 * process may run.
 */
export async function invoicePdf(document: billingEvents.InvoiceDocument): Promise<Buffer> {
  const pages = await invoicePages(document);
  return draw(pages, { title: `Invoice ${document.number}`, createdAt: new Date(document.issuedAt) });
}

/** The marks to draw on each page of an invoice. */
export async function invoicePages(document: billingEvents.InvoiceDocument): Promise<Mark[][]> {
  const { seller, buyer, number, issuedOn, dueOn, termsDays, reference, orderRef, isPrepaid = false } = document;
  const terms = `${termsDays} ${termsDays === 1 ? 'day' : 'days'}`;
  const facts = [
    ['Invoice number', number],
    ['Date of issue', issuedOn],
    ['Due date', isPrepaid ? null : dueOn],
    ['Terms', isPrepaid ? 'paid' : termsDays === 0 ? 'due at once' : terms],
    ['Your reference', reference],
    ['Order', orderRef],
  ] as const;
  const lines = await linesOf(document, 'Total');
  return pagesOf(
    [
      opening({ title: 'Invoice', seller, recipients: [{ label: 'To', party: buyer }], facts }),
      lines,
      whyUntaxed(document),
      payment(document),
    ],
    `Invoice ${number}`,
  );
}
