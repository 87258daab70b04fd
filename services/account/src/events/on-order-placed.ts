import { ordersEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import { countOrder } from '../commands/count-order.ts';
import { toE164 } from '../domain/phone.ts';

/** Counts an order for its saved recipient. A new recipient is saved first. */
export function onOrderPlaced(parts: Parameters<typeof countOrder>[0]) {
  return on(ordersEvents.orderPlaced, async ({ data: { orderId, userId, recipient, placedAt } }) => {
    const { firstName, lastName, email = null, phone = null, address = null } = recipient;
    await countOrder(parts, {
      orderId,
      userId,
      // A phone number that can't be read is kept unchanged, since the order was delivered with this number.
      recipient: { firstName, lastName, email, phone: phone && (toE164(phone, address?.country) ?? phone), address },
      placedAt: new Date(placedAt),
    });
  });
}
