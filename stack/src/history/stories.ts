import type { Event } from '@storefront/contracts';
import { publishInvoice } from './stories/invoices.ts';
import { publishNotification } from './stories/notifications.ts';
import { publishOther } from './stories/others.ts';
import { publishCheckout, publishOrder } from './stories/orders.ts';
import { publishRedemption } from './stories/redemptions.ts';
import { publishRetailRegistration, publishTradeRegistration } from './stories/registrations.ts';
import { publishWish } from './stories/wishes.ts';
import type { Shop } from './shop.ts';

/** Publishes a few events that belong together. */
type Story = (shop: Shop, publish: (event: Event) => void) => void;

/** The stories of a history. A story that is listed several times happens more often. */
export const stories: readonly Story[] = [
  publishRetailRegistration,
  publishTradeRegistration,
  publishOrder,
  publishOrder,
  publishCheckout,
  publishCheckout,
  publishWish,
  publishWish,
  publishNotification,
  publishNotification,
  publishRedemption,
  publishRedemption,
  publishInvoice,
  publishInvoice,
  publishOther,
];
