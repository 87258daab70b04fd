import { z } from 'zod';
import { idSchema } from '../../ids.ts';
import { money, timestamp } from '../common.ts';
import { operation, operationsOf } from '../operation.ts';

export const credit = z
  .object({
    accountId: idSchema('user'),
    limit: money.nullable().meta({ description: 'How much may be owed at most; null for any amount.' }),
    termsDays: z.int().meta({ description: 'For how many days invoices may stay unpaid.' }),
    hold: z.boolean().meta({ description: 'Orders are not invoiced.' }),
    holdReason: z
      .enum(['administrator', 'overdue', 'suspended'])
      .nullable()
      .meta({ description: '`overdue`: an invoice has been overdue for 30 days.' }),
    outstanding: money.meta({ description: 'The balances of all invoices.' }),
    reserved: money.meta({ description: 'The orders on account that have no invoice yet; they count as owed.' }),
    overdue: money.meta({ description: 'The balances of those that are overdue.' }),
    credit: money.meta({ description: 'What was paid beyond what was owed; the next invoice uses it.' }),
    available: money.nullable().meta({ description: 'What may still be ordered; null for any amount.' }),
    updatedAt: timestamp,
  })
  .meta({ id: 'Credit' });
export type CreditBody = z.infer<typeof credit>;

export const creditTerms = z
  .strictObject({
    limit: money.nullable(),
    termsDays: z.int().min(0).max(90),
    hold: z
      .boolean()
      .meta({ description: 'false lifts a hold for overdue invoices too, until another one is overdue for 30 days.' }),
  })
  .meta({
    id: 'CreditTerms',
    examples: [{ limit: { amount: 500_000, currency: 'EUR' }, termsDays: 30, hold: false }],
  });
export type CreditTerms = z.output<typeof creditTerms>;

const params = z.strictObject({ id: idSchema('user') });

export const creditOperations = operationsOf(
  operation({
    id: 'getOwnCredit',
    method: 'GET',
    path: '/v1/invoices/credit',
    access: 'trade',
    tags: ['invoices'],
    summary: 'Read your credit',
    description: 'How much you may owe, what you owe, and what of it is overdue.',
    responses: { 200: credit },
  }),
  operation({
    id: 'getCredit',
    method: 'GET',
    path: '/v1/trade-accounts/{id}/credit',
    access: 'staff',
    roles: ['sales', 'support'],
    scope: 'billing:read',
    versioned: 'weak',
    tags: ['invoices of accounts'],
    summary: 'Read the credit of a trade account',
    description: 'What it may owe, what it owes, and whether it is on hold.',
    params,
    responses: { 200: credit },
  }),
  operation({
    id: 'setCredit',
    method: 'PUT',
    path: '/v1/trade-accounts/{id}/credit',
    access: 'staff',
    roles: ['sales'],
    scope: 'billing:write',
    versioned: 'weak',
    tags: ['invoices of accounts'],
    summary: 'Set the credit of a trade account',
    description: 'What is owed already may be more than the new limit.',
    params,
    body: creditTerms,
    responses: { 200: credit },
  }),
);
