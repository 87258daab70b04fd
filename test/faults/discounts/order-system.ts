import { fact, ordersEvents, toEvent } from '@storefront/contracts';
import { createPublisher, type Publisher } from '../system/publish-event.ts';

/** The order system of a shop, which is not part of the system under test. */
export interface OrderSystem extends Pick<Publisher, 'publishUnconfirmed'> {
  /** Publishes once that the order is placed. Returns whether the broker has confirmed it; if not, it may have it or not. */
  place(order: { orderRef: string; userId: string; total: number }): Promise<boolean>;
}

export function createOrderSystem(amqpUrl: string): OrderSystem {
  const { publish, publishUnconfirmed } = createPublisher(amqpUrl);
  return {
    publishUnconfirmed,
    place({ orderRef, userId, total }) {
      const price = { amount: total, currency: 'EUR' };
      const placed = fact(ordersEvents.orderPlaced, orderRef, {
        orderId: orderRef,
        userId,
        recipient: { firstName: 'Robin', lastName: 'Reader' },
        placedAt: new Date().toISOString(),
        totals: { total: price },
        lines: [{ productId: 'none', quantity: 1, unitPrice: price }],
      });
      return publish(toEvent(placed, { sequence: 1, time: new Date() }));
    },
  };
}
