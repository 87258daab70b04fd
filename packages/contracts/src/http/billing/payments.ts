import { z } from 'zod';
import { billingErrors } from '../../errors/billing.ts';
import { commonErrors } from '../../errors/common.ts';
import { idSchema } from '../../ids.ts';
import { created, money, page, pageQuery, returnUrl, timestamp } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';

/**
 * `pending`: the provider has not reported anything yet. `succeeded`: money came. `failed`: the provider reports that
 * no money will come, or the page of an order's payment was closed before any came. `refunded` and `disputed`: all money was returned. `unallocated`: money came, and an
 * administrator has to say what it is for.
 */
export const paymentStatus = z.enum(['pending', 'succeeded', 'failed', 'refunded', 'disputed', 'unallocated']);
export type PaymentStatus = z.infer<typeof paymentStatus>;

/**
 * Why received money has paid no invoice and is no credit. `indivisible_amount`: the provider states an amount that is
 * not a whole number of the currency's minor units, so nothing of it is counted.
 */
export const unallocatedReason = z.enum([
  'other_currency',
  'unknown_invoice',
  'unknown_payment',
  'invoice_void',
  'account_closed',
  'indivisible_amount',
]);
export type UnallocatedReason = z.infer<typeof unallocatedReason>;

export const payment = z
  .object({
    id: idSchema('pay'),
    accountId: idSchema('user')
      .nullable()
      .meta({ description: 'Whose payment it is; null where nobody is known to have paid, and for guests.' }),
    orderId: z.string().nullable().meta({ description: 'The order for which it is; null for invoices.' }),
    provider: z.string().meta({ examples: ['demo'] }),
    status: paymentStatus,
    amount: money.nullable().meta({ description: 'What was to be paid; null where the money came by itself.' }),
    received: money.meta({ description: 'What came, less what went back.' }),
    refunded: money.meta({ description: 'What went back, by refunds and disputes.' }),
    invoiceIds: z.array(idSchema('inv')).meta({ description: 'What it was for.' }),
    allocations: z
      .array(z.object({ invoiceId: idSchema('inv'), amount: money }))
      .meta({ description: 'What it paid.' }),
    remainder: money.meta({ description: "What paid no invoice yet: the account's credit, or unallocated money." }),
    unallocatedReason: unallocatedReason.nullable(),
    redirectUrl: z
      .string()
      .nullable()
      .meta({ description: 'Where invoices are paid, while it is pending. An order says itself where it is paid.' }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Payment' });
export type PaymentBody = z.infer<typeof payment>;
export const paymentPage = page(payment).meta({ id: 'PaymentPage' });

export const paymentToCreate = z
  .strictObject({
    invoiceIds: z
      .array(idSchema('inv'))
      .min(1)
      .max(50)
      .refine((ids) => new Set(ids).size === ids.length, { error: 'must not name an invoice twice' }),
    amount: money.optional().meta({ description: 'All that is owed for these invoices where it is left out.' }),
    returnUrl: returnUrl.optional(),
  })
  .meta({ id: 'PaymentToCreate', examples: [{ invoiceIds: ['inv_01h455vb4pex5vsknk084sn02q'] }] });
export type PaymentToCreate = z.output<typeof paymentToCreate>;

export const allocation = z
  .strictObject({
    accountId: idSchema('user').meta({ description: 'The trade account that paid.' }),
    invoiceIds: z
      .array(idSchema('inv'))
      .max(50)
      .refine((ids) => new Set(ids).size === ids.length, { error: 'must not name an invoice twice' })
      .default([])
      .meta({
        description: 'The invoices that it pays, the oldest due first; the remaining amount is credit of the account.',
      }),
    worth: money
      .optional()
      .meta({ description: "What money of another currency is worth in the shop's; required for such money only." }),
  })
  .meta({
    id: 'Allocation',
    examples: [{ accountId: 'user_01h455vb4pex5vsknk084sn02q', invoiceIds: ['inv_01h455vb4pex5vsknk084sn02q'] }],
  });
export type Allocation = z.output<typeof allocation>;

const params = z.strictObject({ id: idSchema('pay') });
export const paymentQuery = z.strictObject({
  ...pageQuery,
  status: paymentStatus.optional().meta({ description: 'Only those of this status.', examples: ['unallocated'] }),
  account: idSchema('user').optional().meta({ description: 'Only those of this account. Only staff may state it.' }),
});

const tags = ['payments'];

export const paymentOperations = operationsOf(
  operation({
    id: 'listPayments',
    method: 'GET',
    path: '/v1/payments',
    access: 'user',
    roles: ['sales', 'support'],
    scope: 'billing:read',
    tags,
    summary: 'List payments',
    description: 'Newest first; those of the calling trade account, all for staff.',
    query: paymentQuery,
    responses: { 200: paymentPage },
    errors: [commonErrors.tradeAccountRequired, commonErrors.roleRequired],
  }),
  operation({
    id: 'createPayment',
    method: 'POST',
    path: '/v1/payments',
    access: 'trade',
    idempotent: true,
    tags,
    summary: 'Pay invoices',
    description:
      'Pay it at `redirectUrl`. What comes is spread over the invoices, the oldest due first. The page leads back to `returnUrl`, with the parameter `payment`.',
    body: paymentToCreate,
    responses: { 201: created(payment) },
    errors: [
      billingErrors.nothingOwed,
      billingErrors.moreThanOwed,
      billingErrors.tooManyPendingPayments,
      billingErrors.paymentsNotConfigured,
    ],
  }),
  operation({
    id: 'getPayment',
    method: 'GET',
    path: '/v1/payments/{id}',
    access: 'user',
    roles: ['sales', 'support'],
    scope: 'billing:read',
    tags,
    summary: 'Read a payment',
    description: 'One of another account looks absent, but for staff.',
    params,
    responses: { 200: payment },
    errors: [commonErrors.tradeAccountRequired],
  }),
  operation({
    id: 'allocatePayment',
    method: 'POST',
    path: '/v1/payments/{id}/allocate',
    access: 'staff',
    roles: ['sales'],
    scope: 'billing:write',
    idempotent: true,
    tags,
    summary: 'Say what unallocated money is for',
    description: 'It pays these invoices, the oldest due first; the remaining amount is credit of the account.',
    params,
    body: allocation,
    responses: { 200: payment },
    errors: [billingErrors.nothingToAllocate],
  }),
);
