import { ordersEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import type { z } from 'zod';
import type { PerformStep } from '../commands/redemptions.ts';

type Placed = z.output<typeof ordersEvents.guestOrderPlaced.data>;

/**
 * Confirms redemptions that are held for the order. Takes the redemption that the order names again, if it was given
 * back. Stores that the user has ordered. A second delivery of the event changes nothing, nor does one that comes after
 * `order-cancelled`.
 */
export function onOrderPlaced({ perform }: { readonly perform: PerformStep }) {
  async function place({ orderId, redemptionId, totals }: Placed, userId: string | null): Promise<void> {
    const stated = { discount: totals?.discount ?? null, shipping: totals?.shipping ?? null };
    await perform({ kind: 'place-order', orderId, userId, redemptionId: redemptionId ?? null, stated });
  }

  return [
    on(ordersEvents.orderPlaced, ({ data }) => place(data, data.userId)),
    on(ordersEvents.guestOrderPlaced, ({ data }) => place(data, null)),
  ];
}
