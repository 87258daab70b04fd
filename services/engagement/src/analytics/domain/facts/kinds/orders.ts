import { ordersEvents } from '@storefront/contracts';
import { z } from 'zod';
import { factKind, from, user } from '../kind.ts';
import { countSale, sale } from '../sale.ts';

const order = z.object({
  /** The currency of the order. null where the order names no money. */
  currency: z.string().nullable(),
  sale,
  /** The units and the revenue of the order, one line for each product and variant. Reports count them by product. */
  lines: z.array(
    z.object({
      productId: z.string(),
      /** Missing where the order names no variant. */
      variantId: z.string().optional(),
      units: z.int(),
      revenue: z.int(),
    }),
  ),
});

export const ordersFacts = {
  /** A user placed an order. */
  'order-placed': factKind({
    data: order,
    events: [
      from(ordersEvents.orderPlaced, ({ data: placed }) => ({
        at: new Date(placed.placedAt),
        segment: placed.tier,
        by: user(placed.userId),
        data: saleOf(placed),
      })),
    ],
    countsOf({ person, data: { currency, sale: sold, lines } }) {
      if (currency === null) return [];
      const ofProducts = lines.map(({ productId, units, revenue }) => ({
        family: 'productSales' as const,
        of: `${productId} ${currency}`,
        measures: { units, revenue },
      }));
      return [countSale(currency, sold, person !== null), ...ofProducts];
    },
    isActivity: true,
  }),
};

/**
 * The sale of an order, without shipping and tax. Without a subtotal, the sum of the lines is used. Without lines, the
 * total is used.
 */
function saleOf({ totals, lines = [] }: Pick<ordersEvents.OrderPlaced, 'totals' | 'lines'>): z.infer<typeof order> {
  const money = totals?.total ?? lines[0]?.unitPrice;
  const discount = totals?.discount?.amount ?? 0;
  const items = new Map<string, z.infer<typeof order>['lines'][number]>();
  for (const { productId, variantId, quantity, unitPrice } of lines) {
    const key = `${productId} ${variantId ?? ''}`;
    const { units, revenue } = items.get(key) ?? { units: 0, revenue: 0 };
    const item = variantId === undefined ? { productId } : { productId, variantId };
    items.set(key, { ...item, units: units + quantity, revenue: revenue + quantity * unitPrice.amount });
  }
  const sold = [...items.values()];
  const sum = (of: 'units' | 'revenue') => sold.reduce((all, line) => all + line[of], 0);
  const gross = totals?.subtotal?.amount ?? (sold.length > 0 ? sum('revenue') : (money?.amount ?? 0) + discount);
  return {
    currency: money?.currency ?? null,
    sale: { units: sum('units'), gross, discount, net: gross - discount },
    lines: sold,
  };
}
