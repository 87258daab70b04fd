import { ordersEvents } from '@storefront/contracts';
import type { Handler } from '@storefront/messaging';
import { toE164 } from '../domain/phone.ts';
import type { Order } from '../store/customers.ts';
import { read } from './read.ts';

export interface OrderParts {
  readonly countOrder: (order: Order) => Promise<void>;
}

/** Saves the recipient of an order, or counts it for the one that is saved. */
export function onOrderPlaced({ countOrder }: OrderParts): Handler {
  return async (event) => {
    const checked = read(ordersEvents.orderPlaced, event);
    if ('outcome' in checked) return checked;
    const { orderId, userId, recipient, placedAt } = checked.data;
    const { firstName, lastName, email = null, phone = null, address = null } = recipient;
    await countOrder({
      orderId,
      userId,
      // A number that can't be read is worth keeping: the order was delivered with it.
      recipient: { firstName, lastName, email, phone: phone && (toE164(phone, address?.country) ?? phone), address },
      placedAt: new Date(placedAt),
    });
    return 'done';
  };
}
