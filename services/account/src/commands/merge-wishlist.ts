import { newId } from '@storefront/contracts';
import type { Repository } from '@storefront/mongo';
import { mergeItems, type Wishlist, type WishlistOwner } from '../domain/wishlist.ts';
import type { WishlistReads } from '../store/wishlists.ts';

interface Needs {
  readonly wishlists: Repository<Wishlist>;
  readonly wishlistReads: WishlistReads;
  readonly now: () => Date;
}

interface Merged {
  readonly list: Wishlist;
  /** Ids of the products that were put on the list, that the shop does not have, and that did not fit. */
  readonly added: string[];
  readonly unknown: string[];
  readonly noRoom: string[];
}

/** Puts products on the user's wishlist, in their order and as many as fit. */
export async function mergeWishlist(
  { wishlists, wishlistReads, now }: Needs,
  { owner, productIds: given }: { owner: WishlistOwner; productIds: readonly string[] },
): Promise<Merged> {
  const productIds = [...new Set(given)];
  const wishable = await wishlistReads.wishable(productIds);
  const items = productIds.flatMap((id) => {
    const product = wishable.get(id);
    return product ? [{ product, itemId: newId('wli') }] : [];
  });
  const { result } = await wishlists.change(owner.userId, (list) => mergeItems(list, owner, items, now()));
  return { ...result, unknown: productIds.filter((id) => !wishable.has(id)) };
}
