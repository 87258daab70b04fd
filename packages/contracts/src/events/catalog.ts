import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { money } from '../http/common.ts';

const category = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  parentId: z.string().nullable(),
  path: z.array(z.string()).meta({ description: 'The ids of its ancestors, the root first.' }),
  isActive: z.boolean(),
});
export type CategoryFacts = z.infer<typeof category>;

export const categoryCreated = defineEvent('catalog.category-created', 'There is a new category.', category);

export const categoryChanged = defineEvent(
  'catalog.category-changed',
  'A category has another name, place or state; one event for each category below it that moved along.',
  category,
);

export const categoryDeleted = defineEvent(
  'catalog.category-deleted',
  'A category is gone; the products that were in it have had their own event.',
  z.object({ id: z.string(), name: z.string(), slug: z.string() }),
);

export const categorySnapshot = defineEvent(
  'catalog.category-snapshot',
  'The present state of a category, published again by `republish` so that copies can be rebuilt; of a deleted one its last state.',
  category.extend({ deleted: z.boolean() }),
);

const quantityPrices = z.array(z.object({ from: z.int(), price: money }));

const counted = z
  .int()
  .optional()
  .meta({ description: 'How many are in stock as counted, with what is reserved for orders.' });

/** Prices and weight are those that apply: the product's, where a variant has none. */
const variant = z.object({
  id: z.string(),
  sku: z.string(),
  values: z.array(z.string()).meta({ description: "One of each of the product's options, in their order." }),
  price: money,
  tradePrice: money.nullable().meta({ description: 'For approved trade customers only.' }),
  quantityPrices: quantityPrices.optional().meta({ description: "Missing where they are the product's." }),
  stock: z.int().meta({ description: 'How many are in stock and not reserved for orders.' }),
  counted,
  weight: z.int().nullable(),
  status: z.enum(['active', 'archived']),
});
export type VariantFacts = z.infer<typeof variant>;

/**
 * The whole product after the change. So a consumer needs no earlier event. It should ignore events with a lower
 * sequence than it has seen.
 */
const product = z.object({
  id: z.string(),
  sku: z.string(),
  name: z.string(),
  slug: z.string(),
  image: z.string().nullable().meta({ description: 'The address of its first picture.' }),
  categoryIds: z.array(z.string()),
  price: money,
  tradePrice: money.nullable().meta({ description: 'For approved trade customers only.' }),
  status: z.enum(['draft', 'active', 'archived']),
  stock: z.int().meta({ description: 'How many are in stock and not reserved for orders.' }),
  counted,
  available: z.boolean().meta({ description: 'It is active, and some of it is in stock and not reserved.' }),
  options: z
    .array(z.object({ name: z.string(), values: z.array(z.string()) }))
    .optional()
    .meta({ description: 'In what its variants differ; empty for a product that is its own only variant.' }),
  variants: z.array(variant).optional().meta({ description: 'At least one of them is active.' }),
  taxClass: z.enum(['standard', 'reduced', 'zero']).optional(),
  weight: z.int().nullable().optional().meta({ description: 'In grams.' }),
  quantityPrices: quantityPrices.optional().meta({
    description: 'Prices of each unit for approved trade customers, from so many units on; the smallest number first.',
  }),
  availableFrom: z.iso.datetime().nullable().optional(),
  backOrders: z
    .object({ allowed: z.boolean(), text: z.string().nullable() })
    .optional()
    .meta({ description: 'Whether it may be sold while none is in stock.' }),
});
export type ProductFacts = z.infer<typeof product>;

export const productCreated = defineEvent('catalog.product-created', 'There is a new product.', product);

export const productChanged = defineEvent(
  'catalog.product-changed',
  'Something about a product is different, its stock apart.',
  product,
);

export const productDeleted = defineEvent(
  'catalog.product-deleted',
  'A product is gone for good.',
  z.object({ id: z.string(), sku: z.string(), name: z.string() }),
);

export const productSnapshot = defineEvent(
  'catalog.product-snapshot',
  'The present state of a product, published again by `republish` so that copies can be rebuilt; of a deleted one its last state.',
  product.extend({ deleted: z.boolean() }),
);

export const stockChanged = defineEvent(
  'catalog.stock-changed',
  'There is more or less of a product.',
  product.extend({
    change: z.int().meta({
      description:
        'How many came (above zero) or went, by a count or for orders; 0 where reserved pieces were shipped.',
    }),
    variantId: z.string().optional().meta({ description: 'The variant of which.' }),
    reason: z.string().nullable().meta({
      description:
        'Of orders: `order-reserved`, `order-cancelled`, `order-shipped` or `order-returned`. All else is what staff or programs have written.',
    }),
  }),
);

export const freeStockChanged = defineEvent(
  'catalog.free-stock-changed',
  'Orders have reserved pieces, or given some back. Where a variant is sold out by that, or can be bought again, its product has `stock-changed` instead.',
  z.object({
    products: z.array(product.extend({ sequence: z.int().meta({ description: 'The version of the product.' }) })),
  }),
);

export const stockLow = defineEvent(
  'catalog.stock-low',
  'What is in stock of a variant and not reserved for orders has fallen to the threshold of its product, or below it. Until it has been above it again, there is no other.',
  z.object({
    id: z.string(),
    variantId: z.string(),
    sku: z.string().meta({ description: 'Of the variant.' }),
    name: z.string(),
    values: z.array(z.string()),
    stock: z.int(),
    threshold: z.int(),
  }),
);

/** What catalog answers about an order, which is the event's subject. The answer to a repeated request is the same. */
export const stockReserved = defineEvent(
  'catalog.stock-reserved',
  'All lines of the order are reserved, until the order is shipped or cancelled. Names and prices are those of this moment.',
  z.object({
    currency: z.string(),
    lines: z.array(
      z.object({
        lineId: z.string(),
        productId: z.string(),
        variantId: z.string(),
        quantity: z.int(),
        backOrdered: z.int().meta({ description: 'How many of them are not in stock yet.' }),
        sku: z.string(),
        name: z.string(),
        values: z.array(z.string()).meta({ description: "The variant's values of the product's options." }),
        image: z.string().nullable(),
        unitPrice: z.int().meta({ description: 'For the tier and the quantity, in minor units.' }),
        taxClass: z.enum(['standard', 'reduced', 'zero']),
        weight: z.int().nullable().meta({ description: 'In grams.' }),
      }),
    ),
  }),
);
export type StockReserved = z.infer<typeof stockReserved.data>;

export const stockRefused = defineEvent(
  'catalog.stock-refused',
  'Nothing of the order is reserved. The lines are those that can not be sold so.',
  z.object({
    lines: z.array(
      z.object({
        lineId: z.string(),
        reason: z.enum(['unavailable', 'not_enough_stock', 'other_currency']),
        available: z.int().meta({ description: 'How many there are.' }),
      }),
    ),
  }),
);
export type StockRefused = z.infer<typeof stockRefused.data>;
