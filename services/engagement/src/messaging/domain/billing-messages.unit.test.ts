import { describe, expect, it } from 'vitest';
import { billingMessages } from './billing-messages.ts';

const shop = { name: 'Tea & Tools', url: 'https://shop.example' };
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
    expect(issued(issuedInvoice, shop)).toMatchObject({
      title: 'Your invoice INV-2026-000123',
      body: 'Invoice INV-2026-000123 over €42.81 is due on 21 December 2026.',
      data: { invoiceId: 'inv_1', number },
    });
    expect(issued({ ...issuedInvoice, balance: 3000 }, shop).body).toBe(
      'Invoice INV-2026-000123 over €42.81: the credit of your account has paid €12.81. The rest, €30.00, is due on 21 December 2026.',
    );
    expect(issued({ ...issuedInvoice, balance: 0 }, shop).body).toBe(
      'Invoice INV-2026-000123 over €42.81 is paid by the credit of your account.',
    );
  });

  it('is in the digits of the currency', () => {
    expect(issued({ ...issuedInvoice, currency: 'JPY' }, shop).body).toContain('over ¥4,281 is');
    expect(issued({ ...issuedInvoice, currency: 'KWD' }, shop).body).toMatch(/over KWD\s4\.281 is/);
  });

  it.each([
    [-3, 'Invoice INV-2026-000123 is due on 21 December 2026', /€30\.00 is to be paid by 21 December 2026/],
    [0, 'Invoice INV-2026-000123 is due today', /€30\.00 is to be paid by 21 December 2026/],
    [7, 'Reminder: invoice INV-2026-000123 is overdue', /was due on 21 December 2026, and €30\.00 of it is not paid/],
    [14, 'Second reminder: invoice INV-2026-000123 is overdue', /€30\.00 of it is still not paid/],
  ] as const)('reminds in other words on day %i', (days, title, words) => {
    const message = billingMessages['invoice-reminded'].toAccount({ ...invoice, balance: 3000, days }, shop);
    expect(message.title).toBe(title);
    expect(message.body).toMatch(words);
  });

  it('that is overdue, paid or void', () => {
    expect(billingMessages['invoice-overdue'].toAccount(invoice, shop).body).toBe(
      'Invoice INV-2026-000123 was due on 21 December 2026, and €42.81 of it is not paid.',
    );
    const paid = { ...invoice, balance: 0, paidAt: '2026-12-01T00:00:00.000Z', issuedAt: '2026-11-21T09:30:00.000Z' };
    expect(billingMessages['invoice-paid'].toAccount(paid, shop).body).toBe(
      'Nothing of invoice INV-2026-000123 over €42.81 is owed any more.',
    );
    expect(billingMessages['invoice-voided'].toAccount({ ...invoice, balance: 0, reason: null }, shop).body).toBe(
      'Invoice INV-2026-000123 over €42.81 was issued by mistake. Nothing of it is owed.',
    );
  });

  it('that is credited says what is left', () => {
    const { toAccount: credited } = billingMessages['credit-note-issued'];
    const creditNote = { number: 'CN-2026-000001', total: 1281, reason: 'Broken' } as Parameters<
      typeof credited
    >[0]['document'];
    const note = { creditNoteId: 'cn_1', document: creditNote };
    expect(credited({ ...invoice, ...note, balance: 3000 }, shop)).toMatchObject({
      title: 'Credit note CN-2026-000001 for invoice INV-2026-000123',
      body: 'Credit note CN-2026-000001 takes €12.81 off invoice INV-2026-000123. Of the invoice, €30.00 is left to be paid by 21 December 2026.',
    });
    expect(credited({ ...invoice, ...note, balance: 0 }, shop).body).toMatch(
      /Nothing of the invoice is owed any more\.$/,
    );
  });
});

