import { notFound } from '@storefront/contracts';
import type { Repository } from '@storefront/mongo';
import type { KnownProduct } from '../domain/product.ts';
import { addItem, type Wishlist, type WishlistItem, type WishlistOwner } from '../domain/wishlist.ts';
import type { WishlistReads } from '../store/wishlists.ts';

interface Needs {
  readonly wishlists: Repository<Wishlist>;
  readonly wishlistReads: WishlistReads;
  readonly now: () => Date;
}

/**
 * Puts a product on the user's wishlist. `isNew` is false where it was there before this request; a repeated request has
 * the same `itemId`. Throws `not_found` for a product that can't be seen.
 */
export async function addWishlistItem(
  { wishlists, wishlistReads, now }: Needs,
  { owner, productId, itemId }: { owner: WishlistOwner; productId: string; itemId: string },
): Promise<{ item: WishlistItem; product: KnownProduct; isNew: boolean }> {
  const product = (await wishlistReads.wishable([productId])).get(productId);
  if (!product) throw notFound('product');
  const { result } = await wishlists.change(owner.userId, (list) => addItem(list, owner, { itemId, product }, now()));
  return { item: result.item, product, isNew: result.added || result.item.id === itemId };
}
