import { addDays } from '@storefront/calendar';
import { billingEvents, type EventOf } from '@storefront/contracts';
import { z } from 'zod';
import type { Count } from '../count.ts';
import { factKind, from, user } from '../kind.ts';
import { countSale, sale, type Sale } from '../sale.ts';

const invoice = z.object({ invoiceId: z.string(), currency: z.string() });

const dayMs = 24 * 60 * 60_000;

/** From how many days after its due day on an invoice counts for which sum of what is overdue, the least first. */
export const ages = [
  { days: 1, measure: 'open1' },
  { days: 31, measure: 'open31' },
  { days: 61, measure: 'open61' },
  { days: 91, measure: 'open91' },
] as const;

/** Facts about invoices. Credit notes and voided invoices change what is open alone: sales stay as they were. */
export const billingFacts = {
  /** An invoice was issued to a trade account. */
  'invoice-issued': factKind({
    data: invoice.extend({
      total: z.int(),
      /** Of an invoice that belongs to no order: the sale of an order counted already. */
      sale: sale.nullable(),
    }),
    events: [
      from(
        billingEvents.invoiceIssued,
        ({ subject, time, data: { accountId, currency, total, orderRef, document } }) => ({
          at: new Date(time),
          segment: 'trade',
          by: user(accountId),
          data: { invoiceId: subject, currency, total, sale: orderRef === null ? saleOf(document.lines) : null },
        }),
      ),
    ],
    countsOf({ data: { currency, total, sale: sold } }) {
      const invoiced = receivables(currency, { invoiced: total });
      return sold === null ? [invoiced] : [invoiced, countSale(currency, sold, false)];
    },
  }),

  /** The open balance of an invoice grew or shrank: that counts at once, and again as the invoice becomes overdue and grows older. */
  'invoice-balance-changed': factKind({
    data: invoice.extend({ dueOn: z.string(), delta: z.int() }),
    events: [
      from(
        billingEvents.invoiceBalanceChanged,
        ({ subject, data: { accountId, currency, dueOn, delta, changedAt } }) => ({
          at: new Date(changedAt),
          segment: 'trade',
          by: user(accountId),
          data: { invoiceId: subject, currency, dueOn, delta },
        }),
      ),
    ],
    countsOf: ({ data: { currency, delta } }) => [receivables(currency, { open: delta })],
    laterCountsOf: ({ data: { currency, dueOn, delta } }) =>
      ages.map(({ days, measure }) => ({
        from: addDays(dueOn, days),
        counts: [receivables(currency, { [measure]: delta })],
      })),
  }),

  /** An invoice was not paid on its due day. */
  'invoice-overdue': factKind({
    data: invoice.extend({ balance: z.int() }),
    events: [
      from(billingEvents.invoiceOverdue, ({ subject, time, data: { accountId, currency, balance } }) => ({
        at: new Date(time),
        segment: 'trade',
        by: user(accountId),
        data: { invoiceId: subject, currency, balance },
      })),
    ],
    countsOf: ({ data: { currency, balance } }) => [receivables(currency, { overdue: balance })],
  }),

  /** An invoice was paid in full. */
  'invoice-paid': factKind({
    data: invoice.extend({
      total: z.int(),
      /** From its date on; null where that is not known. */
      days: z.number().nullable(),
    }),
    events: [
      from(billingEvents.invoicePaid, ({ subject, data: { accountId, currency, total, paidAt, issuedAt } }) => ({
        at: new Date(paidAt),
        segment: 'trade',
        by: user(accountId),
        data: {
          invoiceId: subject,
          currency,
          total,
          days: issuedAt === undefined ? null : (Date.parse(paidAt) - Date.parse(issuedAt)) / dayMs,
        },
      })),
    ],
    countsOf: ({ data: { currency, total, days } }) => [
      { ...receivables(currency, { paid: total }), ...(days !== null && { value: days }) },
    ],
  }),
};

function receivables(currency: string, measures: Count['measures']): Count {
  return { family: 'receivables', of: currency, measures };
}

function saleOf(lines: EventOf<typeof billingEvents.invoiceIssued>['data']['document']['lines']): Sale {
  const sum = (of: 'quantity' | 'discount' | 'net') => lines.reduce((all, line) => all + line[of], 0);
  const [discount, net] = [sum('discount'), sum('net')];
  // Quantities have three decimals at most.
  return { units: Number(sum('quantity').toFixed(3)), gross: net + discount, discount, net };
}
