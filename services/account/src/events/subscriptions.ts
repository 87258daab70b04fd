import { catalogEvents, identityEvents, ordersEvents } from '@storefront/contracts';
import type { Subscription } from '@storefront/messaging';
import { onOrderPlaced } from './on-order-placed.ts';
import type { OrderParts } from './on-order-placed.ts';
import { onProductChanged } from './on-product-changed.ts';
import type { ProductParts } from './on-product-changed.ts';
import { onUserDataRequested } from './on-user-data-requested.ts';
import type { UserDataParts } from './on-user-data-requested.ts';

/** All that the service listens to. */
export function subscriptions(parts: ProductParts & OrderParts & UserDataParts): Subscription[] {
  return [
    {
      queue: 'account.on-product-changed',
      types: [
        catalogEvents.productCreated.type,
        catalogEvents.productChanged.type,
        catalogEvents.productDeleted.type,
        catalogEvents.stockChanged.type,
      ],
      handle: onProductChanged(parts),
    },
    {
      queue: 'account.on-order-placed',
      types: [ordersEvents.orderPlaced.type],
      handle: onOrderPlaced(parts),
    },
    {
      queue: 'account.on-user-data-requested',
      types: [
        identityEvents.userErasureRequested.type,
        identityEvents.userExportRequested.type,
        identityEvents.userErased.type,
      ],
      handle: onUserDataRequested(parts),
    },
  ];
}
