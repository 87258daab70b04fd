import type { App } from '@storefront/service-kit';
import { addressRoutes } from './routes/addresses.ts';
import type { AppParts } from './routes/app-parts.ts';
import { customerRoutes } from './routes/customers.ts';
import { sharedWishlistRoutes } from './routes/shared-wishlists.ts';
import { wishlistRoutes } from './routes/wishlist.ts';

/** All routes of the service. */
export function buildApp(parts: AppParts): (app: App) => void {
  return (app) => {
    addressRoutes(app, parts);
    wishlistRoutes(app, parts);
    sharedWishlistRoutes(app, parts);
    customerRoutes(app, parts);
  };
}
