import { newId, notFound } from '@storefront/contracts';
import type { Loaded, Repository } from '@storefront/mongo';
import type { KnownProduct } from '../domain/product.ts';
import {
  addItem,
  clearItems,
  distinctWishes,
  isSold,
  keyOf,
  mergeItems,
  removeItem,
  removeItemsAbout,
  shareList,
  type Wish,
  type Wishlist,
  type WishlistItem,
  type WishlistOwner,
} from '../domain/wishlist.ts';
import type { ShareTokens } from '../secrets/share-tokens.ts';
import type { WishlistReads } from '../store/wishlists.ts';

interface Needs {
  readonly wishlists: Repository<Wishlist>;
  readonly wishlistReads: WishlistReads;
  readonly shareTokens: ShareTokens;
  readonly now: () => Date;
}

/** The wishlist of the owner. `expect` throws where the client has read another version of the list. */
interface Target {
  readonly owner: WishlistOwner;
  readonly expect: (version: number) => void;
}

/**
 * Puts a product, or one of its variants, on the user's wishlist. `isNew` is false where another request had put the
 * same on the list. It stays true for a repeated request, which has the same `itemId`. Throws `not_found` for a product
 * that shoppers can't see, and what `addItem` throws.
 */
export async function addWishlistItem(
  { wishlists, wishlistReads, now }: Needs,
  { owner, ...wish }: { owner: WishlistOwner; productId: string; variantId?: string | undefined; itemId: string },
): Promise<{ item: WishlistItem; product: KnownProduct; isNew: boolean }> {
  const { productId, variantId, itemId } = wish;
  const product = (await wishlistReads.wishable([{ productId, variantId }])).get(productId);
  if (!product) throw notFound('product');
  const newItem = { itemId, product, variantId };
  const { result } = await wishlists.change(owner.userId, (list) => addItem(list, owner, newItem, now()));
  return { item: result.item, product, isNew: result.added || result.item.id === itemId };
}

interface Merged {
  readonly list: Wishlist;
  /**
   * What was put on the list (`added`), what the shop does not have (`unknown`) and what did not fit (`noRoom`).
   */
  readonly added: Wish[];
  readonly unknown: Wish[];
  readonly noRoom: Wish[];
}

/** Puts products and variants on the user's wishlist in the given order, as many as fit. */
export async function mergeWishlist(
  { wishlists, wishlistReads, now }: Needs,
  { owner, wishes: given }: { owner: WishlistOwner; wishes: readonly Wish[] },
): Promise<Merged> {
  const wishes = distinctWishes(given);
  const wishable = await wishlistReads.wishable(wishes);
  const items = wishes.flatMap(({ productId, variantId }) => {
    const product = wishable.get(productId);
    return product && isSold(product, variantId) ? [{ product, variantId, itemId: newId('wli') }] : [];
  });
  const known = new Set(items.map(({ product, variantId }) => keyOf({ productId: product.id, variantId })));
  const { result } = await wishlists.change(owner.userId, (list) => mergeItems(list, owner, items, now()));
  return { ...result, unknown: wishes.filter((wish) => !known.has(keyOf(wish))) };
}

export async function removeWishlistItem(
  { wishlists }: Pick<Needs, 'wishlists'>,
  { owner, itemId, expect }: Target & { readonly itemId: string },
): Promise<Loaded<Wishlist>> {
  const { result, version } = await wishlists.change(owner.userId, (list, current) =>
    removeItem(list, owner, itemId, current, expect),
  );
  return { state: result, version };
}

/** Removes all items of a product, or the one of its variant if one is named. */
export async function removeWishlistItems(
  { wishlists }: Pick<Needs, 'wishlists'>,
  { owner, expect, ...wish }: Target & { readonly productId: string; readonly variantId?: string | undefined },
): Promise<Loaded<Wishlist>> {
  const { result, version } = await wishlists.change(owner.userId, (list, current) =>
    removeItemsAbout(list, owner, wish, current, expect),
  );
  return { state: result, version };
}

/** Removes all items of the wishlist. */
export async function clearWishlist(
  { wishlists }: Pick<Needs, 'wishlists'>,
  { owner, expect }: Target,
): Promise<Loaded<Wishlist>> {
  const { result, version } = await wishlists.change(owner.userId, (list, current) =>
    clearItems(list, owner, current, expect),
  );
  return { state: result, version };
}

/**
 * Makes a link to the wishlist; an earlier link stops working. Only this call returns the token, since only its hash is
 * stored.
 */
export async function shareWishlist(
  { wishlists, shareTokens, now }: Needs,
  owner: WishlistOwner,
): Promise<{ token: string; createdAt: Date }> {
  const token = shareTokens.create();
  const createdAt = now();
  await wishlists.change(owner.userId, (list) => shareList(list, owner, shareTokens.hash(token), createdAt));
  return { token, createdAt };
}
