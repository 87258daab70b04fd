import { queues } from '@storefront/contracts';
import { subscription } from '@storefront/messaging';
import { openJobHolders, type CollectionDefinition } from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import type { Shop } from '../domain/shop.ts';
import type { Provider } from '../providers/provider.ts';
import type { BooksStore } from '../store/books.ts';
import type { Store } from '../store/collections.ts';
import { createProviderCalls } from './commands/call-providers.ts';
import { createMoneyCount } from './commands/count-money.ts';
import { createOrderCredit } from './commands/order-credit.ts';
import {
  onOrderCancelled,
  onOrderReduced,
  onPaymentClosingRequested,
  onPaymentRequested,
} from './events/on-order-events.ts';
import { callProvidersRepeatedly } from './jobs/call-providers.ts';
import { openOrderPayments, orderPaymentCollection } from './store/order-payments.ts';

export type { CountMoney } from './commands/count-money.ts';
export type { CreditOfOrder, OrderCredit } from './commands/order-credit.ts';

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
      subscription(queues.billing.onOrderCancelled, [onOrderCancelled(parts)]),
      subscription(queues.billing.onOrderReduced, [onOrderReduced(parts)]),
    ],
    /** Counts what a provider states of an order's payment. */
    countMoney: createMoneyCount(parts),
    /** What the invoices of orders need of their credit. */
    credit: createOrderCredit(parts),
  };
}
