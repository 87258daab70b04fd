import { queues } from '@storefront/contracts';
import { subscription } from '@storefront/messaging';
import type { Subscription } from '@storefront/messaging';
import type { UserData } from '@storefront/user-data';
import { onCallbackReceived } from '../callbacks/events/on-callback-received.ts';
import type { WorkOffCallback } from '../callbacks/commands/work-off-callbacks.ts';

interface Needs {
  readonly userData: UserData;
  readonly workOffCallback: WorkOffCallback;
}

/** All events that the service handles, by queue. */
export function subscriptions(needs: Needs): Subscription[] {
  const { userData } = needs;
  return [
    subscription(queues.billing.onCallbackReceived, onCallbackReceived(needs)),
    userData.subscription({
      async *collect() {
        yield {};
      },
      erase: async () => undefined,
    }),
  ];
}
