import { describe, expect, it } from 'vitest';
import { teaShop } from '../../../test/every-mail.ts';
import { billingMessages } from './billing-messages.ts';
import type { Words } from './languages/language.ts';
import { notificationOf, writingFor } from './templates/compose.ts';

const writing = writingFor(teaShop, {});
/** The title and the text of the notification that the account gets. */
const shown = (message: { readonly words: Words }) => notificationOf(message.words);
const number = 'INV-2026-000123';
const account = { id: 'inv_1', accountId: 'user_1' };
const invoice = { ...account, number, currency: 'EUR', total: 4281, balance: 4281, dueOn: '2026-12-21' };
const document = { reference: null, bank: null } as unknown as Parameters<typeof issued>[0]['document'];
const issuedInvoice = { ...invoice, orderRef: null, document };
const allocated = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ invoiceId: `inv_${at}`, number: `INV-2026-00000${at}`, amount: 1000 }));
const payment = {
  ...account,
  id: 'pay_1',
  provider: 'demo',
  currency: 'EUR',
  amount: 6000,
  allocations: [{ invoiceId: 'inv_1', number, amount: 4281 }],
  credit: 1719,
};

const { toAccount: issued } = billingMessages['invoice-issued'];
const { toAccount: received } = billingMessages['payment-received'];
const { toAccount: refunded, toAdministrators: wentBack } = billingMessages['payment-refunded'];
const { toAccount: exceeded, toAdministrators: beyondCredit } = billingMessages['credit-exceeded'];

describe('a message about an invoice', () => {
  it('that is issued says what is due, and what the credit of the account has paid of it', () => {
    const message = issued(issuedInvoice, writing);
    expect(message.data).toEqual({ invoiceId: 'inv_1', number });
    expect(shown(message)).toEqual({
      title: 'Your invoice INV-2026-000123',
      body: 'Invoice INV-2026-000123 over €42.81 is due on 21 December 2026.',
    });
    expect(shown(issued({ ...issuedInvoice, balance: 3000 }, writing)).body).toBe(
      'Invoice INV-2026-000123 over €42.81: the credit of your account has paid €12.81. The rest, €30.00, is due on 21 December 2026.',
    );
    expect(shown(issued({ ...issuedInvoice, balance: 0 }, writing)).body).toBe(
      'Invoice INV-2026-000123 over €42.81 is paid by the credit of your account.',
    );
    const prepaid = { ...issuedInvoice, balance: 0, document: { ...document, isPrepaid: true } };
    expect(shown(issued(prepaid, writing)).body).toBe('Invoice INV-2026-000123 over €42.81 is paid with your order.');
  });

  it('is in the digits of the currency', () => {
    expect(shown(issued({ ...issuedInvoice, currency: 'JPY' }, writing)).body).toContain('over ¥4,281 is');
    expect(shown(issued({ ...issuedInvoice, currency: 'KWD' }, writing)).body).toMatch(/over KWD\s4\.281 is/);
  });

  it.each([
    [
      -3,
      'Invoice INV-2026-000123 is due on 21 December 2026',
      /€30\.00 of invoice INV-2026-000123 is to be paid by 21 December 2026/,
    ],
    [0, 'Invoice INV-2026-000123 is due today', /€30\.00 of invoice INV-2026-000123 is to be paid by 21 December 2026/],
    [7, 'Reminder: invoice INV-2026-000123 is overdue', /was due on 21 December 2026, and €30\.00 of it is not paid/],
    [14, 'Second reminder: invoice INV-2026-000123 is overdue', /€30\.00 of it is still not paid/],
  ] as const)('reminds in other words on day %i', (days, title, words) => {
    const message = billingMessages['invoice-reminded'].toAccount({ ...invoice, balance: 3000, days }, writing);
    expect(shown(message)).toMatchObject({ title, body: expect.stringMatching(words) });
  });

  it('that is overdue, paid or void', () => {
    expect(shown(billingMessages['invoice-overdue'].toAccount(invoice, writing)).body).toBe(
      'Invoice INV-2026-000123 was due on 21 December 2026, and €42.81 of it is not paid.',
    );
    const paid = { ...invoice, balance: 0, paidAt: '2026-12-01T00:00:00.000Z', issuedAt: '2026-11-21T09:30:00.000Z' };
    expect(shown(billingMessages['invoice-paid'].toAccount(paid, writing)).body).toBe(
      'Thank you: invoice INV-2026-000123 over €42.81 is paid in full.',
    );
    expect(billingMessages['invoice-paid'].toAccount(paid, writing).isMailed).toBe(true);
    const atOnce = billingMessages['invoice-paid'].toAccount({ ...paid, paidAt: paid.issuedAt }, writing);
    expect(atOnce.isMailed).toBe(false);
    expect(
      shown(
        billingMessages['invoice-voided'].toAccount({ ...invoice, orderRef: null, balance: 0, reason: null }, writing),
      ).body,
    ).toBe('Invoice INV-2026-000123 over €42.81 was issued by mistake. Nothing of it is owed.');
  });

  it('that is credited says what is left', () => {
    const { toAccount: credited } = billingMessages['credit-note-issued'];
    const creditNote = { number: 'CN-2026-000001', total: 1281, reason: 'Broken' } as Parameters<
      typeof credited
    >[0]['document'];
    const note = { orderRef: null, creditNoteId: 'cn_1', document: creditNote };
    expect(shown(credited({ ...invoice, ...note, balance: 3000 }, writing))).toEqual({
      title: 'Credit note CN-2026-000001 for invoice INV-2026-000123',
      body: 'Credit note CN-2026-000001 takes €12.81 off invoice INV-2026-000123. Of the invoice, €30.00 is left to be paid by 21 December 2026.',
    });
    expect(shown(credited({ ...invoice, ...note, balance: 0 }, writing)).body).toMatch(
      /Nothing of the invoice is owed any more\.$/,
    );
  });
});

