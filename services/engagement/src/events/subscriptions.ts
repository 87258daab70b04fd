import type { Subscription } from '@storefront/messaging';
import type { ErasedUsers } from '@storefront/service-kit';
import type { Outreach } from '../outreach.ts';
import type { Recipients } from '../store/recipients.ts';
import type { UserData } from '../user-data.ts';
import { onAccountSecurity } from './on-account-security.ts';
import { onTradeAccountChanged } from './on-trade-account-changed.ts';
import { onUserDataRequested } from './on-user-data-requested.ts';
import { onUserExportReady } from './on-user-export-ready.ts';
import { onUserRegistered } from './on-user-registered.ts';
import { onUserVerified } from './on-user-verified.ts';
import { onWishlistAlertRaised } from './on-wishlist-alert-raised.ts';
import { subscription } from './reactions.ts';

export function subscriptions(parts: {
  outreach: Outreach;
  recipients: Recipients;
  userData: UserData;
  erasedUsers: ErasedUsers;
}): Subscription[] {
  const { outreach, recipients, userData, erasedUsers } = parts;
  return [
    ...[
      subscription('engagement.on-user-registered', onUserRegistered(outreach)),
      subscription('engagement.on-user-verified', onUserVerified(outreach, recipients)),
      subscription('engagement.on-trade-account-changed', onTradeAccountChanged(outreach)),
      subscription('engagement.on-account-security', onAccountSecurity(outreach)),
      subscription('engagement.on-user-export-ready', onUserExportReady(outreach)),
      subscription('engagement.on-wishlist-alert-raised', onWishlistAlertRaised(outreach, recipients)),
    ].map((each) => unlessErased(each, erasedUsers)),
    subscription('engagement.on-user-data-requested', onUserDataRequested(userData)),
  ];
}

/** Queues know no order among each other: what is about somebody may come after their erasure. */
function unlessErased(given: Subscription, erasedUsers: ErasedUsers): Subscription {
  return {
    ...given,
    handle: async (event, delivery) =>
      (await erasedUsers.has(event.subject)) ? 'done' : given.handle(event, delivery),
  };
}
