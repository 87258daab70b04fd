import { queues } from '@storefront/contracts';
import { subscription, type Subscription } from '@storefront/messaging';
import type { UserData } from '@storefront/user-data';
import { collectUserData } from '../commands/collect-user-data.ts';
import { eraseUserData } from '../commands/erase-user-data.ts';
import { onOrderPlaced } from './on-order-placed.ts';
import { onProductChanged, onProductTold } from './on-product-changed.ts';

type Parts = Parameters<typeof onProductChanged>[0] &
  Parameters<typeof onOrderPlaced>[0] &
  Parameters<typeof eraseUserData>[0] &
  Parameters<typeof collectUserData>[0] & { readonly userData: UserData };

/** All that the service listens to. */
export function subscriptions(parts: Parts): Subscription[] {
  return [
    subscription(queues.account.onProductChanged, onProductChanged(parts)),
    subscription(queues.account.onProductTold, onProductTold(parts)),
    subscription(queues.account.onOrderPlaced, [onOrderPlaced(parts)]),
    parts.userData.subscription({
      collect: ({ userId }) => collectUserData(parts, userId),
      erase: ({ userId }) => eraseUserData(parts, userId),
    }),
  ];
}
