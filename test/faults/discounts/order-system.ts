import { setTimeout as wait } from 'node:timers/promises';
import { fact, ordersEvents, toEvent } from '@storefront/contracts';
import { connect } from 'amqplib';

/** The order system of a shop, which is not part of the system under test. */
export interface OrderSystem {
  /** Publishes once that the order is placed. Returns whether the broker has confirmed it; if not, it may have it or not. */
  place(order: { orderRef: string; userId: string; total: number }): Promise<boolean>;
}

const exchange = 'storefront.events';
const patienceMs = 10_000;

export function createOrderSystem(amqpUrl: string): OrderSystem {
  async function publish(type: string, content: Buffer): Promise<boolean> {
    const broker = await connect(amqpUrl, { timeout: patienceMs });
    broker.on('error', () => undefined);
    try {
      const channel = await broker.createConfirmChannel();
      channel.on('error', () => undefined);
      channel.publish(exchange, type, content, { persistent: true, type });
      await channel.waitForConfirms();
      return true;
    } finally {
      void broker.close().catch(() => undefined);
    }
  }

  return {
    place({ orderRef, userId, total }) {
      const price = { amount: total, currency: 'EUR' };
      const placed = fact(ordersEvents.orderPlaced, orderRef, {
        orderId: orderRef,
        userId,
        recipient: { firstName: 'Robin', lastName: 'Reader' },
        placedAt: new Date().toISOString(),
        total: price,
        lines: [{ productId: 'none', quantity: 1, unitPrice: price }],
      });
      const event = toEvent(placed, { sequence: 1, time: new Date() });
      const published = publish(event.type, Buffer.from(JSON.stringify(event))).catch(() => false);
      // A broker that is paused, or that blocks its publishers, does not answer at all.
      return Promise.race([published, wait(patienceMs, false, { ref: false })]);
    },
  };
}
