import type { Repository } from '@storefront/mongo';
import { unshareList, type Wishlist } from '../domain/wishlist.ts';

interface Needs {
  readonly wishlists: Repository<Wishlist>;
}

/** Ends the link to the user's wishlist, if there is one. */
export async function unshareWishlist({ wishlists }: Needs, userId: string): Promise<void> {
  await wishlists.change(userId, unshareList);
}
