import { queues, type ordersEvents } from '@storefront/contracts';
import { subscription } from '@storefront/messaging';
import { openJobHolders, type CollectionDefinition } from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import type { Shop } from '../domain/shop.ts';
import type { Provider } from '../providers/provider.ts';
import type { BooksStore } from '../store/books.ts';
import type { Store } from '../store/collections.ts';
import { createProviderCalls } from './commands/call-providers.ts';
import { createMoneyCount } from './commands/count-money.ts';
import { cancelOrder, reduceOrder } from './commands/end-payment.ts';
import { createOrderCredit } from './commands/order-credit.ts';
import { onPaymentClosingRequested, onPaymentRequested } from './events/on-order-events.ts';
import { callProvidersRepeatedly } from './jobs/call-providers.ts';
import { openOrderPayments, orderPaymentCollection } from './store/order-payments.ts';

export type { CountMoney } from './commands/count-money.ts';
export type { KeptOfOrder, OrderCredit } from './commands/order-credit.ts';

/** The collections of this area, besides the payments and the accounts. */
export const ordersCollections: readonly CollectionDefinition[] = [orderPaymentCollection];

interface Ports {
  readonly store: Store;
  readonly books: BooksStore;
  readonly shop: Shop;
  readonly providers: ReadonlyMap<string, Provider>;
  /** Erases what is left of the account of an erased user. */
  readonly eraseAccount: (userId: string) => Promise<void>;
}

/**
 * How orders are paid: the order system requests it, and is told by events what became of it. By card, on the page of a
 * provider; on account, by the credit of a trade account. The money of an order is in its own record, outside the books
 * of accounts.
 */
export function openOrders(resources: Resources, { store, ...ports }: Ports) {
  const { lease, logger, opened } = resources;
  // Of all times only those of the next calls matter, and several instances compare them.
  const needs = { ...store, ...ports, orderPayments: openOrderPayments(resources), lease, now: lease.now, logger };
  const calls = createProviderCalls(needs);
  opened.defer(() => calls.close());
  const parts = { ...needs, calls, jobHolders: openJobHolders(resources), databaseNow: lease.now };
  const job = callProvidersRepeatedly(parts);
  opened.defer(() => job.stop());
  return {
    handlers: {},
    // The handlers do not check for erased users: the order system closes the orders of a user that is erased.
    subscriptions: [
      subscription(queues.billing.onPaymentRequested, [onPaymentRequested(parts)]),
      subscription(queues.billing.onPaymentClosingRequested, [onPaymentClosingRequested(parts)]),
    ],
    /** Ends and reduces what the shop may keep of an order's money. Its invoice is up to the caller. */
    cancelOrder: (orderId: string) => cancelOrder(parts, orderId),
    reduceOrder: (orderId: string, reduced: ordersEvents.OrderReduced) => reduceOrder(parts, orderId, reduced),
    /** Counts what a provider states of an order's payment. */
    countMoney: createMoneyCount(parts),
    /** What the invoices of orders need of their credit. */
    credit: createOrderCredit(parts),
  };
}
