import type { Repository } from '@storefront/mongo';
import { shareList, type Wishlist, type WishlistOwner } from '../domain/wishlist.ts';
import type { ShareTokens } from '../secrets/share-tokens.ts';

interface Needs {
  readonly wishlists: Repository<Wishlist>;
  readonly shareTokens: ShareTokens;
  readonly now: () => Date;
}

/** Makes a link to the wishlist; an earlier one ends with it. The token is returned only here. */
export async function shareWishlist(
  { wishlists, shareTokens, now }: Needs,
  owner: WishlistOwner,
): Promise<{ token: string; createdAt: Date }> {
  const token = shareTokens.create();
  const createdAt = now();
  await wishlists.change(owner.userId, (list) => shareList(list, owner, shareTokens.hash(token), createdAt));
  return { token, createdAt };
}
