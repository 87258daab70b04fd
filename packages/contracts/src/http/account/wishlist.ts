import { z } from 'zod';
import { accountErrors } from '../../errors/account.ts';
import { notFound } from '../../errors/common.ts';
import { idSchema } from '../../ids.ts';
import { created, money, timestamp } from '../common.ts';
import { shownPictureAddress } from '../catalog/pictures.ts';
import { operation, operationsOf } from '../operation.ts';

const productName = z.string().meta({ examples: ['Loose leaf tea'] });
const productImage = shownPictureAddress.nullable().meta({ description: 'Where its first picture is.' });
const variantId = idSchema('var').nullable().meta({
  description: 'The variant that is wished for; null where the item stands for the product.',
});
export const wishedVariant = z
  .object({
    id: idSchema('var'),
    sku: z.string().meta({ examples: ['SHIRT-M'] }),
    options: z
      .array(z.object({ name: z.string(), value: z.string() }))
      .meta({ description: 'What tells it from other variants.', examples: [[{ name: 'Size', value: 'M' }]] }),
    price: money,
    available: z.boolean().meta({ description: 'Whether it can be bought now.' }),
  })
  .nullable()
  .meta({
    id: 'WishedVariant',
    description: 'The variant as it is now; null where the item names none, or where the catalog has deleted it.',
  });
const available = z.boolean().meta({ description: 'False where it is out of stock, withdrawn or deleted.' });

export const wishlistItem = z
  .object({
    id: idSchema('wli'),
    productId: idSchema('prod'),
    variantId,
    variant: wishedVariant,
    productName,
    unitPrice: z.number().meta({
      description:
        'In major units of the currency, at the price for the caller: retail or trade. That of the variant, or of the cheapest one where ' +
        'the item names none.',
      examples: [19.99],
    }),
    createdAt: timestamp,
    productImage,
  })
  .meta({ id: 'WishlistItem' });
export type WishlistItemBody = z.output<typeof wishlistItem>;

export const wishlist = z
  .object({
    userId: idSchema('user'),
    items: z.array(wishlistItem).meta({ description: 'The newest first.' }),
  })
  .meta({ id: 'Wishlist' });
export type WishlistBody = z.output<typeof wishlist>;

export const wishlistItemCreation = z
  .strictObject({
    productId: idSchema('prod'),
    variantId: idSchema('var').optional().meta({
      description: 'The variant that is wished for. Where it is left out, the item stands for the product.',
    }),
  })
  .meta({ id: 'WishlistItemCreation', examples: [{ productId: 'prod_01h455vb4pex5vsknk084sn02q' }] });
export const wishlistItemsQuery = z.strictObject({
  productId: idSchema('prod'),
  variantId: idSchema('var').optional().meta({ description: 'Only the item of this variant.' }),
});
export const wishlistItemParams = z.object({ id: idSchema('wli') });

export const wishlistInsights = z
  .object({
    userId: idSchema('user'),
    items: z.array(
      z.object({
        id: idSchema('wli'),
        productId: idSchema('prod'),
        variantId,
        variant: wishedVariant,
        productName,
        productImage,
        available,
        priceAtAdding: money.meta({ description: 'The price when it was added.' }),
        price: money.meta({
          description:
            'What `unitPrice` of the wishlist is: the price now; the last known one where the product is deleted, and the one when it was ' +
            'added where the variant is.',
        }),
        lowestPrice: money.meta({
          description: "The lowest price since it was added, in the currency of today's price.",
        }),
        createdAt: timestamp,
      }),
    ),
  })
  .meta({ id: 'WishlistInsights' });
export type WishlistInsightsBody = z.output<typeof wishlistInsights>;

export const wishlistMerge = z
  .strictObject({
    items: z
      .array(wishlistItemCreation)
      .min(1)
      .max(100)
      .meta({ description: 'The products and variants of the wishlist kept before the login, the oldest first.' }),
  })
  .meta({ id: 'WishlistMerge', examples: [{ items: [{ productId: 'prod_01h455vb4pex5vsknk084sn02q' }] }] });

