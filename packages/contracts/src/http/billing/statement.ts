import { z } from 'zod';
import { billingErrors } from '../../errors/billing.ts';
import { commonErrors } from '../../errors/common.ts';
import { idSchema } from '../../ids.ts';
import { money, timestamp } from '../common.ts';
import { csvDialect } from '../csv.ts';
import { operation, operationsOf } from '../operation.ts';

const calendarDay = z.iso.date().meta({ format: 'date', examples: ['2026-11-01'] });
const signed = z
  .object({ amount: z.int(), currency: z.string() })
  .meta({ id: 'SignedMoney', description: 'An amount of money that may be below 0.' });

export const statementEntry = z
  .object({
    at: timestamp,
    on: calendarDay,
    kind: z.enum(['invoice', 'void', 'credit-note', 'payment', 'refund']),
    number: z.string().nullable().meta({ description: 'Of the invoice or credit note.' }),
    id: z.string().meta({ description: 'Of the invoice, credit note or payment.' }),
    amount: signed.meta({ description: 'What it adds to the balance: below 0 for credit notes and payments.' }),
    balance: signed.meta({ description: 'After it.' }),
  })
  .meta({ id: 'StatementEntry' });

export const statement = z
  .object({
    accountId: idSchema('user'),
    from: calendarDay,
    to: calendarDay,
    currency: z.string(),
    opening: signed.meta({ description: 'The balance at the beginning of `from`.' }),
    entries: z.array(statementEntry),
    closing: signed.meta({ description: 'The balance at the beginning of `to`.' }),
    ageing: z
      .object({
        notDue: money,
        days1To30: money,
        days31To60: money,
        days61To90: money,
        over90: money,
        credit: money.meta({ description: 'What was paid beyond what was owed.' }),
      })
      .meta({ description: 'What is owed now, by how long it is overdue.' }),
  })
  .meta({ id: 'Statement' });
export type StatementBody = z.infer<typeof statement>;

export const statementQuery = z.strictObject({
  from: calendarDay.meta({ description: "The first day, in the shop's time zone.", examples: ['2026-11-01'] }),
  to: calendarDay.meta({
    description: 'The day after the last one; at most 400 days after `from`.',
    examples: ['2026-12-01'],
  }),
  format: z
    .enum(['json', 'csv', 'pdf'])
    .default('json')
    .meta({ description: 'How it is written.', examples: ['json'] }),
  dialect: csvDialect,
});

export const statementOperations = operationsOf(
  operation({
    id: 'getStatement',
    method: 'GET',
    path: '/v1/invoices/statement',
    access: 'trade',
    tags: ['invoices'],
    summary: 'Read your statement',
    description:
      'Opening balance, every invoice, credit note and payment, closing balance, and what is owed by age. Above 0 you owe.',
    query: statementQuery,
    responses: {
      200: { description: 'The statement.', body: statement, contentType: ['text/csv', 'application/pdf'] },
    },
    // `not_found` is answered for a trade account that billing does not know yet.
    errors: [commonErrors.notFound, billingErrors.statementTooLong],
  }),
);
