import type { Loaded, Repository } from '@storefront/mongo';
import { removeItem, type Wishlist, type WishlistOwner } from '../domain/wishlist.ts';

interface Needs {
  readonly wishlists: Repository<Wishlist>;
}

/** Removes an item. `expect` throws where the client has seen another version of the list. */
export async function removeWishlistItem(
  { wishlists }: Needs,
  { owner, itemId, expect }: { owner: WishlistOwner; itemId: string; expect: (version: number) => void },
): Promise<Loaded<Wishlist>> {
  const { result, version } = await wishlists.change(owner.userId, (list, current) =>
    removeItem(list, owner, itemId, current, expect),
  );
  return { state: result, version };
}
