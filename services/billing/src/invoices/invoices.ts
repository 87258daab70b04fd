import type { Calendar } from '@storefront/calendar';
import { queues, type ordersEvents } from '@storefront/contracts';
import type { SendDocument } from '@storefront/http';
import { subscription } from '@storefront/messaging';
import { openJobHolders, openStepBatches, type CollectionDefinition } from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import type { PersonalData, UserData } from '@storefront/user-data';
import type { AccountReads } from '../accounts/accounts.ts';
import { collectPages } from '../commands/collect-pages.ts';
import type { Shop } from '../domain/shop.ts';
import type { OrderCredit } from '../orders/orders.ts';
import type { BooksStore } from '../store/books.ts';
import type { Store } from '../store/collections.ts';
import { issueBatch, type Issue, type IssueResult } from './commands/issue-batch.ts';
import { onOrderCancelled, onOrderPlaced, onOrderReduced } from './events/on-order-events.ts';
import { runDunningRepeatedly } from './jobs/dunning.ts';
import { documentHandlers } from './routes/documents.ts';
import { invoiceHandlers } from './routes/invoices.ts';
import { shopHandlers } from './routes/shop.ts';
import { openInvoiceReads } from './store/invoice-reads.ts';
import { openRefusedOrders, refusedOrders } from './store/refused-orders.ts';
import { numberSeries, openSeries } from './store/series.ts';

/** The collections of this area, besides the invoices themselves, which are part of the books. */
export const invoicesCollections: readonly CollectionDefinition[] = [refusedOrders, numberSeries];

interface Ports {
  readonly store: Store;
  readonly books: BooksStore;
  readonly shop: Shop;
  readonly calendar: Calendar;
  readonly sendDocument: SendDocument;
  readonly erasedUsers: UserData['erasedUsers'];
  readonly accountReads: AccountReads;
  readonly orderCredit: OrderCredit;
  readonly cancelOrder: (orderId: string) => Promise<void>;
  readonly reduceOrder: (orderId: string, reduced: ordersEvents.OrderReduced) => Promise<void>;
}

/** Invoices and credit notes, also for orders on account. Also dunning: reminders and holds for unpaid invoices. */
export function openInvoices(resources: Resources, { store, ...ports }: Ports) {
  const { cursors, database, lease, logger, now, opened } = resources;
  const issuing = {
    ...store,
    ...ports,
    refusedOrders: openRefusedOrders(resources),
    series: openSeries(database),
    now,
  };
  const parts = {
    ...issuing,
    invoiceReads: openInvoiceReads(store, ports.calendar),
    issue: openStepBatches<Issue, IssueResult>((issues) => issueBatch(issuing, issues)),
    cursors,
  };
  const dunning = runDunningRepeatedly({
    ...parts,
    jobHolders: openJobHolders(resources),
    databaseNow: lease.now,
    logger,
  });
  opened.defer(() => dunning.stop());
  return {
    handlers: { ...documentHandlers(parts), ...invoiceHandlers(parts), ...shopHandlers(parts) },
    // The command itself checks whether the user was erased, because the event is about an order, not about a user.
    subscriptions: [
      subscription(queues.billing.onOrderPlaced, [onOrderPlaced(parts)]),
      subscription(queues.billing.onOrderCancelled, [onOrderCancelled(parts)]),
      subscription(queues.billing.onOrderReduced, [onOrderReduced(parts)]),
    ],
    userData: {
      collect: ({ userId }) =>
        collectPages(store, { userId, name: 'invoices' }, (slice) =>
          store.invoices.page({
            filter: { accountId: userId },
            order: { issuedAt: -1, _id: -1 },
            slice,
            hint: 'newest',
            without: ['accountId', 'steps', 'nextStepAt'],
          }),
        ),
      erase: ({ userId }) => issuing.refusedOrders.eraseMany({ accountId: userId }),
    } satisfies PersonalData,
  };
}
