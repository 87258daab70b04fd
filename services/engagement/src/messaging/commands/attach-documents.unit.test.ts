import type { billingEvents } from '@storefront/contracts';
import { expect, it, vi } from 'vitest';
import type { TemplatedMail } from '../domain/render-mail.ts';
import { attachmentsOf } from './attach-documents.ts';

const invoicePdf = vi.fn<(document: billingEvents.InvoiceDocument) => Promise<Uint8Array>>(async () =>
  new TextEncoder().encode('an invoice'),
);
const creditNotePdf = vi.fn<(document: billingEvents.CreditNoteDocument) => Promise<Uint8Array>>(async () =>
  new TextEncoder().encode('a credit note'),
);
const documents = { invoicePdf, creditNotePdf };
const mailWith = (template: string, number: string) => ({ template, data: { document: { number } } }) as TemplatedMail;

it.each([
  ['invoice-issued', 'INV-2026-000123', 'an invoice'],
  ['credit-note-issued', 'CN-2026-000001', 'a credit note'],
])('%s carries its document', async (template, number, content) => {
  const [attachment, ...others] = await attachmentsOf(mailWith(template, number), documents);
  expect(others).toEqual([]);
  expect(attachment).toMatchObject({ filename: `${number}.pdf`, contentType: 'application/pdf' });
  expect(attachment?.content.toString()).toBe(content);
});

it('another mail carries nothing', async () => {
  expect(await attachmentsOf({ template: 'welcome', data: { firstName: 'Ada' } }, documents)).toEqual([]);
});
