import { expect, it } from 'vitest';
import {
  accountNotification,
  orderBeyondCreditNotification,
  orderNotInvoicedNotification,
  paymentRefundedNotification,
  unallocatedNotification,
} from './billing-notifications.ts';

const money = { provider: 'demo', currency: 'EUR', amount: 12_000 };
const order = { orderRef: 'ord-7', currency: 'EUR', limit: null, outstanding: 0, total: 100, reason: 'hold' } as const;

it('a trade account is told by what happened', () => {
  expect(
    accountNotification('user_1', 'invoice-paid', { title: 'Paid', body: 'All of it.' }, { number: 'INV-1' }),
  ).toEqual({
    audience: 'user_1',
    category: 'invoices',
    type: 'invoice-paid',
    title: 'Paid',
    body: 'All of it.',
    data: { number: 'INV-1' },
  });
});

it.each([
  ['unknown_invoice', '€120.00 came by demo and paid nothing: there is no such invoice.'],
  ['a_new_reason', '€120.00 came by demo and paid nothing: a_new_reason.'],
])('administrators are told of money that waits: %s', (reason, body) => {
  expect(unallocatedNotification('pay_1', { ...money, reason })).toMatchObject({
    audience: 'role:admin',
    type: 'payment-unallocated',
    body,
    data: { paymentId: 'pay_1', reason },
  });
});

it.each(['refund', 'dispute'] as const)('administrators are told of money that went back by a %s', (kind) => {
  expect(paymentRefundedNotification('pay_1', { ...money, kind })).toMatchObject({
    audience: 'role:admin',
    title: kind === 'refund' ? 'A payment was refunded' : 'A payment was disputed',
    data: { paymentId: 'pay_1', kind },
  });
});

it('administrators are told of orders without an invoice, and of their account where it is not erased', () => {
  const beyond = orderBeyondCreditNotification('user_1', order);
  expect(beyond).toMatchObject({ audience: 'role:admin', data: { tradeAccountId: 'user_1', orderRef: 'ord-7' } });
  expect(beyond.body).toContain('Order ord-7 was not invoiced: the account is on hold');
  expect(orderBeyondCreditNotification(null, order).data).toEqual({ orderRef: 'ord-7', reason: 'hold' });
  const without = { orderRef: 'ord-8', reason: 'no-lines' } as const;
  expect(orderNotInvoicedNotification('user_1', without)).toMatchObject({
    body: 'Order ord-8 is on account but was not invoiced: it has no lines.',
    data: { tradeAccountId: 'user_1', ...without },
  });
  expect(orderNotInvoicedNotification(null, without).data).toEqual(without);
});
