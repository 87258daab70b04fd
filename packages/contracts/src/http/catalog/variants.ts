import { z } from 'zod';
import { idSchema } from '../../ids.ts';
import { line, money, nonEmpty } from '../common.ts';
import { pictureAddress, shownPictureAddress } from './pictures.ts';
import { quantityPrices, shownQuantityPrices } from './selling.ts';
import { sku, skuKey, stock, weight } from './stock-keeping.ts';

export const mostVariants = 100;
export const mostOptions = 3;
const mostValues = 50;

const hasNoTwins = (texts: readonly string[]) => new Set(texts.map((text) => text.toLowerCase())).size === texts.length;

export const productOption = z
  .strictObject({
    name: line(60).meta({ examples: ['Size'] }),
    values: z
      .array(line(60))
      .min(1)
      .max(mostValues)
      .refine(hasNoTwins, { error: 'must not have a value twice' })
      .meta({ description: 'In the order in which a shop shows them.', examples: [['S', 'M', 'L']] }),
  })
  .meta({ id: 'ProductOption', examples: [{ name: 'Size', values: ['S', 'M', 'L'] }] });
export type ProductOption = z.output<typeof productOption>;

export const productOptions = z
  .array(productOption)
  .max(mostOptions)
  .refine((options) => hasNoTwins(options.map(({ name }) => name)), { error: 'must not have a name twice' })
  .meta({ description: 'In what its variants differ. Empty for a product that is its own only variant.' });

/** In an answer. */
export const shownOptions = z
  .array(
    z.object({
      name: z.string().meta({ examples: ['Size'] }),
      values: z.array(z.string()).meta({ examples: [['S', 'M']] }),
    }),
  )
  .meta({ description: 'In what its variants differ. Empty for a product that is its own only variant.' });

export const variantStatus = z.enum(['active', 'archived']);
export type VariantStatus = z.infer<typeof variantStatus>;

/** The fields of a variant in a request. */
export const variantFields = {
  sku: sku.meta({ examples: ['MUG-0001-S'] }),
  values: z
    .array(line(60))
    .max(mostOptions)
    .meta({
      description: "One value of each of the product's options, in their order. No two variants have the same.",
      examples: [['S']],
    }),
  price: money.nullable().meta({ description: "The retail price; null where it is the product's." }),
  tradePrice: money.nullable().meta({ description: "The price for trade accounts; null where it is the product's." }),
  quantityPrices: quantityPrices.nullable().meta({
    description: "Prices for trade accounts by quantity; null where they are the product's.",
  }),
  stock,
  weight: weight.meta({ description: "In grams; null where it is the product's." }),
  image: pictureAddress.nullable().meta({ description: "Its picture; null where it is the product's first one." }),
  status: variantStatus.meta({ description: 'Only active variants are for sale.' }),
};

export const variantCreation = z
  .strictObject({
    sku: variantFields.sku,
    values: variantFields.values,
    price: variantFields.price.default(null),
    tradePrice: variantFields.tradePrice.default(null),
    quantityPrices: variantFields.quantityPrices.default(null),
    stock: variantFields.stock.default(0),
    weight: variantFields.weight.default(null),
    image: variantFields.image.default(null),
    status: variantFields.status.default('active'),
  })
  .meta({
    id: 'VariantCreation',
    examples: [{ sku: 'SHIRT-0001-S', values: ['S'], price: { amount: 1799, currency: 'EUR' }, stock: 40 }],
  });
export type VariantCreation = z.output<typeof variantCreation>;

export const variantChange = z
  .strictObject({
    ...variantFields,
    stock: variantFields.stock.meta({
      description:
        'The stock as counted, with what is reserved for orders. For goods that arrive or leave use ' +
        '`POST /v1/products/{id}/variants/{variantId}/stock`, which adds up.',
    }),
  })
  .partial()
  .refine(...nonEmpty)
  .meta({
    id: 'VariantChange',
    minProperties: 1,
    examples: [{ price: { amount: 1899, currency: 'EUR' } }],
  });
export type VariantChange = z.output<typeof variantChange>;

/** A variant in an answer. */
export const variant = z
  .object({
    id: idSchema('var'),
    sku: z.string().meta({ examples: ['MUG-0001-S'] }),
    values: z.array(z.string()).meta({ description: "One of each of the product's options.", examples: [['S']] }),
    price: variantFields.price,
    tradePrice: variantFields.tradePrice
      .optional()
      .meta({ description: 'Only in answers to trade accounts and staff.' }),
    quantityPrices: shownQuantityPrices
      .nullable()
      .optional()
      .meta({ description: 'Only in answers to trade accounts and staff.' }),
    stock: z.int().meta({
      description: 'How many are in stock and not reserved for orders. Staff see the stock as counted.',
    }),
    reserved: z.int().optional().meta({
      description: 'How many of the counted stock are reserved for orders. Only in answers to staff.',
    }),
    weight: variantFields.weight,
    image: shownPictureAddress.nullable(),
    status: variantStatus,
  })
  .meta({ id: 'ProductVariant' });
export type VariantBody = z.output<typeof variant>;

/** The lowest and the highest retail price of the active variants of a product. */
export const priceRange = z.object({ min: money, max: money }).meta({
  id: 'PriceRange',
  description: 'The lowest and the highest retail price of its active variants.',
});

/** Says why a variant can't have these values of the options; null if it can. */
export function whyUnfit(options: readonly { name: string; values: readonly string[] }[], values: readonly string[]) {
  if (values.length !== options.length) return `must be one value of each of the ${options.length} options`;
  const unfit = options.find((option, index) => !option.values.includes(values[index] ?? ''));
  return unfit === undefined ? null : `must have a value that the option ${unfit.name} has`;
}

/** The same text for the same values. */
export function combinationOf({ values }: { readonly values: readonly string[] }): string {
  return JSON.stringify(values);
}

/** For `.superRefine`: the variants of a new product fit its options and each other. */
export function checkVariants(
  product: {
    readonly options: readonly ProductOption[];
    readonly variants: readonly VariantCreation[];
    readonly stock: number;
  },
  context: z.core.$RefinementCtx,
): void {
  const { options, variants, stock: ownStock } = product;
  const refuse = (path: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path, message, input: product });
  if (variants.length === 0) return;
  if (options.length === 0) refuse(['options'], 'must be there where variants are');
  if (ownStock !== 0) refuse(['stock'], 'must be left out where variants have their own');
  if (variants.every(({ status }) => status !== 'active')) refuse(['variants'], 'must have an active one');
  const [combinations, skus] = [new Set<string>(), new Set<string>()];
  for (const [index, each] of variants.entries()) {
    const unfit = whyUnfit(options, each.values);
    if (unfit !== null) refuse(['variants', index, 'values'], unfit);
    else if (combinations.has(combinationOf(each))) refuse(['variants', index, 'values'], 'another variant has them');
    if (skus.has(skuKey(each.sku))) refuse(['variants', index, 'sku'], 'another variant has it');
    combinations.add(combinationOf(each));
    skus.add(skuKey(each.sku));
  }
}
