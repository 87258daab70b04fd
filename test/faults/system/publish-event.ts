import { setTimeout as wait } from 'node:timers/promises';
import type { Event } from '@storefront/contracts';
import { connect } from 'amqplib';

const exchange = 'storefront.events';
const patienceMs = 10_000;
const confirmedWithinMs = 60_000;
const retryMs = 500;

/** A system that is not under test and publishes events as an outbox does: what is not confirmed is published again. */
export interface Publisher {
  /**
   * Publishes the event once. Returns whether the broker has confirmed it; if not, it may have it or not, also only
   * some of its queues.
   */
  readonly publish: (event: Event) => Promise<boolean>;
  /**
   * Publishes the events that were not confirmed until each is, so that all queues have what one of them has. To be called once no
   * fault is left. Resolves to their number.
   */
  readonly publishUnconfirmed: () => Promise<number>;
}

export function createPublisher(amqpUrl: string): Publisher {
  const unconfirmed: Event[] = [];
  return {
    async publish(event) {
      const isConfirmed = await publishEvent(amqpUrl, event);
      if (!isConfirmed) unconfirmed.push(event);
      return isConfirmed;
    },
    async publishUnconfirmed() {
      const deadline = performance.now() + confirmedWithinMs;
      const events = unconfirmed.splice(0);
      for (const event of events) {
        while (!(await publishEvent(amqpUrl, event))) {
          if (performance.now() > deadline)
            throw new Error(`the broker did not take ${event.type} of ${event.subject}`);
          await wait(retryMs);
        }
      }
      return events.length;
    },
  };
}

/**
 * Publishes the event once, as a system that is not under test. Returns whether the broker has confirmed it; if not, it may have
 * it or not.
 */
export function publishEvent(amqpUrl: string, event: Event): Promise<boolean> {
  const published = publish(amqpUrl, event.type, Buffer.from(JSON.stringify(event))).catch(() => false);
  // A broker that is paused, or that blocks its publishers, does not answer at all.
  return Promise.race([published, wait(patienceMs, false, { ref: false })]);
}

async function publish(amqpUrl: string, type: string, content: Buffer): Promise<boolean> {
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
