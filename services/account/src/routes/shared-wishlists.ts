import { accountHttp } from '@storefront/contracts';
import { callerOf, notFound } from '@storefront/service-kit';
import type { App } from '@storefront/service-kit';
import type { AppParts } from './app-parts.ts';
import { hashShareToken, newShareToken } from '../domain/share-token.ts';
import { shareList, unshareList } from '../domain/wishlist.ts';
import { sharedBody } from './wishlist-answers.ts';
import { ownerOf } from './wishlist.ts';

const tags = ['wishlist'];

export function sharedWishlistRoutes(app: App, { wishlists, wishlistReads, now }: AppParts): void {
  app.post(
    '/v1/wishlist/share',
    {
      config: { access: 'user', idempotent: true },
      schema: {
        tags,
        summary: 'Make a link to the wishlist',
        description: 'Whoever has it sees the products, not whose list it is. An earlier link ends with it.',
        operationId: 'shareWishlist',
        response: { 201: accountHttp.wishlistShare },
      },
    },
    async (request, reply) => {
      const owner = ownerOf(request);
      const token = newShareToken();
      const createdAt = now();
      await wishlists.change(owner.userId, (list) => shareList(list, owner, hashShareToken(token), createdAt));
      const path = `/v1/wishlists/shared/${token}`;
      void reply.code(201).header('location', path);
      return { token, path, createdAt: createdAt.toISOString() };
    },
  );

  app.delete(
    '/v1/wishlist/share',
    {
      config: { access: 'user' },
      schema: { tags, summary: 'End the link to the wishlist', operationId: 'unshareWishlist' },
    },
    async (request, reply) => {
      await wishlists.change(callerOf(request).sub, unshareList);
      return reply.code(204).send();
    },
  );

  app.get(
    '/v1/wishlists/shared/:token',
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'See a wishlist that somebody shared',
        operationId: 'getSharedWishlist',
        params: accountHttp.sharedWishlistParams,
        response: { 200: accountHttp.sharedWishlist },
      },
    },
    async (request) => {
      const list = await wishlistReads.shared(hashShareToken(request.params.token));
      if (!list) throw notFound('wishlist');
      return sharedBody(list, await wishlistReads.products(list.items.map(({ productId }) => productId)));
    },
  );
}
