import { expect, it } from 'vitest';
import { teaShop } from '../../../test/every-mail.ts';
import { renderMail, type RenderableMail } from './render-mail.ts';
import { writingFor } from './templates/compose.ts';

const writing = writingFor(teaShop, {});
const number = 'INV-2026-000123';
const party = { businessName: 'Lovelace', address: '1 Mill Lane', country: 'NL', vatNumber: null };
const content = {
  currency: 'EUR',
  issuedAt: '2026-11-21T09:30:00.000Z',
  issuedOn: '2026-11-21',
  buyer: party,
  seller: party,
  bank: { name: 'Tea <Bank>', iban: 'NL91ABNA0417164300', bic: 'ABNANL2A' },
  lines: [],
  taxes: [],
  taxTreatment: 'domestic' as const,
  reverseCharge: false,
  subtotal: 3632,
  tax: 649,
  total: 4281,
};
const document = { ...content, number, reference: 'PO <7>', orderRef: null, dueOn: '2026-12-21', termsDays: 30 };
const creditNote = {
  ...content,
  number: 'CN-2026-000001',
  reason: 'Broken <b>mugs</b>',
  invoiceNumber: number,
  invoiceIssuedOn: '2026-11-21',
};
const reader = { firstName: 'Ada', id: 'inv_1' };
const invoice = {
  ...reader,
  accountId: 'user_1',
  number,
  currency: 'EUR',
  total: 4281,
  balance: 4281,
  dueOn: '2026-12-21',
  orderRef: null,
};
const payment = {
  ...reader,
  accountId: 'user_1',
  provider: 'demo',
  currency: 'EUR',
  amount: 6000,
  allocations: [{ invoiceId: 'inv_1', number, amount: 4281 }],
  credit: 1719,
};
const credit = { ...reader, currency: 'EUR', limit: 100_000, outstanding: 81_000 };
const order = { ...credit, orderRef: '<i>7</i>', total: 30_000, reason: 'limit' } as const;

const toInvoice = 'https://shop.example/invoices/inv_1';
const toInvoices = 'https://shop.example/invoices';
const mails: readonly (readonly [mail: RenderableMail, subject: string, link: string])[] = [
  [{ template: 'invoice-issued', data: { ...invoice, document } }, 'Your invoice INV-2026-000123', toInvoice],
  [
    { template: 'invoice-reminded', data: { ...invoice, days: 7 } },
    'Reminder: invoice INV-2026-000123 is overdue',
    toInvoice,
  ],
  [{ template: 'invoice-overdue', data: invoice }, 'Invoice INV-2026-000123 is overdue', toInvoice],
  [
    { template: 'invoice-paid', data: { ...invoice, paidAt: content.issuedAt, issuedAt: content.issuedAt } },
    'Invoice INV-2026-000123 is paid',
    toInvoice,
  ],
  [
    { template: 'invoice-voided', data: { ...invoice, orderRef: null, reason: null } },
    'Invoice INV-2026-000123 is void',
    toInvoice,
  ],
  [
    { template: 'credit-note-issued', data: { ...invoice, creditNoteId: 'cn_1', document: creditNote } },
    'Credit note CN-2026-000001 for invoice INV-2026-000123',
    toInvoice,
  ],
  [{ template: 'payment-received', data: payment }, 'Your payment has arrived', toInvoices],
  [{ template: 'payment-refunded', data: { ...payment, kind: 'dispute' } }, 'A payment was disputed', toInvoices],
  [{ template: 'credit-warning', data: credit }, 'Your credit is nearly used up', toInvoices],
  [{ template: 'credit-exceeded', data: order }, 'An order was not invoiced', toInvoices],
];

const render = (mail: RenderableMail) =>
  renderMail(mail, { writing, because: 'trade-account', code: null, optOut: null });

it.each(mails)('$template greets, says what happened and links to it', (mail, subject, link) => {
  const { subject: written, text, html } = render(mail);
  expect(written).toBe(subject);
  expect(text).toMatch(/^Hello Ada,\n/);
  expect(text.split('\n')).toContain(link);
  expect(html).toContain(`href="${link}"`);
  expect(text).not.toContain('notifications/preferences');
  expect(html).not.toMatch(/<(b|i|7|Bank)>/);
});

it('an invoice says how it is paid by transfer, while anything is owed', () => {
  const { text, html } = render({ template: 'invoice-issued', data: { ...invoice, document } });
  expect(text).toContain('IBAN: NL91 ABNA 0417 1643 00\nBIC: ABNANL2A\nPayment reference: INV-2026-000123');
  expect(text).toContain('Your reference: PO <7>');
  expect(html).toContain('PO &lt;7&gt;');
  expect(html).toContain('Tea &lt;Bank&gt;');
  const paid = { ...invoice, balance: 0, document };
  expect(render({ template: 'invoice-issued', data: paid }).text).not.toContain('IBAN');
  const unknown = { ...document, bank: null, reference: null };
  const { text: bare } = render({ template: 'invoice-issued', data: { ...invoice, document: unknown } });
  expect(bare).not.toMatch(/IBAN|Your reference/);
  expect(bare).toContain('See and pay the invoice');
});

it('a reason is quoted', () => {
  const { text, html } = render({
    template: 'credit-note-issued',
    data: { ...invoice, creditNoteId: 'cn_1', document: creditNote },
  });
  expect(text).toContain('> Broken <b>mugs</b>');
  expect(html).toContain('Broken &lt;b&gt;mugs&lt;/b&gt;');
  expect(render({ template: 'invoice-voided', data: { ...invoice, reason: 'Twice' } }).text).toContain('> Twice');
});
