import type { EventContract } from './event.ts';
import * as account from './events/account.ts';
import { auditEvents } from './events/audit.ts';
import * as billing from './events/billing.ts';
import * as catalog from './events/catalog.ts';
import * as engagement from './events/engagement.ts';
import * as gateway from './events/gateway.ts';
import * as identity from './events/identity.ts';
import * as orders from './events/orders.ts';
import { userDataEvents } from './events/user-data.ts';

/**
 * For how many days a dead letter is kept. A record that prevents an event from taking effect twice must be kept
 * longer.
 */
export const deadLetterDays = 30;

/**
 * For how many days a record is kept that makes old events harmless, such as the ids of erased users or sent messages.
 * The time is three times that of a dead letter: an event may be replayed at the last moment, fail again, and be
 * replayed once more.
 */
export const eventRecordDays = 3 * deadLetterDays;

/**
 * A durable queue: its name, and the events that are routed to it. All instances of the consuming service share the
 * queue.
 */
export interface Queue<Contract extends EventContract = EventContract, Name extends string = string> {
  /** `<service>.on-<what>`. Never change a name: the new name is a new, empty queue. */
  readonly name: Name;
  readonly contracts: readonly Contract[];
}

/**
 * Declares a queue. If an event is removed from a queue, the broker still routes it there until an operator unbinds it.
 */
export function queue<const Name extends `${string}.on-${string}`, Contract extends EventContract>(
  name: Name,
  contracts: readonly Contract[],
): Queue<Contract, Name> {
  return { name, contracts };
}

const userDataRequests = [identity.userErasureRequested, identity.userExportRequested, identity.userErased];

