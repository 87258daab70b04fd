import { z } from 'zod';
import { idSchema } from '../../ids.ts';
import { line, money, requestTime, timestamp, type Money } from '../common.ts';
import { stock, weight } from './stock-keeping.ts';

const mostQuantityPrices = 10;
const mostRelated = 12;

export const taxClass = z
  .enum(['standard', 'reduced', 'zero'])
  .meta({ description: 'Which of the tax rates of a country applies to it.' });
export type TaxClass = z.infer<typeof taxClass>;

/** Prices for trade accounts that buy many of one thing. */
export const quantityPrices = z
  .array(
    z.strictObject({
      from: z
        .int()
        .min(2)
        .max(1_000_000)
        .meta({ description: 'From so many units on.', examples: [10] }),
      price: money.meta({ description: 'The price of each unit.' }),
    }),
  )
  .max(mostQuantityPrices)
  .refine(
    (prices) =>
      prices.every(({ from, price }, index) => {
        const before = prices[index - 1];
        return before === undefined || (from > before.from && price.amount < before.price.amount);
      }),
    { error: 'must go up by `from`, and each price be lower than the one before' },
  )
  .meta({ description: 'Prices for trade accounts by quantity, the smallest quantity first.' });
export type QuantityPrices = z.output<typeof quantityPrices>;

/** What a product or a variant costs: prices that apply, the smallest quantity first. */
interface Prices {
  readonly price: Money;
  readonly tradePrice: Money | null;
  readonly quantityPrices?: readonly { readonly from: number; readonly price: Money }[];
}

/** The price of a unit for somebody who buys `quantity` of them: for trade customers the lowest one that applies. */
export function unitPriceOf(
  { price, tradePrice, quantityPrices: byQuantity = [] }: Prices,
  tier: 'retail' | 'trade',
  quantity: number,
): Money {
  if (tier === 'retail') return price;
  const applying = byQuantity.filter(({ from }) => from <= quantity).map((each) => each.price);
  return applying.reduce((lowest, each) => (each.amount < lowest.amount ? each : lowest), tradePrice ?? price);
}

/** In a request: how a product is sold. */
export const sellingFields = {
  taxClass,
  weight,
  quantityPrices,
  relatedIds: z
    .array(idSchema('prod'))
    .max(mostRelated)
    .refine((ids) => new Set(ids).size === ids.length, { error: 'must not name a product twice' })
    .meta({
      description:
        'Other products that a shop shows with it, in this order. The id of one that is deleted later stays; lists of ' +
        'products by their ids leave it out.',
    }),
  availableFrom: requestTime.nullable().meta({
    format: 'date-time',
    description: 'From when on it can be ordered; null where that is not limited. It hides nothing.',
    examples: ['2026-12-01T00:00:00.000Z'],
  }),
  backOrders: z
    .strictObject({
      allowed: z.boolean(),
      text: line(200)
        .nullable()
        .default(null)
        .meta({ description: 'What shoppers read about it.', examples: ['Ships in two weeks'] }),
    })
    .meta({
      id: 'BackOrders',
      description: 'Whether it may be sold while none is in stock. The stock itself never goes below zero.',
    }),
  lowStockThreshold: stock.nullable().meta({
    description:
      'Administrators are notified once when so many or fewer of it, or of a variant, are in stock and not reserved for ' +
      'orders; again only after there were more. Null for never.',
    examples: [5],
  }),
};

export const sellingCreation = {
  taxClass: sellingFields.taxClass.default('standard'),
  weight: sellingFields.weight.default(null),
  quantityPrices: sellingFields.quantityPrices.default([]),
  relatedIds: sellingFields.relatedIds.default([]),
  availableFrom: sellingFields.availableFrom.default(null),
  backOrders: sellingFields.backOrders.default({ allowed: false, text: null }),
  lowStockThreshold: sellingFields.lowStockThreshold.default(null),
};

/** In an answer. */
export const shownQuantityPrices = z.array(z.object({ from: z.int().meta({ examples: [10] }), price: money }));

/** In an answer. */
export const shownSelling = {
  taxClass,
  weight,
  quantityPrices: shownQuantityPrices.optional().meta({ description: 'Only in answers to trade accounts and staff.' }),
  relatedIds: z.array(z.string()),
  availableFrom: timestamp.nullable(),
  backOrders: z.object({ allowed: z.boolean(), text: z.string().nullable() }),
  lowStockThreshold: z.int().nullable().optional().meta({ description: 'Only in answers to staff.' }),
};
