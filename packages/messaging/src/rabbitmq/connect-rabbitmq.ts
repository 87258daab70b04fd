import type { Event } from '@storefront/contracts';
import type { Bus, BusHealth } from '../bus.ts';
import { settledWithin } from '../deadline.ts';
import { MessagingError } from '../errors.ts';
import { withDefaults } from '../settings.ts';
import type { BusOptions } from '../settings.ts';
import { awaitedTypes, checkSubscription, eventsExchange } from '../topology.ts';
import { createBroadcast } from './broadcast.ts';
import type { BroadcastConsumer } from './broadcast.ts';
import { createConsumer } from './consumer.ts';
import type { Consumer } from './consumer.ts';
import { createDeadLetters } from './dead-letters.ts';
import { waitQueue } from './declare.ts';
import { openLink } from './link.ts';
import { createPublisher } from './publisher.ts';
import type { Outgoing } from './publisher.ts';
import { visit } from './visit.ts';

export interface RabbitmqOptions extends BusOptions {
  /** `amqp://user:password@host:port/vhost`, or `amqps://`. */
  readonly url: string;
}

// Longer than one connection attempt can take.
const firstAttemptMs = 5_000;
const closeMs = 10_000;

/**
 * Connects to RabbitMQ and declares every queue of the topology. Resolves after the first attempt, also where the
 * broker is away: it then keeps trying, `health` tells, and what is published meanwhile comes back unconfirmed.
 * Throws a MessagingError `messaging_address_invalid` for an address that is none.
 */
export async function connectRabbitmq(options: RabbitmqOptions): Promise<Bus> {
  const settings = withDefaults(options);
  const { name, logger, topology } = settings;
  const publishing = await openLink(options.url, name, 'publishing', logger);
  const consuming = await openLink(options.url, name, 'consuming', logger);
  const publisher = createPublisher(publishing, topology, settings.confirmTimeoutMs);
  const awaited = awaitedTypes(topology);
  const consumers: Consumer[] = [];
  const broadcasts: BroadcastConsumer[] = [];
  let closing: Promise<void> | undefined;

  await settledWithin(firstAttemptMs, Promise.all([publishing.firstAttempt, consuming.firstAttempt]));
  if (publishing.isOpen()) await settledWithin(firstAttemptMs, publisher.firstAttempt);

  function refuseClosed(): void {
    if (closing) throw new MessagingError('messaging_closed', 'The bus is closed.');
  }

  /** Waits until a new listener is bound, but not for a broker that is away. */
  async function bound(listener: { readonly firstAttempt: Promise<void> }): Promise<void> {
    if (consuming.isOpen()) await settledWithin(firstAttemptMs, listener.firstAttempt);
  }

  function health(): BusHealth {
    const listeners = [...consumers, ...broadcasts];
    const reason = publisher.trouble() ?? consuming.trouble() ?? listeners.map((each) => each.trouble()).find(Boolean);
    const queues = consumers.map((consumer) => ({ queue: consumer.queue, consuming: consumer.isConsuming() }));
    return { kind: 'rabbitmq', connected: !reason, queues, ...(reason ? { reason } : {}) };
  }

  async function close(): Promise<void> {
    const deadline = Date.now() + closeMs;
    await Promise.all([...consumers.map((each) => each.close(closeMs)), ...broadcasts.map((each) => each.close())]);
    await Promise.all([
      consuming.close(),
      publisher.close(Math.max(0, deadline - Date.now())).then(() => publishing.close()),
    ]);
  }

  return {
    async publish(events, { transient = false } = {}) {
      const started = performance.now();
      const obstacles = await publisher.send(
        events.map((event) => outgoing(event, !transient, !transient && awaited.has(event.type))),
      );
      const published = events.map(({ id }, index) => {
        const reason = obstacles[index];
        return reason === undefined ? { id, confirmed: true as const } : { id, confirmed: false as const, reason };
      });
      const confirmed = published.filter((each) => each.confirmed).length;
      settings.onPublish?.({ count: events.length, confirmed, ms: performance.now() - started });
      return published;
    },
    async subscribe(subscription) {
      refuseClosed();
      checkSubscription(topology, subscription);
      const consumer = createConsumer(consuming, publisher, subscription, settings);
      consumers.push(consumer);
      await bound(consumer);
    },
    async broadcast(broadcast) {
      refuseClosed();
      const listener = createBroadcast(consuming, broadcast, logger);
      broadcasts.push(listener);
      await bound(listener);
    },
    health,
    backlog: () =>
      visit(publishing, async (channel) => {
        const count = async (queue: string) => (await channel.checkQueue(queue)).messageCount;
        const backlogs = [];
        for (const { queue } of consumers) {
          const waiting = await Promise.all(settings.retryWaitsMs.map((waitMs) => count(waitQueue(queue, waitMs))));
          backlogs.push({ queue, ready: await count(queue), delayed: waiting.reduce((sum, each) => sum + each, 0) });
        }
        return backlogs;
      }),
    deadLetters: createDeadLetters(publishing, publisher),
    close: () => (closing ??= close()),
  };
}

function outgoing(event: Event, persistent: boolean, mandatory: boolean): Outgoing {
  return {
    exchange: eventsExchange,
    routingKey: event.type,
    content: Buffer.from(JSON.stringify(event)),
    mandatory,
    persistent,
    messageId: event.id,
    type: event.type,
  };
}
