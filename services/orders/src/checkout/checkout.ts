import { calendarOf } from '@storefront/calendar';
import { queues } from '@storefront/contracts';
import { sellerOf } from '@storefront/documents';
import { createDocumentSender } from '@storefront/http';
import { subscription } from '@storefront/messaging';
import type { ErasedUsers } from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import type { PersonalData } from '@storefront/user-data';
import type { Carts } from '../carts/carts.ts';
import type { OrdersConfig } from '../config.ts';
import type { SendNeeds } from './commands/send-order.ts';
import { collectOrders, eraseOrders } from './commands/user-data.ts';
import { createOrderWatch } from './commands/wait-for-order.ts';
import {
  onDiscountAnswered,
  onOrderPaymentChanged,
  onPaymentAnswered,
  onRecipientAnswered,
  onStockAnswered,
  type AnswerNeeds,
} from './events/on-answers.ts';
import type { Order } from './domain/order.ts';
import { deleteOldOrders, endWaits, forgetBuyers } from './jobs/due-orders.ts';
import { orderHandlers } from './routes/orders.ts';
import { createOrderSecrets } from './secrets/order-secrets.ts';
import { openCodeBudgets } from './store/code-budgets.ts';
import { openMailBudgets } from './store/mail-budgets.ts';
import { openOrders } from './store/orders.ts';

export { checkoutCollections, openOrders, type OrderStore } from './store/orders.ts';

interface Ports {
  readonly carts: Carts;
  readonly erasedUsers: Pick<ErasedUsers, 'has'>;
  readonly findShippingOption: SendNeeds['findShippingOption'];
  readonly termsOf: AnswerNeeds['termsOf'];
}

/** Orders: what is sent, what the other services answer about it, and what follows from that. */
export function openCheckout(resources: Resources, config: OrdersConfig, ports: Ports) {
  const { cursors, logger, now, opened } = resources;
  const store = openOrders(resources);
  const watch = createOrderWatch(store);
  const parts = {
    ...store,
    ...ports,
    orderSecrets: createOrderSecrets(config.API_SECRET, config.CODE_SEALING_KEY),
    mailBudgets: openMailBudgets(resources, config.API_SECRET),
    codeBudgets: openCodeBudgets(resources, config.API_SECRET),
    watch,
    onChanged: (order: Order) => watch.changed(order),
    currency: config.CURRENCY,
    returnUrls: config.RETURN_URLS,
    retentionYears: config.ORDER_RETENTION_YEARS,
    apiUrl: config.API_URL,
    sendDocument: createDocumentSender(),
    paperSettings: {
      seller: sellerOf(config),
      locale: config.SHOP_LOCALE,
      calendar: calendarOf(config.SHOP_TIME_ZONE),
    },
    cursors,
    logger,
    now,
  };
  for (const job of [endWaits(parts), forgetBuyers(parts), deleteOldOrders(parts)]) opened.defer(() => job.stop());

  const queue = queues.orders;
  return {
    handlers: orderHandlers(parts),
    subscriptions: [
      subscription(queue.onRecipientAnswered, onRecipientAnswered(parts)),
      subscription(queue.onStockAnswered, onStockAnswered(parts)),
      subscription(queue.onDiscountAnswered, onDiscountAnswered(parts)),
      subscription(queue.onPaymentAnswered, onPaymentAnswered(parts)),
      subscription(queue.onOrderPaymentChanged, onOrderPaymentChanged(parts)),
    ],
    userData: {
      collect: ({ userId }) => collectOrders(parts, userId),
      erase: ({ userId }) => eraseOrders(parts, userId),
    } satisfies PersonalData,
  };
}