/** Every durable queue of the system, by consuming service. */
export const queues = {
  identity: {
    onUserDataAnswered: queue(
      'identity.on-user-data-answered',
      Object.values(userDataEvents).flatMap(({ erased, exported }) => [erased, exported]),
    ),
    onUserDataPageExported: queue(
      'identity.on-user-data-page-exported',
      Object.values(userDataEvents).map(({ pageExported }) => pageExported),
    ),
    onActionAudited: queue('identity.on-action-audited', Object.values(auditEvents)),
    onPurchaseMade: queue('identity.on-purchase-made', [orders.orderPlaced, billing.invoiceIssued]),
  },
  engagement: {
    onUserRegistered: queue('engagement.on-user-registered', [identity.userRegistered]),
    onUserVerified: queue('engagement.on-user-verified', [identity.userVerified]),
    onUserChanged: queue('engagement.on-user-changed', [identity.userChanged]),
    onUserSnapshot: queue('engagement.on-user-snapshot', [identity.userSnapshot]),
    onTradeAccountChanged: queue('engagement.on-trade-account-changed', [
      identity.tradeAccountRegistered,
      identity.tradeAccountSubmitted,
      identity.tradeAccountApproved,
      identity.tradeAccountRejected,
      identity.tradeAccountInfoRequested,
      identity.tradeAccountSuspended,
      identity.tradeAccountReinstated,
    ]),
    onAccountSecurity: queue('engagement.on-account-security', [
      identity.registrationAttempted,
      identity.loginThrottled,
      identity.passwordResetRequested,
      identity.passwordChanged,
      identity.secondFactorChanged,
      identity.secondFactorGuessed,
      identity.emailChangeRequested,
      identity.emailChangeAttempted,
      identity.emailChanged,
      identity.changesReverted,
    ]),
    onStaffChanged: queue('engagement.on-staff-changed', [identity.staffChanged]),
    onWishlistAlertRaised: queue('engagement.on-wishlist-alert-raised', [account.wishlistAlertRaised]),
    onOrderPlaced: queue('engagement.on-order-placed', [orders.orderPlaced, orders.guestOrderPlaced]),
    onDiscountRequested: queue('engagement.on-discount-requested', [orders.discountRequested]),
    onOrderCancelled: queue('engagement.on-order-cancelled', [orders.orderCancelled]),
    onOrderProgressed: queue('engagement.on-order-progressed', [orders.orderProgressed]),
    onCartLeft: queue('engagement.on-cart-left', [orders.cartLeft]),
    onDiscountRetaken: queue('engagement.on-discount-retaken', [engagement.discountRetaken]),
    onStockLow: queue('engagement.on-stock-low', [catalog.stockLow]),
    onProductChanged: queue('engagement.on-product-changed', [
      catalog.productCreated,
      catalog.productChanged,
      catalog.productDeleted,
      catalog.stockChanged,
    ]),
    onProductSnapshot: queue('engagement.on-product-snapshot', [catalog.productSnapshot]),
    onCategoryChanged: queue('engagement.on-category-changed', [
      catalog.categoryCreated,
      catalog.categoryChanged,
      catalog.categoryDeleted,
    ]),
    onCategorySnapshot: queue('engagement.on-category-snapshot', [catalog.categorySnapshot]),
    onBillingChanged: queue('engagement.on-billing-changed', [
      billing.invoiceIssued,
      billing.invoicePaid,
      billing.invoiceOverdue,
      billing.invoiceVoided,
      billing.invoiceReminded,
      billing.creditNoteIssued,
      billing.paymentReceived,
      billing.paymentRefunded,
      billing.paymentUnallocated,
      billing.creditWarning,
      billing.creditExceeded,
      billing.orderNotInvoiced,
    ]),
    /** All events from which statistics are made. */
    onFactPublished: queue('engagement.on-fact-published', [
      identity.userRegistered,
      identity.userVerified,
      identity.tradeAccountRegistered,
      identity.tradeAccountSubmitted,
      identity.tradeAccountApproved,
      identity.tradeAccountRejected,
      account.addressChanged,
      account.wishlistItemAdded,
      account.wishlistItemRemoved,
      account.wishlistAlertRaised,
      account.customerSaved,
      engagement.notificationRequested,
      engagement.notificationDelivered,
      engagement.notificationFailed,
      engagement.notificationRead,
      engagement.discountRedeemed,
      engagement.discountConfirmed,
      engagement.discountReleased,
      engagement.discountRetaken,
      billing.invoiceIssued,
      billing.invoicePaid,
      billing.invoiceOverdue,
      billing.invoiceBalanceChanged,
      orders.orderPlaced,
      orders.guestOrderPlaced,
      orders.orderCancelled,
      orders.orderRefunded,
      orders.orderReturned,
      orders.cartUpdated,
      orders.checkoutStarted,
      orders.orderShipped,
      orders.orderDelivered,
      engagement.factsHeartbeat,
    ]),
    onUserExportReady: queue('engagement.on-user-export-ready', [identity.userExportReady]),
    onUserDataRequested: queue('engagement.on-user-data-requested', userDataRequests),
  },
  catalog: {
    onOrderRequested: queue('catalog.on-order-requested', [orders.orderRequested]),
    onOrderCancelled: queue('catalog.on-order-cancelled', [orders.orderCancelled]),
    onOrderShipped: queue('catalog.on-order-shipped', [orders.orderShipped]),
    onOrderReduced: queue('catalog.on-order-reduced', [orders.orderReduced]),
    onOrderReturned: queue('catalog.on-order-returned', [orders.orderReturned]),
  },
  account: {
    onProductChanged: queue('account.on-product-changed', [
      catalog.productCreated,
      catalog.productChanged,
      catalog.productDeleted,
      catalog.stockChanged,
    ]),
    onProductSnapshot: queue('account.on-product-snapshot', [catalog.productSnapshot]),
    onOrderPlaced: queue('account.on-order-placed', [orders.orderPlaced]),
    onRecipientRequested: queue('account.on-recipient-requested', [orders.recipientRequested]),
    onUserDataRequested: queue('account.on-user-data-requested', userDataRequests),
  },
  billing: {
    onTradeAccountChanged: queue('billing.on-trade-account-changed', [
      identity.tradeAccountApproved,
      identity.tradeAccountSuspended,
      identity.tradeAccountReinstated,
      identity.userSnapshot,
    ]),
    onTradeAccountCorrected: queue('billing.on-trade-account-corrected', [identity.tradeAccountChanged]),
    onOrderPlaced: queue('billing.on-order-placed', [orders.orderPlaced]),
    onPaymentRequested: queue('billing.on-payment-requested', [orders.paymentRequested]),
    onPaymentClosingRequested: queue('billing.on-payment-closing-requested', [orders.paymentClosingRequested]),
    onOrderCancelled: queue('billing.on-order-cancelled', [orders.orderCancelled]),
    onOrderReduced: queue('billing.on-order-reduced', [orders.orderReduced]),
    onCallbackReceived: queue('billing.on-callback-received', [billing.callbackReceived]),
    onUserDataRequested: queue('billing.on-user-data-requested', userDataRequests),
  },
  orders: {
    onProductChanged: queue('orders.on-product-changed', [
      catalog.productCreated,
      catalog.productChanged,
      catalog.productDeleted,
      catalog.stockChanged,
      catalog.freeStockChanged,
    ]),
    onProductSnapshot: queue('orders.on-product-snapshot', [catalog.productSnapshot]),
    onTradeAccountChanged: queue('orders.on-trade-account-changed', [
      identity.tradeAccountApproved,
      identity.tradeAccountSuspended,
      identity.tradeAccountReinstated,
      identity.tradeAccountChanged,
      identity.userSnapshot,
    ]),
    onRecipientAnswered: queue('orders.on-recipient-answered', [account.recipientFound, account.recipientRefused]),
    onStockAnswered: queue('orders.on-stock-answered', [catalog.stockReserved, catalog.stockRefused]),
    onDiscountAnswered: queue('orders.on-discount-answered', [engagement.discountHeld, engagement.discountRefused]),
    onPaymentAnswered: queue('orders.on-payment-answered', [
      billing.paymentOpened,
      billing.paymentOpenFailed,
      billing.creditReserved,
      billing.creditRefused,
      billing.paymentClosed,
    ]),
    onOrderPaymentChanged: queue('orders.on-order-payment-changed', [billing.orderPaymentChanged]),
    onUserDataRequested: queue('orders.on-user-data-requested', userDataRequests),
  },
} as const;

