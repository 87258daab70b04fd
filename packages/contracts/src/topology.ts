import * as account from './events/account.ts';
import * as catalog from './events/catalog.ts';
import * as identity from './events/identity.ts';
import * as orders from './events/orders.ts';
import { userDataEvents } from './events/user-data.ts';

/**
 * Every durable queue of the system and what it takes. Each service declares all of them when it connects, so that a
 * fact published before its consumer has ever started waits for it.
 */
export interface QueueBinding {
  readonly queue: string;
  readonly types: readonly string[];
}

const aboutUserData = [
  identity.userErasureRequested.type,
  identity.userExportRequested.type,
  identity.userErased.type,
] as const;

export const topology = [
  {
    queue: 'identity.on-user-data-answered',
    types: Object.values(userDataEvents).flatMap(({ erased, exported }) => [erased.type, exported.type]),
  },
  { queue: 'engagement.on-user-registered', types: [identity.userRegistered.type] },
  { queue: 'engagement.on-user-verified', types: [identity.userVerified.type] },
  {
    queue: 'engagement.on-trade-account-changed',
    types: [
      identity.tradeAccountRegistered.type,
      identity.tradeAccountApproved.type,
      identity.tradeAccountRejected.type,
      identity.tradeAccountInfoRequested.type,
      identity.tradeAccountSuspended.type,
      identity.tradeAccountReinstated.type,
    ],
  },
  {
    queue: 'engagement.on-account-security',
    types: [
      identity.registrationAttempted.type,
      identity.loginThrottled.type,
      identity.passwordResetRequested.type,
      identity.passwordChanged.type,
    ],
  },
  { queue: 'engagement.on-wishlist-alert-raised', types: [account.wishlistAlertRaised.type] },
  { queue: 'engagement.on-user-export-ready', types: [identity.userExportReady.type] },
  { queue: 'engagement.on-user-data-requested', types: aboutUserData },
  {
    queue: 'account.on-product-changed',
    types: [
      catalog.productCreated.type,
      catalog.productChanged.type,
      catalog.productDeleted.type,
      catalog.stockChanged.type,
    ],
  },
  { queue: 'account.on-order-placed', types: [orders.orderPlaced.type] },
  { queue: 'account.on-user-data-requested', types: aboutUserData },
] as const satisfies readonly QueueBinding[];

export type QueueName = (typeof topology)[number]['queue'];
