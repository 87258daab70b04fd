import { ordersEvents } from '@storefront/contracts';
import { z } from 'zod';
import { active } from '../active.ts';
import type { Count } from '../count.ts';
import { toldBy, type FactKind } from '../kind.ts';
import { saleOfOrder } from '../order-sale.ts';
import { countSale, sale } from '../sale.ts';

const data = z.object({
  /** null for an order that names no money. */
  currency: z.string().nullable(),
  sale,
  /** One for each product. */
  lines: z.array(z.object({ productId: z.string(), units: z.int(), revenue: z.int() })),
});

/** A user placed an order. */
export const orderPlaced: FactKind<'order-placed', z.infer<typeof data>> = {
  name: 'order-placed',
  data,
  tellers: [
    toldBy(ordersEvents.orderPlaced, ({ data: order }) => ({
      at: new Date(order.placedAt),
      segment: order.tier,
      by: { userId: order.userId },
      data: saleOfOrder(order),
    })),
  ],
  countsOf({ person, data: { currency, sale: sold, lines } }) {
    if (currency === null) return [];
    const ofProducts = lines.map(({ productId, units, revenue }): Count => ({
      family: 'productSales',
      of: `${productId} ${currency}`,
      measures: { units, revenue },
    }));
    return [countSale(currency, sold, person !== null), ...ofProducts];
  },
  setsOf: active,
};
