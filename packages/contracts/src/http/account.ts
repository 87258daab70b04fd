import { addressOperations } from './account/addresses.ts';
import { customerOperations } from './account/customers.ts';
import { sharedWishlistOperations } from './account/shared-wishlists.ts';
import { wishlistOperations } from './account/wishlist.ts';
import { mergeOperations } from './operation.ts';

export * from './account/addresses.ts';
export * from './account/customers.ts';
export * from './account/shared-wishlists.ts';
export * from './account/wishlist.ts';

export const accountOperations = mergeOperations(
  addressOperations,
  wishlistOperations,
  sharedWishlistOperations,
  customerOperations,
);