const merged = z.object({ productId: z.string(), variantId: z.string().optional() });

export const wishlistMerged = z
  .object({
    wishlist: z.object({ userId: idSchema('user'), items: z.array(wishlistItem) }),
    added: z.array(merged).meta({ description: 'What was not on the list before.' }),
    unknown: z.array(merged).meta({ description: 'The products and variants that the shop does not have.' }),
    noRoom: z.array(merged).meta({ description: 'What was left out because the list is full.' }),
  })
  .meta({ id: 'WishlistMerged' });
export type WishlistMergedBody = z.output<typeof wishlistMerged>;

const etag = { ETag: 'The version of the wishlist, as a weak tag.' };
const tags = ['wishlist'];

export const wishlistOperations = operationsOf(
  operation({
    id: 'getWishlist',
    method: 'GET',
    path: '/v1/wishlist',
    access: 'user',
    versioned: 'weak',
    tags,
    summary: 'Read the wishlist',
    description:
      'The newest item first. The tag stands for the items on the list; names and prices of products change ' +
      'without a new tag.',
    responses: { 200: wishlist },
  }),
  operation({
    id: 'addWishlistItem',
    method: 'POST',
    path: '/v1/wishlist/items',
    access: 'user',
    idempotent: true,
    tags,
    summary: 'Add a product to the wishlist',
    description:
      'Answers the item: 201 the first time, 200 where the same product and variant are on the list already. Each variant of a product ' +
      'can have an item, and so can the product. At most 500.',
    body: wishlistItemCreation,
    responses: {
      200: { description: 'It was on the list already.', body: wishlistItem },
      201: created(wishlistItem),
    },
    errors: [notFound, accountErrors.wishlistFull],
  }),
  operation({
    id: 'removeWishlistItem',
    method: 'DELETE',
    path: '/v1/wishlist/items/{id}',
    access: 'user',
    versioned: 'weak',
    tags,
    summary: 'Remove an item from the wishlist',
    description: 'By the id of the item, not of the product. Answers the remaining wishlist.',
    params: wishlistItemParams,
    responses: { 200: { body: wishlist, headers: etag } },
  }),
  operation({
    id: 'removeWishlistItems',
    method: 'DELETE',
    path: '/v1/wishlist/items',
    access: 'user',
    versioned: 'weak',
    tags,
    summary: 'Remove a product or a variant from the wishlist',
    description:
      'All items of the product, or the one of its variant where that is named. Answers the remaining wishlist, also where there was ' +
      'no such item.',
    query: wishlistItemsQuery,
    responses: { 200: { body: wishlist, headers: etag } },
  }),
  operation({
    id: 'clearWishlist',
    method: 'DELETE',
    path: '/v1/wishlist',
    access: 'user',
    versioned: 'weak',
    tags,
    summary: 'Remove all items from the wishlist',
    description: 'Answers the empty wishlist. A link to it stays.',
    responses: { 200: { body: wishlist, headers: etag } },
  }),
  operation({
    id: 'getWishlistInsights',
    method: 'GET',
    path: '/v1/wishlist/insights',
    access: 'user',
    tags,
    summary: 'Read price history and availability of the wishlist',
    description: 'For each item: the price when it was added, now, and the lowest since; and whether it can be bought.',
    responses: { 200: wishlistInsights },
  }),
  operation({
    id: 'mergeWishlist',
    method: 'POST',
    path: '/v1/wishlist/merge',
    access: 'user',
    idempotent: true,
    tags,
    summary: 'Merge a wishlist kept before the login',
    description:
      'Adds what is not on the list yet, as far as there is room: a product that is not there in any variant, and a variant that is ' +
      'not there itself.',
    body: wishlistMerge,
    responses: { 200: wishlistMerged },
  }),
);
