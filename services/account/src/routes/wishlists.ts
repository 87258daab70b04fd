import { notFound, type accountOperations } from '@storefront/contracts';
import { etagOf, ifMatch, newIdFor, noteForReplay, noteOf, type Handlers } from '@storefront/http';
import type { FastifyReply } from 'fastify';
import {
  addWishlistItem,
  clearWishlist,
  mergeWishlist,
  removeWishlistItem,
  removeWishlistItems,
  shareWishlist,
} from '../commands/wishlists.ts';
import { tierOf } from '../domain/price.ts';
import { emptyList, itemAbout, unshareList, type Wishlist, type WishlistOwner } from '../domain/wishlist.ts';
import type { ShareTokens } from '../secrets/share-tokens.ts';
import type { Store } from '../store/collections.ts';
import type { WishlistReads } from '../store/wishlists.ts';
import { mergeOfNote, noteOfMerge } from './merge-note.ts';
import { createWishlistViews } from './show-wishlist.ts';

type WishlistOperation =
  | 'getWishlist'
  | 'addWishlistItem'
  | 'removeWishlistItem'
  | 'removeWishlistItems'
  | 'clearWishlist'
  | 'getWishlistInsights'
  | 'mergeWishlist'
  | 'shareWishlist'
  | 'unshareWishlist'
  | 'getSharedWishlist';

export function wishlistHandlers(
  parts: Pick<Store, 'wishlists'> & {
    readonly wishlistReads: WishlistReads;
    readonly shareTokens: ShareTokens;
    readonly now: () => Date;
    /** The public address of the API. */
    readonly apiUrl: string;
  },
): Pick<Handlers<typeof accountOperations>, WishlistOperation> {
  const { wishlists, wishlistReads, shareTokens } = parts;
  const { showWishlist, showItem, showInsights, showShared } = createWishlistViews(parts.apiUrl);

  return {
    async getWishlist({ caller }, reply) {
      const owner = ownerOf(caller);
      return answer(reply, owner, await listOf(owner));
    },

    addWishlistItem: {
      async handle(request, reply) {
        const owner = ownerOf(request.caller);
        const itemId = newIdFor(request, 'wli');
        const { item, product, isNew } = await addWishlistItem(parts, { ...request.body, owner, itemId });
        if (isNew) void reply.header('location', `/v1/wishlist/items/${item.id}`);
        void reply.code(isNew ? 201 : 200);
        return showItem(item, product, owner.tier);
      },
      async again({ caller, body }) {
        const owner = ownerOf(caller);
        const { state } = await listOf(owner);
        const item = itemAbout(state, body);
        const product = (await wishlistReads.products([body])).get(body.productId);
        if (!item || !product) throw notFound('wishlist item');
        return showItem(item, product, owner.tier);
      },
    },

    async removeWishlistItem(request, reply) {
      const owner = ownerOf(request.caller);
      const change = { owner, itemId: request.params.id, expect: ifMatch(request) };
      return answer(reply, owner, await removeWishlistItem(parts, change));
    },

    async removeWishlistItems(request, reply) {
      const owner = ownerOf(request.caller);
      const change = { ...request.query, owner, expect: ifMatch(request) };
      return answer(reply, owner, await removeWishlistItems(parts, change));
    },

    async clearWishlist(request, reply) {
      const owner = ownerOf(request.caller);
      return answer(reply, owner, await clearWishlist(parts, { owner, expect: ifMatch(request) }));
    },

    async getWishlistInsights({ caller }) {
      const owner = ownerOf(caller);
      const { state } = await listOf(owner);
      const ofVariants = state.items.flatMap(({ productId, variantId }) =>
        variantId === undefined ? [] : [productId],
      );
      const [products, histories] = await Promise.all([
        wishlistReads.products(state.items),
        wishlistReads.priceHistories(ofVariants),
      ]);
      return showInsights(state, products, histories, owner.tier);
    },

    mergeWishlist: {
      async handle(request) {
        const { items: wishes } = request.body;
        const owner = ownerOf(request.caller);
        const { list, ...outcome } = await mergeWishlist(parts, { owner, wishes });
        noteForReplay(request, noteOfMerge(wishes, outcome));
        return { wishlist: showWishlist(list, await wishlistReads.products(list.items), owner.tier), ...outcome };
      },
      async again(request) {
        const owner = ownerOf(request.caller);
        const { state } = await listOf(owner);
        const outcome = mergeOfNote(request.body.items, noteOf(request));
        return { wishlist: showWishlist(state, await wishlistReads.products(state.items), owner.tier), ...outcome };
      },
    },

    async shareWishlist({ caller }, reply) {
      const { token, createdAt } = await shareWishlist(parts, ownerOf(caller));
      const path = `/v1/wishlists/shared/${token}`;
      void reply.header('location', path);
      return { token, path, createdAt: createdAt.toISOString() };
    },

    async unshareWishlist({ caller }) {
      await wishlists.change(caller.sub, unshareList);
      return null;
    },

    async getSharedWishlist({ params }) {
      const list = await wishlistReads.shared(shareTokens.hash(params.token));
      if (!list) throw notFound('wishlist');
      return showShared(list, await wishlistReads.products(list.items));
    },
  };

  async function listOf(owner: WishlistOwner): Promise<{ state: Wishlist; version: number }> {
    return (await wishlists.load(owner.userId)) ?? { state: emptyList(owner), version: 0 };
  }

  // The ETag is weak: it is the version of the list, but names and prices of products may change without a new version.
  // So clients can use the ETag in `If-Match`, but not in `If-None-Match`.
  async function answer(
    reply: FastifyReply,
    owner: WishlistOwner,
    { state, version }: { state: Wishlist; version: number },
  ) {
    void reply.header('etag', `W/${etagOf(version)}`);
    return showWishlist(state, await wishlistReads.products(state.items), owner.tier);
  }
}

function ownerOf({ sub, role }: { sub: string; role: string }): WishlistOwner {
  return { userId: sub, tier: tierOf(role) };
}
