import { billingEvents, type EventOf } from '@storefront/contracts';
import { z } from 'zod';
import type { Count } from '../count.ts';
import { toldBy, type FactKind } from '../kind.ts';
import { countSale, sale, type Sale } from '../sale.ts';

const data = z.object({
  invoiceId: z.string(),
  currency: z.string(),
  total: z.int(),
  /** Of an invoice that belongs to no order: the sale of an order counted already. */
  sale: sale.nullable(),
});

/** A trade account owes money. */
export const invoiceIssued: FactKind<'invoice-issued', z.infer<typeof data>> = {
  name: 'invoice-issued',
  data,
  tellers: [
    toldBy(billingEvents.invoiceIssued, ({ subject, time, data: invoice }) => ({
      at: new Date(time),
      segment: 'trade',
      by: { userId: invoice.accountId },
      data: {
        invoiceId: subject,
        currency: invoice.currency,
        total: invoice.total,
        sale: invoice.orderRef === null ? saleOf(invoice.document.lines) : null,
      },
    })),
  ],
  countsOf: ({ data: { currency, total, sale: sold } }) => {
    const invoiced: Count = { family: 'receivables', of: currency, measures: { invoiced: total } };
    return sold === null ? [invoiced] : [invoiced, countSale(currency, sold, false)];
  },
  setsOf: () => [],
};

function saleOf(lines: EventOf<typeof billingEvents.invoiceIssued>['data']['document']['lines']): Sale {
  const sum = (of: 'quantity' | 'discount' | 'net') => lines.reduce((all, line) => all + line[of], 0);
  const [discount, net] = [sum('discount'), sum('net')];
  // Quantities have three decimals at most.
  return { units: Number(sum('quantity').toFixed(3)), gross: net + discount, discount, net };
}
