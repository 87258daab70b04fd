import { accountHttp, idFromUuid, newId } from '@storefront/contracts';
import { callerOf, etagOf, ifMatch, notFound, seedOf } from '@storefront/service-kit';
import type { App } from '@storefront/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppParts } from './app-parts.ts';
import { tierOf } from '../domain/price.ts';
import { addWish, clearWishes, emptyList, mergeWishes, removeWish } from '../domain/wishlist.ts';
import type { Owner, Wishlist } from '../domain/wishlist.ts';
import { insightsBody, itemBody, wishlistBody } from './wishlist-answers.ts';

const tags = ['wishlist'];
const access = 'user' as const;

export function wishlistRoutes(app: App, { wishlists, wishlistReads, now }: AppParts): void {
  app.get(
    '/v1/wishlist',
    {
      config: { access },
      schema: {
        tags,
        summary: 'Read the wishlist',
        operationId: 'getWishlist',
        response: { 200: accountHttp.wishlist },
      },
    },
    async (request, reply) => {
      const owner = ownerOf(request);
      const { state, version } = await loaded(owner);
      return answer(reply, owner, state, version);
    },
  );

  app.post(
    '/v1/wishlist/items',
    {
      config: { access, idempotent: true },
      schema: {
        tags,
        summary: 'Put a product on the wishlist',
        description: 'Answers the item: 201 the first time, 200 where the product is on the list already.',
        operationId: 'addWishlistItem',
        body: accountHttp.wishlistItemCreation,
        response: { 200: accountHttp.wishlistItem, 201: accountHttp.wishlistItem },
      },
    },
    async (request, reply) => {
      const owner = ownerOf(request);
      const { productId } = request.body;
      const itemId = newItemId(seedOf(request));
      const product = (await wishlistReads.wishable([productId])).get(productId);
      if (!product) throw notFound('product');
      const { result } = await wishlists.change(owner.userId, (list) =>
        addWish(list, owner, { itemId, product }, now()),
      );
      // An item of this very id was made by this very request, perhaps at its first try.
      const isNew = result.added || result.item.id === itemId;
      if (isNew) void reply.header('location', `/v1/wishlist/items/${result.item.id}`);
      return reply.code(isNew ? 201 : 200).send(itemBody(result.item, product, owner.tier));
    },
  );

  app.delete(
    '/v1/wishlist/items/:id',
    {
      config: { access },
      schema: {
        tags,
        summary: 'Take an item off the wishlist',
        description: 'By the id of the item, not of the product. Answers what is left.',
        operationId: 'removeWishlistItem',
        params: accountHttp.wishlistItemParams,
        response: { 200: accountHttp.wishlist },
      },
    },
    async (request, reply) => {
      const owner = ownerOf(request);
      const expect = ifMatch(request);
      const { result, version } = await wishlists.change(owner.userId, (list, current) =>
        removeWish(list, owner, request.params.id, current, expect),
      );
      return answer(reply, owner, result, version);
    },
  );

  app.delete(
    '/v1/wishlist',
    {
      config: { access },
      schema: {
        tags,
        summary: 'Empty the wishlist',
        operationId: 'clearWishlist',
        response: { 200: accountHttp.wishlist },
      },
    },
    async (request, reply) => {
      const owner = ownerOf(request);
      const expect = ifMatch(request);
      const { result, version } = await wishlists.change(owner.userId, (list, current) =>
        clearWishes(list, owner, current, expect),
      );
      return answer(reply, owner, result, version);
    },
  );

  app.get(
    '/v1/wishlist/insights',
    {
      config: { access },
      schema: {
        tags,
        summary: 'See how prices went, and what can be bought',
        operationId: 'getWishlistInsights',
        response: { 200: accountHttp.wishlistInsights },
      },
    },
    async (request) => {
      const owner = ownerOf(request);
      const { state } = await loaded(owner);
      return insightsBody(state, await productsOf(state), owner.tier);
    },
  );

  app.post(
    '/v1/wishlist/merge',
    {
      config: { access, idempotent: true },
      schema: {
        tags,
        summary: 'Take over what somebody wished for before logging in',
        operationId: 'mergeWishlist',
        body: accountHttp.wishlistMerge,
        response: { 200: accountHttp.wishlistMerged },
      },
    },
    async (request) => {
      const owner = ownerOf(request);
      const productIds = [...new Set(request.body.productIds)];
      const wishable = await wishlistReads.wishable(productIds);
      const wanted = productIds.flatMap((id) => {
        const product = wishable.get(id);
        return product ? [{ product, itemId: newId('wli') }] : [];
      });
      const { result } = await wishlists.change(owner.userId, (list) => mergeWishes(list, owner, wanted, now()));
      return {
        wishlist: wishlistBody(result.list, await productsOf(result.list), owner.tier),
        added: result.added,
        unknown: productIds.filter((id) => !wishable.has(id)),
        noRoom: result.noRoom,
      };
    },
  );

  async function loaded(owner: Owner): Promise<{ state: Wishlist; version: number }> {
    return (await wishlists.load(owner.userId)) ?? { state: emptyList(owner), version: 0 };
  }

  function productsOf({ items }: Wishlist) {
    return wishlistReads.products(items.map(({ productId }) => productId));
  }

  // A weak tag: it stands for what the user put there. Names and prices go their own ways under it, so it is good for
  // `If-Match`, and no reason to spare an answer.
  async function answer(reply: FastifyReply, owner: Owner, list: Wishlist, version: number) {
    void reply.header('etag', `W/${etagOf(version)}`);
    return wishlistBody(list, await productsOf(list), owner.tier);
  }
}

export function ownerOf(request: FastifyRequest): Owner {
  const { sub, role } = callerOf(request);
  return { userId: sub, tier: tierOf(role) };
}

function newItemId(seed: string | undefined): string {
  return seed === undefined ? newId('wli') : idFromUuid('wli', seed);
}
