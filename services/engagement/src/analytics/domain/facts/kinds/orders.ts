import { ordersEvents, type EventOf } from '@storefront/contracts';
import { z } from 'zod';
import type { Count } from '../count.ts';
import type { FactDraft } from '../fact.ts';
import { factKind, from, user } from '../kind.ts';
import { countSale, sale, takeBackSale } from '../sale.ts';
import { variantKey } from '../variant-key.ts';

/** What was ordered. Amounts are in minor units of the currency. */
const goods = z.object({
  sale,
  /** What is to be paid, with shipping and tax. */
  total: z.int(),
  /** The units and the revenue of the order, one line for each product and variant. */
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
type Goods = z.infer<typeof goods>;

/** The currency of the order. null where the order names no money. */
const order = goods.extend({ currency: z.string().nullable() });

export const ordersFacts = {
  /** A user or a guest placed an order. */
  'order-placed': factKind({
    data: order,
    events: [
      from(ordersEvents.orderPlaced, ({ data: placed }) => ({
        at: new Date(placed.placedAt),
        segment: placed.tier,
        by: user(placed.userId),
        data: orderOf(placed),
      })),
      from(ordersEvents.guestOrderPlaced, ({ data: placed }) => ({
        at: new Date(placed.placedAt),
        segment: 'guest',
        by: null,
        data: orderOf(placed),
      })),
    ],
    countsOf({ person, data: { currency, ...placed } }) {
      if (currency === null) return [];
      const { sale: sold, total } = placed;
      return [
        countSale(currency, sold, person !== null),
        countOrders(currency, { placed: 1, unitsPlaced: sold.units, placedValue: total }),
        ...countProducts(currency, placed, 1),
      ];
    },
    isActivity: true,
  }),

  /**
   * An order was ended: one that was placed, or one that was given up before. A placed order is taken back from the sales
   * at the moment of its cancellation.
   */
  'order-cancelled': factKind({
    data: z.object({
      currency: z.string(),
      /** Why: the code of a refusal, or `unpaid`, `cancelled` or `erased`. No report shows it. */
      reason: z.string(),
      /** null for an order that was never placed. */
      sold: goods.nullable(),
    }),
    events: [
      from(ordersEvents.orderCancelled, ({ time, data: { userId, segment, currency, reason, sold } }) => ({
        at: new Date(time),
        segment,
        by: user(userId),
        data: { currency, reason, sold: sold && goodsOf(sold) },
      })),
    ],
    countsOf({ data: { currency, sold } }) {
      if (sold === null) return [countOrders(currency, { givenUp: 1 })];
      return [
        takeBackSale(currency, sold.sale),
        countOrders(currency, { cancelled: 1, cancelledValue: sold.total }),
        ...countProducts(currency, sold, -1),
      ];
    },
  }),

  /** Pieces of an order have left the shop. A step of the funnel, which counts people; an order has several shipments. */
  'order-shipped': factKind({ data: z.object({}), events: [from(ordersEvents.orderShipped, stepOf)] }),

  /** All that was shipped of an order has arrived. A step of the funnel. */
  'order-delivered': factKind({ data: z.object({}), events: [from(ordersEvents.orderDelivered, stepOf)] }),

  /** Money of an order went back. */
  'order-refunded': factKind({
    data: z.object({ currency: z.string(), amount: z.int() }),
    events: [
      from(ordersEvents.orderRefunded, ({ time, data: { userId, segment, currency, amount } }) => ({
        at: new Date(time),
        segment,
        by: user(userId),
        data: { currency, amount },
      })),
    ],
    countsOf: ({ data: { currency, amount } }) => [countOrders(currency, { refunded: amount })],
  }),

  /** Pieces of an order have come back. Their money counts when it goes back. */
  'order-returned': factKind({
    data: z.object({ currency: z.string(), units: z.int() }),
    events: [
      from(ordersEvents.orderReturned, ({ time, data: { userId, segment, currency, lines } }) => ({
        at: new Date(time),
        segment,
        by: user(userId),
        data: { currency, units: lines.reduce((sum, { quantity }) => sum + quantity, 0) },
      })),
    ],
    countsOf: ({ data: { currency, units } }) => [countOrders(currency, { unitsReturned: units })],
  }),
};

function stepOf({
  time,
  data: { userId, segment },
}: Pick<EventOf<typeof ordersEvents.orderDelivered>, 'time' | 'data'>): FactDraft<Record<string, never>> {
  return { at: new Date(time), segment, by: user(userId), data: {} };
}

function countOrders(currency: string, measures: Count['measures']): Count {
  return { family: 'orders', of: currency, measures };
}

/** Counts each line for its product and for its variant. */
function countProducts(currency: string, { lines }: Goods, times: 1 | -1): readonly Count[] {
  return lines.flatMap(({ productId, variantId, units, revenue }): Count[] => {
    const measures = { units: times * units, revenue: times * revenue };
    return [
      { family: 'productSales', of: `${productId} ${currency}`, measures },
      { family: 'variantSales', of: `${variantKey(productId, variantId)} ${currency}`, measures },
    ];
  });
}

/**
 * The order that an event states, which may leave out parts. Without a subtotal, the sum of the lines is used. Without
 * lines, the total is used.
 */
function orderOf({ totals, lines = [] }: Pick<ordersEvents.OrderPlaced, 'totals' | 'lines'>): z.infer<typeof order> {
  const money = totals?.total ?? lines[0]?.unitPrice;
  const discount = totals?.discount?.amount ?? 0;
  const revenue = lines.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice.amount, 0);
  const subtotal = totals?.subtotal?.amount ?? (lines.length > 0 ? revenue : (money?.amount ?? 0) + discount);
  const stated = lines.map((line) => ({ ...line, unitPrice: line.unitPrice.amount }));
  const total = totals?.total.amount ?? subtotal - discount;
  return { currency: money?.currency ?? null, ...goodsOf({ subtotal, discount, total, lines: stated }) };
}

interface Ordered extends Pick<NonNullable<ordersEvents.OrderCancelled['sold']>, 'subtotal' | 'discount' | 'total'> {
  readonly lines: readonly {
    readonly productId: string;
    readonly variantId?: string | undefined;
    readonly quantity: number;
    readonly unitPrice: number;
  }[];
}

/** The sale is without shipping and tax. */
function goodsOf({ subtotal: gross, discount, total, lines }: Ordered): Goods {
  const items = new Map<string, Goods['lines'][number]>();
  for (const { productId, variantId, quantity, unitPrice } of lines) {
    const key = `${productId} ${variantId ?? ''}`;
    const { units, revenue } = items.get(key) ?? { units: 0, revenue: 0 };
    const item = variantId === undefined ? { productId } : { productId, variantId };
    items.set(key, { ...item, units: units + quantity, revenue: revenue + quantity * unitPrice });
  }
  const sold = [...items.values()];
  const units = sold.reduce((all, line) => all + line.units, 0);
  return { sale: { units, gross, discount, net: gross - discount }, total, lines: sold };
}
