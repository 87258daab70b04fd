import type { Event } from '@storefront/contracts';
import type { Bus, BusHealth } from '../bus.ts';
import { settledWithin } from '../deadline.ts';
import { MessagingError } from '../errors.ts';
import { withDefaults } from '../settings.ts';
import type { BusOptions } from '../settings.ts';
import { boundTypes, checkSubscription, eventsExchange } from '../topology.ts';
import { createBroadcast } from './broadcast.ts';
import type { BroadcastConsumer } from './broadcast.ts';
import { openRecoveringConnection } from './recovering-connection.ts';
import { createConsumer } from './consumer.ts';
import type { Consumer } from './consumer.ts';
import { createDeadLetters } from './dead-letters.ts';
import { delayQueue } from './declare.ts';
import { createPublisher } from './publisher.ts';
import type { Outgoing } from './publisher.ts';
import { withChannel } from './with-channel.ts';

export interface RabbitmqOptions extends BusOptions {
  /** `amqp://user:password@host:port/vhost`, or `amqps://`. */
  readonly url: string;
}

// Longer than one connection attempt can take.
const firstAttemptMs = 5_000;
const closeMs = 10_000;

/**
 * Connects to RabbitMQ and declares every queue of the topology. Resolves after the first attempt, also where the
 * broker is away: it then keeps trying, `health` shows it, and what is published meanwhile comes back unconfirmed.
 * Throws a MessagingError `messaging_address_invalid` where `url` is not an address of RabbitMQ.
 */
export async function connectRabbitmq(options: RabbitmqOptions): Promise<Bus> {
  const settings = withDefaults(options);
  const { name, logger, topology } = settings;
  const publishing = await openRecoveringConnection(options.url, name, 'publishing', logger);
  const consuming = await openRecoveringConnection(options.url, name, 'consuming', logger);
  const publisher = createPublisher(publishing, topology, settings.confirmTimeoutMs);
  const bound = boundTypes(topology);
  const consumers: Consumer[] = [];
  const broadcasts: BroadcastConsumer[] = [];
  let closing: Promise<void> | undefined;

  await settledWithin(firstAttemptMs, Promise.all([publishing.firstAttempt, consuming.firstAttempt]));
  if (publishing.isOpen()) await settledWithin(firstAttemptMs, publisher.firstAttempt);

  function throwIfClosed(): void {
    if (closing) throw new MessagingError('messaging_closed', 'The bus is closed.');
  }

  /** Waits until a new consumer is bound, but not where the broker is away. */
  async function untilBound(consumer: { readonly firstAttempt: Promise<void> }): Promise<void> {
    if (consuming.isOpen()) await settledWithin(firstAttemptMs, consumer.firstAttempt);
  }

  function health(): BusHealth {
    const all = [...consumers, ...broadcasts];
    const reason = publisher.failure() ?? consuming.failure() ?? all.map((each) => each.failure()).find(Boolean);
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
      const failures = await publisher.send(
        events.map((event) => outgoing(event, !transient, !transient && bound.has(event.type))),
      );
      const published = events.map(({ id }, index) => {
        const reason = failures[index];
        return reason === undefined ? { id, confirmed: true as const } : { id, confirmed: false as const, reason };
      });
      const confirmed = published.filter((each) => each.confirmed).length;
      settings.onPublish?.({ count: events.length, confirmed, ms: performance.now() - started });
      return published;
    },
    async subscribe(subscription) {
      throwIfClosed();
      checkSubscription(topology, subscription);
      const consumer = createConsumer(consuming, publisher, subscription, settings);
      consumers.push(consumer);
      await untilBound(consumer);
    },
    async broadcast(broadcast) {
      throwIfClosed();
      const consumer = createBroadcast(consuming, broadcast, logger);
      broadcasts.push(consumer);
      await untilBound(consumer);
    },
    health,
    backlog: () =>
      withChannel(publishing, async (channel) => {
        const count = async (queue: string) => (await channel.checkQueue(queue)).messageCount;
        const backlogs = [];
        for (const { queue } of consumers) {
          const delayed = await Promise.all(settings.retryDelaysMs.map((delayMs) => count(delayQueue(queue, delayMs))));
          backlogs.push({ queue, ready: await count(queue), delayed: delayed.reduce((sum, each) => sum + each, 0) });
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
