import { setTimeout as wait } from 'node:timers/promises';
import type { Event } from '@storefront/contracts';
import { connect } from 'amqplib';

const exchange = 'storefront.events';
const patienceMs = 10_000;

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
