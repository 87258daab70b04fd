import { z } from 'zod';
import { catalogErrors } from '../../errors/catalog.ts';
import { commonErrors } from '../../errors/common.ts';
import { idSchema } from '../../ids.ts';
import { created, digits, line, money, nonEmpty, page, pageQuery, text, timestamp } from '../common.ts';
import { commaSeparated } from '../lists.ts';
import { operation, operationsOf } from '../operation.ts';
import { attributes, knownAttributes } from './attributes.ts';
import { mostPictures, pictureAddress, productImage } from './pictures.ts';
import { productCount, productCounts, productFacet, productFilters, withAttributeFilters } from './product-search.ts';
import { sellingCreation, sellingFields, shownSelling } from './selling.ts';
import { slug } from './slug.ts';
import { sku, stock } from './stock-keeping.ts';
import {
  checkVariants,
  mostVariants,
  priceRange,
  productOptions,
  shownOptions,
  variant,
  variantCreation,
} from './variants.ts';

export const productStatus = z.enum(['draft', 'active', 'archived']);
export type ProductStatus = z.infer<typeof productStatus>;

const image = z.strictObject({
  url: pictureAddress,
  alt: line(200, 0)
    .default('')
    .meta({ description: 'Text for those who do not see it.', examples: ['A blue mug'] }),
});

/** The fields of a product in a request. */
export const productFields = {
  sku,
  name: line(200).meta({ examples: ['Blue mug'] }),
  slug,
  description: text(5000)
    .nullable()
    .meta({ examples: ['Holds 300 ml.'] }),
  categoryIds: z
    .array(idSchema('cat'))
    .max(20)
    .refine((ids) => new Set(ids).size === ids.length, { error: 'must not name a category twice' })
    .meta({ description: 'The categories that it is in, each once.' }),
  attributes,
  images: z.array(image).max(mostPictures).meta({ description: 'The first one is shown in lists.' }),
  price: money.meta({ description: "The retail price, in the shop's currency." }),
  tradePrice: money
    .nullable()
    .meta({ description: 'The price for trade accounts; null where it is the retail price.' }),
  stock,
  status: productStatus.meta({ description: 'Shoppers see active products only.' }),
};

export const productCreation = z
  .strictObject({
    sku: productFields.sku,
    name: productFields.name,
    slug: slug.optional().meta({ description: 'Made from the name where it is left out.' }),
    description: productFields.description.default(null),
    categoryIds: productFields.categoryIds.default([]),
    attributes: productFields.attributes.default({}),
    images: productFields.images.default([]),
    price: productFields.price,
    tradePrice: productFields.tradePrice.default(null),
    stock: productFields.stock.default(0),
    status: productFields.status.default('active'),
    ...sellingCreation,
    options: productOptions.default([]),
    variants: z
      .array(variantCreation)
      .max(mostVariants)
      .default([])
      .meta({
        description:
          'Its variants, each with its own stock. Left out where there are options, it begins with one variant, which has the ' +
          "first value of each option and the product's SKU and stock.",
      }),
  })
  .superRefine(checkVariants)
  .meta({
    id: 'ProductCreation',
    examples: [
      {
        sku: 'MUG-0001',
        name: 'Blue mug',
        description: 'Holds 300 ml.',
        categoryIds: ['cat_01h455vb4pex5vsknk084sn02q'],
        attributes: { colour: 'blue', volume_ml: 300 },
        images: [{ url: `https://images.example.com/mug.jpg`, alt: 'A blue mug' }],
        price: { amount: 1999, currency: 'EUR' },
        tradePrice: { amount: 1499, currency: 'EUR' },
        stock: 120,
      },
    ],
  });
export type ProductCreation = z.output<typeof productCreation>;

export const productChange = z
  .strictObject({
    ...productFields,
    attributes: attributes.meta({ description: 'Replaces all attributes.' }),
    stock: productFields.stock.meta({
      description:
        'The stock as counted, with what is reserved for orders. For goods that arrive or leave use ' +
        '`POST /v1/products/{id}/stock`, which adds up.',
    }),
    ...sellingFields,
    options: productOptions,
  })
  .partial()
  .refine(...nonEmpty)
  .meta({
    id: 'ProductChange',
    minProperties: 1,
    examples: [{ price: { amount: 1799, currency: 'EUR' }, status: 'active' }],
  });
