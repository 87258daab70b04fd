import { queues, type Refusal } from '@storefront/contracts';
import { subscription } from '@storefront/messaging';
import { openStepBatches, type CollectionDefinition } from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import type { PersonalData } from '@storefront/user-data';
import { collectPages } from '../commands/collect-pages.ts';
import type { Payment } from '../domain/payment.ts';
import type { Shop } from '../domain/shop.ts';
import type { CountMoney } from '../orders/orders.ts';
import type { Provider } from '../providers/provider.ts';
import type { BooksStore } from '../store/books.ts';
import type { Store } from '../store/collections.ts';
import { createPayments, type RequestedPayment } from './commands/create-payment.ts';
import { processCallbacks } from './commands/process-callbacks.ts';
import { createCallbackReceiver } from './commands/receive-callback.ts';
import type { Processed } from './domain/callback.ts';
import { onCallbackReceived } from './events/on-callback-received.ts';
import { expireBodies, processLeftCallbacks } from './jobs/callbacks.ts';
import { callbackHandlers } from './routes/callbacks.ts';
import { paymentHandlers } from './routes/payments.ts';
import { callbackCollection, openCallbacks } from './store/callbacks.ts';

/** The collections of this area, besides the payments themselves, which are part of the books. */
export const paymentsCollections: readonly CollectionDefinition[] = [callbackCollection];

interface Ports {
  readonly store: Store;
  readonly books: BooksStore;
  readonly shop: Shop;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly countMoney: CountMoney;
  readonly returnUrls: readonly string[];
}

// At most five items share a transaction, because each needs several reads and writes. A long transaction has to start
// again more often: other instances change the same documents, or its time limit is reached.
const shortTransactions = { atMost: 5 };

/** Payments, and the callbacks of payment providers. */
export function openPayments(resources: Resources, { store, ...ports }: Ports) {
  const { auditNotes, cursors, logger, now, opened } = resources;
  const callbacks = openCallbacks(resources);
  const needs = { ...store, ...ports, callbacks, now };
  const parts = {
    ...needs,
    receiveCallback: createCallbackReceiver(needs),
    createTogether: openStepBatches<RequestedPayment, Payment | Refusal>(
      (requested) => createPayments(needs, requested),
      shortTransactions,
    ),
    processCallback: openStepBatches<string, Processed>((ids) => processCallbacks(needs, ids), shortTransactions),
    auditNotes,
    cursors,
    logger,
  };
  for (const job of [processLeftCallbacks(parts), expireBodies(parts)]) opened.defer(() => job.stop());
  return {
    handlers: { ...callbackHandlers(parts), ...paymentHandlers(parts) },
    // The handler does not check for erased users: the event is about a payment, and received money has to be counted
    // for erased users too.
    subscriptions: [subscription(queues.billing.onCallbackReceived, onCallbackReceived(parts))],
    userData: {
      collect: ({ userId }) =>
        collectPages(store, { userId, name: 'payments' }, (slice) =>
          store.payments.page({
            filter: { accountId: userId },
            order: { createdAt: -1, _id: -1 },
            slice,
            hint: 'newest',
            without: ['accountId', 'redirectUrl'],
          }),
        ),
      async erase({ userId }) {
        const payments = await store.payments.find({ accountId: userId }, { fields: ['status'] });
        await callbacks.emptyBodies(payments.map(({ state }) => state.id));
      },
    } satisfies PersonalData,
  };
}
