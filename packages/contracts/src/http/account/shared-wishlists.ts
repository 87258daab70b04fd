import { z } from 'zod';
import { created, money, timestamp } from '../common.ts';
import { shownPictureAddress } from '../catalog/pictures.ts';
import { wishedVariant } from './wishlist.ts';
import { operation, operationsOf } from '../operation.ts';

export const wishlistShare = z
  .object({
    token: z.string().meta({ description: 'It is shown in this answer only.' }),
    path: z.string().meta({ examples: ['/v1/wishlists/shared/…'] }),
    createdAt: timestamp,
  })
  .meta({ id: 'WishlistShare' });

export const sharedWishlist = z
  .object({
    items: z.array(
      z.object({
        productId: z.string(),
        variant: wishedVariant,
        productName: z.string(),
        price: money.meta({ description: 'The retail price.' }),
        productImage: shownPictureAddress.nullable().meta({ description: 'Where its first picture is.' }),
        available: z.boolean().meta({ description: 'False where it is out of stock, withdrawn or deleted.' }),
      }),
    ),
  })
  .meta({ id: 'SharedWishlist' });
export type SharedWishlistBody = z.output<typeof sharedWishlist>;

export const sharedWishlistParams = z.object({
  token: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/)
    .meta({
      description: 'The token of the link.',
      examples: ['3q2-7wAAx5vK8mTn0LbRZc4yQdW1uHsJfEoPgiXkVtM'],
    }),
});

const tags = ['wishlist'];

export const sharedWishlistOperations = operationsOf(
  operation({
    id: 'shareWishlist',
    method: 'POST',
    path: '/v1/wishlist/share',
    access: 'user',
    idempotent: true,
    tags,
    summary: 'Create a link to the wishlist',
    description: 'Anybody with the link sees the products, but not the owner. It replaces an earlier link.',
    responses: { 201: created(wishlistShare) },
  }),
  operation({
    id: 'unshareWishlist',
    method: 'DELETE',
    path: '/v1/wishlist/share',
    access: 'user',
    tags,
    summary: 'Delete the link to the wishlist',
    description: 'Also succeeds where there is none.',
    responses: { 204: null },
  }),
  operation({
    id: 'getSharedWishlist',
    method: 'GET',
    path: '/v1/wishlists/shared/{token}',
    access: 'public',
    tags,
    summary: 'Read a shared wishlist',
    description: 'Prices are retail prices for every reader.',
    params: sharedWishlistParams,
    responses: { 200: sharedWishlist },
  }),
);