type NameIn<Of> = Of extends Queue<EventContract, infer Name> ? Name : { [Key in keyof Of]: NameIn<Of[Key]> }[keyof Of];
export type QueueName = NameIn<typeof queues>;

/** A queue as the message bus needs it: its name and the event types that are routed to it. */
export interface QueueBinding {
  readonly queue: QueueName;
  readonly types: readonly string[];
}

/**
 * All queues as the message bus needs them. `npm run topology` declares all of them, and each service declares its own.
 * An event whose queue is missing stays in its outbox.
 */
export const topology: readonly QueueBinding[] = Object.values(queues)
  .flatMap((ofService): readonly Queue<EventContract, QueueName>[] => Object.values(ofService))
  .map(({ name, contracts }) => ({ queue: name, types: contracts.map(({ type }) => type) }));

const exported = [account, auditEvents, billing, catalog, engagement, gateway, identity, orders].flatMap(
  (area): readonly unknown[] => Object.values(area),
);
const isContract = (value: unknown): value is EventContract =>
  typeof value === 'object' && value !== null && 'source' in value && 'data' in value;

/**
 * All programs that publish or consume events, by the name that events have as `source`: services, the gateway, and the
 * order system. Each may publish only its own facts and consume only its own queues.
 */
export const busClients: readonly string[] = [
  ...new Set([...exported.filter(isContract).map(({ source }) => source), ...Object.keys(queues)]),
].toSorted();