export type ProductChange = z.output<typeof productChange>;

export const stockChange = z
  .strictObject({
    change: z
      .int()
      .min(-1_000_000)
      .max(1_000_000)
      .refine((change) => change !== 0, { error: 'must not be 0' })
      .meta({ description: 'How many arrive (above zero) or leave (below zero).', examples: [-3] }),
    reason: line(200)
      .optional()
      .meta({ description: 'Part of the event about the change.', examples: ['Broken in transit'] }),
  })
  .meta({ id: 'StockChange', examples: [{ change: -3, reason: 'Broken in transit' }] });

export const product = z
  .object({
    id: idSchema('prod'),
    sku: z.string().meta({ examples: ['MUG-0001'] }),
    name: z.string().meta({ examples: ['Blue mug'] }),
    slug: z.string().meta({ examples: ['blue-mug'] }),
    description: z.string().nullable(),
    categoryIds: z.array(z.string()),
    attributes: knownAttributes.meta({ examples: [{ colour: 'blue', volume_ml: 300 }] }),
    images: z.array(productImage),
    price: money.meta({ description: 'The retail price.' }),
    tradePrice: money.nullable().optional().meta({ description: 'Only in answers to trade accounts and staff.' }),
    priceRange,
    stock: z.int().meta({
      description:
        'How many are in stock and not reserved for orders: the sum of its active variants. Staff see the stock as counted.',
    }),
    reserved: z.int().optional().meta({
      description: 'How many of the counted stock are reserved for orders. Only in answers to staff.',
    }),
    status: productStatus,
    ...shownSelling,
    options: shownOptions,
    variants: z
      .array(variant)
      .meta({ description: 'At least one. Shoppers see active ones only. A product without options is its own.' }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Product' });
export type ProductBody = z.output<typeof product>;
export const productPage = page(product)
  .extend({
    count: productCount.optional().meta({ description: 'How many products the list has; with `count=true`.' }),
    facets: z.array(productFacet).optional().meta({ description: 'In the order in which `facets` names them.' }),
  })
  .meta({ id: 'ProductPage' });
export type ProductPage = z.output<typeof productPage>;

export const productParams = z.object({ id: idSchema('prod') });

export const productSort = z.enum(['relevance', 'newest', 'price', '-price', 'name']);
export type ProductSort = z.infer<typeof productSort>;

const priceLimit = digits(0, 1_000_000_000_000);

const mostIds = 100;
const idLength = 40;

const productQueryFields = z.strictObject({
  ...pageQuery,
  ids: commaSeparated(idSchema('prod'), mostIds, idLength)
    .optional()
    .meta({
      description: `Only these products: up to ${mostIds} ids, by commas. Those that are not there are left out.`,
      examples: ['prod_01h455vb4pex5vsknk084sn02q,prod_01h455vb4pex5vsknk084sn02r'],
    }),
  slug: slug.optional().meta({ description: 'Only the product with this slug.', examples: ['blue-mug'] }),
  ...productFilters,
  q: line(200)
    .optional()
    .meta({
      description:
        'Words to search for in name, SKU, names of categories, texts of attributes and the beginning of the description, whatever ' +
        'their case and accents. All have to match, each a word, its beginning or, from five letters on, a word with one ' +
        'letter wrong, missing, added or swapped with the next. Of Chinese, Japanese and Thai, any part of a name.',
      examples: ['blue mug'],
    }),
  minPrice: priceLimit
    .optional()
    .meta({ description: 'The lowest retail price, in minor units, included.', examples: [1000] }),
  maxPrice: priceLimit
    .optional()
    .meta({ description: 'The highest retail price, in minor units, included.', examples: [2500] }),
  sort: productSort.optional().meta({
    description:
      '`relevance`, the default with `q` and only with it: whole words before beginnings before words with a wrong letter, then ' +
      'names before SKUs, categories and attributes before descriptions, then the newest. Without `q` the newest are first. ' +
      '`-price` is the highest price first.',
    examples: ['price'],
  }),
  status: productStatus.optional().meta({
    description: 'Only staff may name another status than `active`; without it they see all.',
    examples: ['active'],
  }),
  ...productCounts,
});

export const productQuery = withAttributeFilters(productQueryFields)
  .refine(({ minPrice, maxPrice }) => minPrice === undefined || maxPrice === undefined || minPrice <= maxPrice, {
    path: ['maxPrice'],
    error: 'must not be below minPrice',
  })
  .refine(({ q, sort }) => q !== undefined || sort !== 'relevance', {
    path: ['sort'],
    error: 'must not be relevance without q',
  });
export type ProductQuery = z.output<typeof productQuery>;

const tags = ['products'];

export const productOperations = operationsOf(
  operation({
    id: 'listProducts',
    method: 'GET',
    path: '/v1/products',
    access: 'public',
    roles: ['catalog', 'marketing', 'sales', 'support'],
    scope: 'catalog:read',
    optionalToken: true,
    publicSeconds: 30,
    tags,
    summary: 'List and search products',
    description:
      'Only trade accounts and staff see trade prices. A product is sorted, filtered and counted by the lowest retail price of its ' +
      'active variants. Another instance of the service may search, filter and count by a change up to two seconds after it was made.',
    query: productQuery,
    responses: { 200: productPage },
    errors: [commonErrors.roleRequired],
  }),
  operation({
    id: 'getProduct',
    method: 'GET',
    path: '/v1/products/{id}',
    access: 'public',
    roles: ['catalog', 'marketing', 'sales', 'support'],
    scope: 'catalog:read',
    optionalToken: true,
    publicSeconds: 30,
    versioned: true,
    tags,
    summary: 'Read a product',
    description: 'One that is not active is 404 unless staff read it.',
    params: productParams,
    responses: { 200: product },
  }),
  operation({
    id: 'createProduct',
    method: 'POST',
    path: '/v1/products',
    access: 'staff',
    roles: ['catalog'],
    scope: 'catalog:write',
    idempotent: true,
    versioned: true,
    tags,
    summary: 'Create a product',
    description: "Prices have to be in the shop's currency.",
    body: productCreation,
    responses: { 201: created(product) },
    errors: [catalogErrors.skuTaken, catalogErrors.slugTaken],
  }),
  operation({
    id: 'changeProduct',
    method: 'PATCH',
    path: '/v1/products/{id}',
    access: 'staff',
    roles: ['catalog'],
    scope: 'catalog:write',
    versioned: true,
    tags,
    summary: 'Change a product',
    description:
      'Fields that are left out stay as they are. A slug does not follow a change of the name. Options stay in their places, ' +
      'where they may be renamed, gain values, and lose those that no variant has. A variant gets the first value of an ' +
      'option that is added at the end; the first options make the product itself the first variant, which keeps SKU, stock ' +
      'and id. The last options can be removed as long as no two variants become the same. `images` are all pictures in ' +
      'their order: an uploaded one stays where one of its addresses is named, and is deleted a day later where none is.',
    params: productParams,
    body: productChange,
    responses: { 200: product },
    errors: [
      catalogErrors.skuTaken,
      catalogErrors.slugTaken,
      catalogErrors.optionInUse,
      catalogErrors.variantRequired,
      catalogErrors.stockReserved,
    ],
  }),
  operation({
    id: 'deleteProduct',
    method: 'DELETE',
    path: '/v1/products/{id}',
    access: 'staff',
    roles: ['catalog'],
    scope: 'catalog:write',
    versioned: true,
    tags,
    summary: 'Delete a product',
    description:
      'Deletes it for good and frees its SKU and slug. Archive a product that is only no longer sold. While orders have ' +
      'reserved some of it, it can only be archived.',
    params: productParams,
    responses: { 204: null },
    errors: [catalogErrors.stockReserved],
  }),
  operation({
    id: 'changeStock',
    method: 'POST',
    path: '/v1/products/{id}/stock',
    access: 'staff',
    roles: ['catalog'],
    scope: 'catalog:write',
    idempotent: true,
    versioned: true,
    tags,
    summary: 'Add to the stock or take from it',
    description:
      'Concurrent changes add up, and the stock never goes below zero. What is reserved for orders can be taken only where ' +
      'back orders are allowed. Where a product has options, name the variant.',
    params: productParams,
    body: stockChange,
    responses: { 200: product },
    errors: [catalogErrors.insufficientStock, catalogErrors.variantRequired],
  }),
);
