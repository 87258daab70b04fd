import type { Subscription } from '@storefront/messaging';
import type { UserData } from '@storefront/user-data';

interface Needs {
  readonly userData: UserData;
}

/** All events that the service handles, by queue. */
export function subscriptions({ userData }: Needs): Subscription[] {
  return [
    userData.subscription({
      async *collect() {
        yield {};
      },
      erase: async () => undefined,
    }),
  ];
}
