import { describe, expect, it } from 'vitest';
import {
  creditedNews,
  creditExceededNews,
  creditWarningNews,
  issuedNews,
  overdueNews,
  paidNews,
  receivedNews,
  refundedNews,
  remindedNews,
  voidedNews,
} from './billing-news.ts';

const number = 'INV-2026-000123';
const invoice = { number, currency: 'EUR', total: 4281, balance: 4281, dueOn: '2026-12-21' };
const allocated = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ invoiceId: `inv_${at}`, number: `INV-2026-00000${at}`, amount: 1000 }));
const moved = {
  currency: 'EUR',
  amount: 6000,
  allocations: [{ invoiceId: 'inv_1', number, amount: 4281 }],
  credit: 1719,
};

describe('the news of an invoice', () => {
  it('that is issued say what is due, and what the credit of the account has paid of it', () => {
    expect(issuedNews(invoice)).toEqual({
      title: 'Your invoice INV-2026-000123',
      body: 'Invoice INV-2026-000123 over €42.81 is due on 21 December 2026.',
    });
    expect(issuedNews({ ...invoice, balance: 3000 }).body).toBe(
      'Invoice INV-2026-000123 over €42.81: the credit of your account has paid €12.81. The rest, €30.00, is due on 21 December 2026.',
    );
    expect(issuedNews({ ...invoice, balance: 0 }).body).toBe(
      'Invoice INV-2026-000123 over €42.81 is paid by the credit of your account.',
    );
  });

  it('are in the digits of the currency', () => {
    expect(issuedNews({ ...invoice, currency: 'JPY' }).body).toContain('over ¥4,281 is');
    expect(issuedNews({ ...invoice, currency: 'KWD' }).body).toMatch(/over KWD\s4\.281 is/);
  });

  it.each([
    [-3, 'Invoice INV-2026-000123 is due on 21 December 2026', /€30\.00 is to be paid by 21 December 2026/],
    [0, 'Invoice INV-2026-000123 is due today', /€30\.00 is to be paid by 21 December 2026/],
    [7, 'Reminder: invoice INV-2026-000123 is overdue', /was due on 21 December 2026, and €30\.00 of it is not paid/],
    [14, 'Second reminder: invoice INV-2026-000123 is overdue', /€30\.00 of it is still not paid/],
  ] as const)('remind in other words on day %i', (days, title, words) => {
    const news = remindedNews({ ...invoice, balance: 3000 }, days);
    expect(news.title).toBe(title);
    expect(news.body).toMatch(words);
  });

  it('that is overdue, paid or void', () => {
    expect(overdueNews(invoice).body).toBe(
      'Invoice INV-2026-000123 was due on 21 December 2026, and €42.81 of it is not paid.',
    );
    expect(paidNews({ ...invoice, balance: 0 }).body).toBe(
      'Nothing of invoice INV-2026-000123 over €42.81 is owed any more.',
    );
    expect(voidedNews(invoice).body).toBe(
      'Invoice INV-2026-000123 over €42.81 was issued by mistake. Nothing of it is owed.',
    );
  });

  it('that is credited say what is left', () => {
    const note = { number: 'CN-2026-000001', total: 1281 };
    expect(creditedNews({ ...invoice, balance: 3000 }, note)).toEqual({
      title: 'Credit note CN-2026-000001 for invoice INV-2026-000123',
      body: 'Credit note CN-2026-000001 takes €12.81 off invoice INV-2026-000123. Of the invoice, €30.00 is left to be paid by 21 December 2026.',
    });
    expect(creditedNews({ ...invoice, balance: 0 }, note).body).toMatch(/Nothing of the invoice is owed any more\.$/);
  });
});

describe('the news of a payment', () => {
  it('that came say what it paid, and what became credit', () => {
    expect(receivedNews(moved).body).toBe(
      'Your payment of €60.00 has arrived. It paid INV-2026-000123 (€42.81). €17.19 is credit of your account, which pays your next invoice.',
    );
    expect(receivedNews({ ...moved, amount: 4281, credit: 0 }).body).toBe(
      'Your payment of €42.81 has arrived. It paid INV-2026-000123 (€42.81).',
    );
    expect(receivedNews({ ...moved, allocations: [], credit: 6000 }).body).toBe(
      'Your payment of €60.00 has arrived. €60.00 is credit of your account, which pays your next invoice.',
    );
  });

  it('name five invoices at most', () => {
    expect(receivedNews({ ...moved, allocations: allocated(5) }).body).toMatch(
      /000003 \(€10\.00\), INV-2026-000004 \(€10\.00\)\./,
    );
    expect(receivedNews({ ...moved, allocations: allocated(8) }).body).toMatch(
      /INV-2026-000004 \(€10\.00\) and 3 more\./,
    );
  });

  it('that went back say what is owed again', () => {
    expect(refundedNews({ ...moved, kind: 'refund' })).toEqual({
      title: 'A payment was refunded',
      body: '€60.00 of a payment was refunded to you. This is owed again: INV-2026-000123 (€42.81). €17.19 was taken from the credit of your account.',
    });
    expect(refundedNews({ ...moved, kind: 'dispute', allocations: [], credit: 0 })).toEqual({
      title: 'A payment was disputed',
      body: '€60.00 of a payment went back by a dispute.',
    });
  });
});

describe('the news of credit', () => {
  it('that is nearly used up', () => {
    expect(creditWarningNews({ currency: 'EUR', limit: 100_000, outstanding: 81_000 }).body).toMatch(
      /You owe €810\.00 of your credit limit of €1,000\.00\./,
    );
  });

  it('that an order goes beyond say why it has no invoice', () => {
    const order = { orderRef: 'ord-7', currency: 'EUR', limit: 100_000, outstanding: 81_000, total: 30_000 };
    expect(creditExceededNews({ ...order, reason: 'limit' }).body).toBe(
      'Your order ord-7 was not invoiced: its €300.00 and the €810.00 that are owed are beyond the credit limit of €1,000.00.',
    );
    expect(creditExceededNews({ ...order, limit: null, reason: 'hold' }).body).toMatch(/the account is on hold/);
  });
});
