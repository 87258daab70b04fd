import { queues } from '@storefront/contracts';
import { subscription, type Subscription } from '@storefront/messaging';
import { unlessErased, type UserData } from '@storefront/user-data';
import { onTradeAccountChanged } from '../accounts/events/on-trade-account-changed.ts';
import { onTradeAccountCorrected } from '../accounts/events/on-trade-account-corrected.ts';
import { onCallbackReceived } from '../callbacks/events/on-callback-received.ts';
import { onOrderPlaced } from '../invoices/events/on-order-placed.ts';
import { eraseUserData } from '../user-data/commands/erase-user-data.ts';

type Needs = Parameters<typeof onTradeAccountChanged>[0] &
  Parameters<typeof onOrderPlaced>[0] &
  Parameters<typeof onCallbackReceived>[0] &
  Parameters<typeof eraseUserData>[0] & { readonly userData: UserData };

/** All events that the service handles, by queue. */
export function subscriptions(needs: Needs): Subscription[] {
  const { userData } = needs;
  return [
    unlessErased(
      subscription(queues.billing.onTradeAccountChanged, onTradeAccountChanged(needs)),
      userData.erasedUsers,
      (userId) => eraseUserData(needs, userId),
    ),
    unlessErased(
      subscription(queues.billing.onTradeAccountCorrected, [onTradeAccountCorrected(needs)]),
      userData.erasedUsers,
      (userId) => eraseUserData(needs, userId),
    ),
    // About an order and not about a user: the command itself looks whether the user was erased.
    subscription(queues.billing.onOrderPlaced, [onOrderPlaced(needs)]),
    // About a payment and not about a user: money rules hold for the erased too.
    subscription(queues.billing.onCallbackReceived, onCallbackReceived(needs)),
  ];
}
