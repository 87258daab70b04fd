import type { Loaded, Repository } from '@storefront/mongo';
import { clearItems, type Wishlist, type WishlistOwner } from '../domain/wishlist.ts';

interface Needs {
  readonly wishlists: Repository<Wishlist>;
}

/** Removes all items. `expect` throws where the client has seen another version of the list. */
export async function clearWishlist(
  { wishlists }: Needs,
  { owner, expect }: { owner: WishlistOwner; expect: (version: number) => void },
): Promise<Loaded<Wishlist>> {
  const { result, version } = await wishlists.change(owner.userId, (list, current) =>
    clearItems(list, owner, current, expect),
  );
  return { state: result, version };
}
