import { segments } from '../facts/fact.ts';
import { averageOf, shareOf } from './ratios.ts';
import type { Report } from './report.ts';

/** The sales: orders, and invoices that belong to no order. */
export const sales: Report<'sales'> = {
  name: 'sales',
  takes: ['currency'],
  segments,
  families: ['sales'],
  measures({ sum, amount, money }) {
    const [orders, net] = [sum('sales', 'orders'), sum('sales', 'net')];
    return {
      orders,
      // Quantities on invoices have at most three decimals. Adding floating-point numbers can produce more.
      units: Number(sum('sales', 'units').toFixed(3)),
      gross: amount('sales', 'gross'),
      discount: amount('sales', 'discount'),
      net: money(net),
      averageOrder: averageOf(money(net), orders),
      returningShare: shareOf(sum('sales', 'returning'), sum('sales', 'known')),
    };
  },
};
