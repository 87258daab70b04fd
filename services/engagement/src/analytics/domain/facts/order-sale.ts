import type { ordersEvents } from '@storefront/contracts';
import type { Sale } from './sale.ts';

interface SaleOfOrder {
  readonly currency: string | null;
  readonly sale: Sale;
  readonly lines: { productId: string; units: number; revenue: number }[];
}

/**
 * What an order sold, without shipping and tax where it says them apart. An order without a subtotal is worth its lines, one without
 * lines its total.
 */
export function saleOfOrder({
  totals,
  total,
  lines = [],
}: Pick<ordersEvents.OrderPlaced, 'totals' | 'total' | 'lines'>): SaleOfOrder {
  const money = totals?.total ?? total ?? lines[0]?.unitPrice;
  const discount = totals?.discount?.amount ?? 0;
  const products = new Map<string, { units: number; revenue: number }>();
  for (const { productId, quantity, unitPrice } of lines) {
    const { units, revenue } = products.get(productId) ?? { units: 0, revenue: 0 };
    products.set(productId, { units: units + quantity, revenue: revenue + quantity * unitPrice.amount });
  }
  const sold = Array.from(products, ([productId, sums]) => ({ productId, ...sums }));
  const sum = (of: 'units' | 'revenue') => sold.reduce((all, line) => all + line[of], 0);
  const gross = totals?.subtotal?.amount ?? (sold.length > 0 ? sum('revenue') : (money?.amount ?? 0) + discount);
  return {
    currency: money?.currency ?? null,
    sale: { units: sum('units'), gross, discount, net: gross - discount },
    lines: sold,
  };
}
