import { queues } from '@storefront/contracts';
import { subscription, type Subscription } from '@storefront/messaging';
import type { Repository } from '@storefront/mongo';
import { unlessErased, type UserData } from '@storefront/user-data';
import { onCategoryChanged, onCategorySnapshot } from '../promotions/events/on-category-changed.ts';
import { onProductChanged, onProductSnapshot } from '../promotions/events/on-product-changed.ts';
import type { CopyRepositories } from '../promotions/store/catalog-copies.ts';
import type { Deliveries } from '../messaging/store/deliveries.ts';
import type { Suppressions } from '../messaging/store/suppressions.ts';
import type { MessageNeeds } from '../messaging/commands/send-notification.ts';
import type { PerformStep } from '../promotions/commands/perform-step.ts';
import { onOrderPlaced } from '../promotions/events/on-order-placed.ts';
import { gatheredAtOnce } from '../analytics/domain/facts/gathered-at-once.ts';
import { onFactPublished } from '../analytics/events/on-fact-published.ts';
import type { FactStore } from '../analytics/store/fact-store.ts';
import type { GatheredFacts } from '../analytics/store/gather-facts.ts';
import type { LimitCounts } from '../promotions/store/limit-counts.ts';
import type { Redemptions } from '../promotions/store/redemptions.ts';
import { onAdministratorChanged } from '../messaging/events/on-administrator-changed.ts';
import { onAccountSecurity } from '../messaging/events/on-account-security.ts';
import { onDiscountRetaken } from '../messaging/events/on-discount-retaken.ts';
import { onBillingChanged } from '../messaging/events/on-billing-changed.ts';
import { onTradeAccountChanged } from '../messaging/events/on-trade-account-changed.ts';
import { onUserExportReady } from '../messaging/events/on-user-export-ready.ts';
import { onUserRegistered } from '../messaging/events/on-user-registered.ts';
import { onUserSnapshot } from '../messaging/events/on-user-snapshot.ts';
import { onUserVerified } from '../messaging/events/on-user-verified.ts';
import { onWishlistAlertRaised } from '../messaging/events/on-wishlist-alert-raised.ts';
import type { Recipients } from '../messaging/store/recipients.ts';
import type { Notifications } from '../messaging/store/notifications.ts';
import type { CampaignDays } from '../promotions/store/campaign-days.ts';
import type { Preferences } from '../messaging/domain/preferences.ts';
import { eraseUserData } from '../user-data/commands/erase-user-data.ts';

interface Needs extends MessageNeeds {
  readonly campaignDays: Pick<CampaignDays, 'forget'>;
  readonly catalogCopies: CopyRepositories;
  readonly deliveries: Deliveries;
  readonly facts: Pick<FactStore, 'of' | 'forget'>;
  readonly gatheredFacts: GatheredFacts;
  readonly limitCounts: LimitCounts;
  readonly perform: PerformStep;
  readonly redemptions: Redemptions;
  readonly notifications: Notifications;
  readonly preferences: Repository<Preferences>;
  readonly recipients: Recipients;
  readonly suppressions: Suppressions;
  readonly userData: UserData;
}

/** All events that the service handles, by queue. */
export function subscriptions(needs: Needs): Subscription[] {
  const { userData } = needs;
  const { products, categories } = needs.catalogCopies;
  const takeBack = (subject: string) => eraseUserData(needs, { userId: subject, email: null });
  const queue = queues.engagement;
  const aboutUsers = [
    subscription(queue.onUserRegistered, onUserRegistered(needs)),
    subscription(queue.onUserVerified, onUserVerified(needs)),
    subscription(queue.onUserSnapshot, onUserSnapshot(needs)),
    subscription(queue.onTradeAccountChanged, onTradeAccountChanged(needs)),
    subscription(queue.onAccountSecurity, onAccountSecurity(needs)),
    subscription(queue.onAdministratorChanged, onAdministratorChanged(needs)),
    subscription(queue.onUserExportReady, onUserExportReady(needs)),
    subscription(queue.onWishlistAlertRaised, onWishlistAlertRaised(needs)),
  ];
  return [
    ...aboutUsers.map((each) => unlessErased(each, userData.erasedUsers, takeBack)),
    // About an invoice, a payment or an account: the handler itself looks whether the account was erased.
    subscription(queue.onBillingChanged, onBillingChanged({ ...needs, erasedUsers: userData.erasedUsers, takeBack })),
    // About an order and not about a user: the command itself looks whether the user was erased.
    subscription(queue.onOrderPlaced, [onOrderPlaced(needs)]),
    subscription(queue.onDiscountRetaken, onDiscountRetaken(needs)),
    subscription(queue.onProductChanged, onProductChanged(products)),
    subscription(queue.onProductSnapshot, onProductSnapshot(products)),
    subscription(queue.onCategoryChanged, onCategoryChanged(categories)),
    subscription(queue.onCategorySnapshot, onCategorySnapshot(categories)),
    // By the hundred a second and in any order: those of a moment are stored together.
    subscription(queue.onFactPublished, onFactPublished(needs.gatheredFacts), {
      prefetch: gatheredAtOnce,
      anyOrder: true,
    }),
  ];
}