describe('a message about a payment', () => {
  it('that came says what it paid, and what became credit', () => {
    expect(shown(received(payment, writing)).body).toBe(
      'Thank you: your payment of €60.00 has arrived. It paid INV-2026-000123 (€42.81). €17.19 is credit of your account, which pays your next invoice.',
    );
    expect(shown(received({ ...payment, amount: 4281, credit: 0 }, writing)).body).toBe(
      'Thank you: your payment of €42.81 has arrived. It paid INV-2026-000123 (€42.81).',
    );
    expect(shown(received({ ...payment, allocations: [], credit: 6000 }, writing)).body).toBe(
      'Thank you: your payment of €60.00 has arrived. €60.00 is credit of your account, which pays your next invoice.',
    );
  });

  it('has no mail where nothing became credit', () => {
    expect(received({ ...payment, amount: 4281, credit: 0 }, writing).isMailed).toBe(false);
    expect(received(payment, writing).isMailed).toBe(true);
  });

  it('names five invoices at most', () => {
    expect(shown(received({ ...payment, allocations: allocated(5) }, writing)).body).toMatch(
      /000003 \(€10\.00\), INV-2026-000004 \(€10\.00\)\./,
    );
    expect(shown(received({ ...payment, allocations: allocated(8) }, writing)).body).toMatch(
      /INV-2026-000004 \(€10\.00\) and 3 more\./,
    );
  });

  it('that went back says what is owed again', () => {
    expect(shown(refunded({ ...payment, kind: 'refund' }, writing))).toEqual({
      title: 'A payment was refunded',
      body: '€60.00 of a payment was refunded to you. This is owed again: INV-2026-000123 (€42.81). €17.19 was taken from the credit of your account.',
    });
    expect(shown(refunded({ ...payment, kind: 'dispute', allocations: [], credit: 0 }, writing))).toEqual({
      title: 'A payment was disputed',
      body: '€60.00 of a payment went back by a dispute.',
    });
  });
});

const order = { id: 'user_1', orderRef: 'ord-7', currency: 'EUR', limit: 100_000, outstanding: 81_000, total: 30_000 };

describe('a message about credit', () => {
  it('that is nearly used up', () => {
    const credit = { id: 'user_1', currency: 'EUR', limit: 100_000, outstanding: 81_000 };
    expect(shown(billingMessages['credit-warning'].toAccount(credit, writing)).body).toMatch(
      /You owe €810\.00 of your credit limit of €1,000\.00\./,
    );
  });

  it('that an order goes beyond says why the order has no invoice', () => {
    expect(shown(exceeded({ ...order, reason: 'limit' }, writing)).body).toBe(
      'Your order ord-7 was not invoiced: its €300.00 and the €810.00 that are owed are beyond the credit limit of €1,000.00.',
    );
    expect(shown(exceeded({ ...order, limit: null, reason: 'hold' }, writing)).body).toMatch(/the account is on hold/);
  });
});

describe('a notification of administrators', () => {
  it.each([
    ['unknown_invoice', '€120.00 came by demo and paid nothing: there is no such invoice.'],
    ['a_new_reason', '€120.00 came by demo and paid nothing: a_new_reason.'],
  ])('about money that waits: %s', (reason, body) => {
    const money = { id: 'pay_1', accountId: null, provider: 'demo', currency: 'EUR', amount: 12_000 };
    expect(billingMessages['payment-unallocated'].toAdministrators({ ...money, reason }, writing)).toMatchObject({
      type: 'payment-unallocated',
      body,
      data: { paymentId: 'pay_1', reason },
    });
  });

  it.each(['refund', 'dispute'] as const)('about money that went back by a %s', (kind) => {
    expect(wentBack({ ...payment, kind }, writing)).toMatchObject({
      title: kind === 'refund' ? 'A payment was refunded' : 'A payment was disputed',
      data: { paymentId: 'pay_1', kind },
    });
  });

  it('about orders without an invoice names their account where it is not erased', () => {
    const onHold = { ...order, reason: 'hold' } as const;
    const beyond = beyondCredit(onHold, writing, 'user_1');
    expect(beyond.data).toMatchObject({ tradeAccountId: 'user_1', orderRef: 'ord-7' });
    expect(beyond.body).toContain('Order ord-7 was not invoiced: the account is on hold');
    expect(beyondCredit(onHold, writing, null).data).toEqual({ orderRef: 'ord-7', reason: 'hold' });
    const without = { orderRef: 'ord-8', reason: 'no-lines' } as const;
    const { toAdministrators: notInvoiced } = billingMessages['order-not-invoiced'];
    expect(notInvoiced({ id: 'user_1', ...without }, writing, 'user_1')).toMatchObject({
      body: 'Order ord-8 is on account but was not invoiced: it has no lines.',
      data: { tradeAccountId: 'user_1', ...without },
    });
    expect(notInvoiced({ id: 'user_1', ...without }, writing, null).data).toEqual(without);
  });
});
