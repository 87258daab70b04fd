import type { Event } from '@storefront/contracts';
import { tellInvoice, tellPayment } from './stories/invoices.ts';
import { tellNotification } from './stories/notifications.ts';
import { tellOther } from './stories/others.ts';
import { tellOrder } from './stories/orders.ts';
import { tellRedemption } from './stories/redemptions.ts';
import { tellRetailRegistration, tellTradeRegistration } from './stories/registrations.ts';
import { tellWish } from './stories/wishes.ts';
import type { World } from './world.ts';

/** A few events that belong together. */
type Story = (world: World, tell: (event: Event) => void) => void;

/** What happens in a history, the frequent ones several times. */
export const stories: readonly Story[] = [
  tellRetailRegistration,
  tellTradeRegistration,
  tellOrder,
  tellOrder,
  tellOrder,
  tellWish,
  tellWish,
  tellNotification,
  tellNotification,
  tellRedemption,
  tellRedemption,
  tellInvoice,
  tellInvoice,
  tellPayment,
  tellOther,
];