describe('a message about a payment', () => {
  it('that came says what it paid, and what became credit', () => {
    expect(received(payment, shop).body).toBe(
      'Your payment of €60.00 has arrived. It paid INV-2026-000123 (€42.81). €17.19 is credit of your account, which pays your next invoice.',
    );
    expect(received({ ...payment, amount: 4281, credit: 0 }, shop).body).toBe(
      'Your payment of €42.81 has arrived. It paid INV-2026-000123 (€42.81).',
    );
    expect(received({ ...payment, allocations: [], credit: 6000 }, shop).body).toBe(
      'Your payment of €60.00 has arrived. €60.00 is credit of your account, which pays your next invoice.',
    );
  });

  it('has no mail where nothing became credit', () => {
    expect(received({ ...payment, amount: 4281, credit: 0 }, shop).mail).toBeNull();
    expect(received(payment, shop).mail).not.toBeNull();
  });

  it('names five invoices at most', () => {
    expect(received({ ...payment, allocations: allocated(5) }, shop).body).toMatch(
      /000003 \(€10\.00\), INV-2026-000004 \(€10\.00\)\./,
    );
    expect(received({ ...payment, allocations: allocated(8) }, shop).body).toMatch(
      /INV-2026-000004 \(€10\.00\) and 3 more\./,
    );
  });

  it('that went back says what is owed again', () => {
    expect(refunded({ ...payment, kind: 'refund' }, shop)).toMatchObject({
      title: 'A payment was refunded',
      body: '€60.00 of a payment was refunded to you. This is owed again: INV-2026-000123 (€42.81). €17.19 was taken from the credit of your account.',
    });
    expect(refunded({ ...payment, kind: 'dispute', allocations: [], credit: 0 }, shop)).toMatchObject({
      title: 'A payment was disputed',
      body: '€60.00 of a payment went back by a dispute.',
    });
  });
});

const order = { id: 'user_1', orderRef: 'ord-7', currency: 'EUR', limit: 100_000, outstanding: 81_000, total: 30_000 };

describe('a message about credit', () => {
  it('that is nearly used up', () => {
    const credit = { id: 'user_1', currency: 'EUR', limit: 100_000, outstanding: 81_000 };
    expect(billingMessages['credit-warning'].toAccount(credit, shop).body).toMatch(
      /You owe €810\.00 of your credit limit of €1,000\.00\./,
    );
  });

  it('that an order goes beyond says why the order has no invoice', () => {
    expect(exceeded({ ...order, reason: 'limit' }, shop).body).toBe(
      'Your order ord-7 was not invoiced: its €300.00 and the €810.00 that are owed are beyond the credit limit of €1,000.00.',
    );
    expect(exceeded({ ...order, limit: null, reason: 'hold' }, shop).body).toMatch(/the account is on hold/);
  });
});

describe('a notification of administrators', () => {
  it.each([
    ['unknown_invoice', '€120.00 came by demo and paid nothing: there is no such invoice.'],
    ['a_new_reason', '€120.00 came by demo and paid nothing: a_new_reason.'],
  ])('about money that waits: %s', (reason, body) => {
    const money = { id: 'pay_1', accountId: null, provider: 'demo', currency: 'EUR', amount: 12_000 };
    expect(billingMessages['payment-unallocated'].toAdministrators({ ...money, reason })).toMatchObject({
      type: 'payment-unallocated',
      body,
      data: { paymentId: 'pay_1', reason },
    });
  });

  it.each(['refund', 'dispute'] as const)('about money that went back by a %s', (kind) => {
    expect(wentBack({ ...payment, kind })).toMatchObject({
      title: kind === 'refund' ? 'A payment was refunded' : 'A payment was disputed',
      data: { paymentId: 'pay_1', kind },
    });
  });

  it('about orders without an invoice names their account where it is not erased', () => {
    const onHold = { ...order, reason: 'hold' } as const;
    const beyond = beyondCredit(onHold, 'user_1');
    expect(beyond.data).toMatchObject({ tradeAccountId: 'user_1', orderRef: 'ord-7' });
    expect(beyond.body).toContain('Order ord-7 was not invoiced: the account is on hold');
    expect(beyondCredit(onHold, null).data).toEqual({ orderRef: 'ord-7', reason: 'hold' });
    const without = { orderRef: 'ord-8', reason: 'no-lines' } as const;
    const { toAdministrators: notInvoiced } = billingMessages['order-not-invoiced'];
    expect(notInvoiced({ id: 'user_1', ...without }, 'user_1')).toMatchObject({
      body: 'Order ord-8 is on account but was not invoiced: it has no lines.',
      data: { tradeAccountId: 'user_1', ...without },
    });
    expect(notInvoiced({ id: 'user_1', ...without }, null).data).toEqual(without);
  });
});
