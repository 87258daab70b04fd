import { addDays } from '@storefront/calendar';
import { billingEvents, type EventOf } from '@storefront/contracts';
import { z } from 'zod';
import type { Count } from '../count.ts';
import { factKind, from, user } from '../kind.ts';
import { countSale, sale, type Sale } from '../sale.ts';

const invoice = z.object({ invoiceId: z.string(), currency: z.string() });

const dayMs = 24 * 60 * 60_000;

/**
 * The sums of overdue invoices: from `days` days after its due day on, an invoice counts for `measure`. The smallest
 * number of days comes first.
 */
export const ages = [
  { days: 1, measure: 'open1' },
  { days: 31, measure: 'open31' },
  { days: 61, measure: 'open61' },
  { days: 91, measure: 'open91' },
] as const;

/**
 * Facts about invoices. Credit notes and voided invoices change only the open balance. They do not change the sales.
 */
export const billingFacts = {
  /** An invoice was issued to a trade account. */
  'invoice-issued': factKind({
    data: invoice.extend({
      total: z.int(),
      /**
       * The sale of an invoice that belongs to no order. null for an invoice of an order, because the order already
       * counted its sale.
       */
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

  /**
   * The open balance of an invoice grew or shrank. The change counts at once. It counts again when the invoice becomes
   * overdue, and each time it reaches the next age in `ages`.
   */
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
      /** The number of days from the date of the invoice to its payment. */
      days: z.number(),
    }),
    events: [
      from(billingEvents.invoicePaid, ({ subject, data: { accountId, currency, total, paidAt, issuedAt } }) => ({
        at: new Date(paidAt),
        segment: 'trade',
        by: user(accountId),
        data: { invoiceId: subject, currency, total, days: (Date.parse(paidAt) - Date.parse(issuedAt)) / dayMs },
      })),
    ],
    countsOf: ({ data: { currency, total, days } }) => [{ ...receivables(currency, { paid: total }), value: days }],
  }),
};

function receivables(currency: string, measures: Count['measures']): Count {
  return { family: 'receivables', of: currency, measures };
}

function saleOf(lines: EventOf<typeof billingEvents.invoiceIssued>['data']['document']['lines']): Sale {
  const sum = (of: 'quantity' | 'discount' | 'net') => lines.reduce((all, line) => all + line[of], 0);
  const [discount, net] = [sum('discount'), sum('net')];
  // An invoice was paid in full.
  return { units: Number(sum('quantity').toFixed(3)), gross: net + discount, discount, net };
}
