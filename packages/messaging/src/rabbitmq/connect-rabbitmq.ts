import type { Event } from '@storefront/contracts';
import type { Bus, BusHealth } from '../bus.ts';
import { settledWithin } from '../deadline.ts';
import { MessagingError } from '../errors.ts';
import { withDefaults, type BusOptions } from '../settings.ts';
import { boundTypes, checkSubscription, eventsExchange } from '../topology.ts';
import { createBroadcast, type BroadcastConsumer } from './broadcast.ts';
import { openRecoveringConnection } from './recovering-connection.ts';
import { createConsumer, type Consumer } from './consumer.ts';
import { createDeadLetters } from './dead-letters.ts';
import { delayQueue, ensureEventsExchange, type Differing } from './declare.ts';
import { createPublisher, type Outgoing } from './publisher.ts';
import { createRoutes } from './routes.ts';
import { withAttempts, withChannel } from './with-channel.ts';

export interface RabbitmqOptions extends BusOptions {
  /** `amqp://user:password@host:port/vhost`, or `amqps://`. */
  readonly url: string;
}

// Longer than one connection attempt can take.
const firstAttemptMs = 5_000;
const closeMs = 10_000;

/**
 * Connects to RabbitMQ. Declares the events exchange, and the queue of each subscription when `subscribe` is called.
 * The topology says which queues an event must reach.
 * Resolves after the first attempt, even if the broker is unreachable. In that case the bus keeps trying, `health`
 * shows the failure, and published events come back unconfirmed. Throws a MessagingError `messaging_address_invalid`
 * where `url` is not an address of RabbitMQ.
 */
export async function connectRabbitmq(options: RabbitmqOptions): Promise<Bus> {
  const settings = withDefaults(options);
  const { name, logger, topology } = settings;
  const publishing = await openRecoveringConnection(options.url, name, 'publishing', logger);
  const consuming = await openRecoveringConnection(options.url, name, 'consuming', logger);
  const routes = createRoutes(publishing, topology, logger);
  const publisher = createPublisher(publishing, settings.confirmTimeoutMs, {
    async prepare() {
      await withAttempts(publishing, ensureEventsExchange);
      await routes.check();
    },
    onReturned: () => void routes.check(),
  });
  // A separate publisher, so that a fault of a delay queue does not hold up events.
  const mover = createPublisher(publishing, settings.confirmTimeoutMs);
  const bound = boundTypes(topology);
  const consumers: Consumer[] = [];
  const broadcasts: BroadcastConsumer[] = [];
  const differing = new Map<string, Differing>();
  let closing: Promise<void> | undefined;

  await settledWithin(firstAttemptMs, Promise.all([publishing.firstAttempt, consuming.firstAttempt]));
  if (publishing.isOpen())
    await settledWithin(firstAttemptMs, Promise.all([publisher.firstAttempt, mover.firstAttempt]));

  function throwIfClosed(): void {
    if (closing) throw new MessagingError('messaging_closed', 'The bus is closed.');
  }

  function onDeclared(queue: string, difference: string | undefined): void {
    if (difference !== undefined && !differing.has(queue))
      logger.warn({ queue, difference }, 'a queue has other arguments; it is used as it is');
    if (difference === undefined) differing.delete(queue);
    else differing.set(queue, { queue, difference });
  }

  /** Waits until a new consumer is bound. Does not wait if the broker is unreachable. */
  async function untilBound(consumer: { readonly firstAttempt: Promise<void> }): Promise<void> {
    if (consuming.isOpen()) await settledWithin(firstAttemptMs, consumer.firstAttempt);
  }

  function health(): BusHealth {
    const all = [...consumers, ...broadcasts];
    const publishFailure = publisher.failure();
    const reason = publishFailure ?? consuming.failure() ?? all.map((each) => each.failure()).find(Boolean);
    // Without a connection for publishing, the queues can't be checked either.
    const missing = publishFailure ? [] : routes.missing();
    const queues = consumers.map((consumer) => ({ queue: consumer.queue, consuming: consumer.isConsuming() }));
    return {
      kind: 'rabbitmq',
      connected: !reason,
      canPublish: !publishFailure,
      queues,
      ...(differing.size > 0 ? { differing: [...differing.values()] } : {}),
      ...(missing.length > 0 ? { missing } : {}),
      ...(reason ? { reason } : {}),
    };
  }

  async function close(): Promise<void> {
    const deadline = Date.now() + closeMs;
    routes.close();
    await Promise.all([...consumers.map((each) => each.close(closeMs)), ...broadcasts.map((each) => each.close())]);
    const leftMs = Math.max(0, deadline - Date.now());
    await Promise.all([
      consuming.close(),
      Promise.all([publisher.close(leftMs), mover.close(leftMs)]).then(() => publishing.close()),
    ]);
  }

  return {
    async publish(events, { transient = false } = {}) {
      const started = performance.now();
      const isHeldBack = !transient && !publisher.failure();
      const held = events.map(({ type }) => (isHeldBack ? routes.faultFor(type) : undefined));
      const sent = events.filter((_, index) => held[index] === undefined);
      const failures = await publisher.send(
        sent.map((event) => outgoing(event, !transient, !transient && bound.has(event.type))),
      );
      const failureOf = new Map(sent.map((event, index) => [event, failures[index]]));
      const published = events.map((event, index) => {
        const { id } = event;
        const reason = held[index] ?? failureOf.get(event);
        return reason === undefined ? { id, confirmed: true as const } : { id, confirmed: false as const, reason };
      });
      const confirmed = published.filter((each) => each.confirmed).length;
      settings.onPublish?.({ count: events.length, confirmed, ms: performance.now() - started });
      return published;
    },
    async subscribe(subscription) {
      throwIfClosed();
      checkSubscription(topology, subscription);
      const consumer = createConsumer(consuming, mover, subscription, settings, onDeclared);
      consumers.push(consumer);
      await untilBound(consumer);
      routes.declared(subscription.queue);
    },
    async broadcast(broadcast) {
      throwIfClosed();
      const consumer = createBroadcast(consuming, broadcast, logger);
      broadcasts.push(consumer);
      await untilBound(consumer);
    },
    health,
    async backlog() {
      // Each count has its own channel, because a channel runs its operations one after the other.
      const count = (queue: string) =>
        withChannel(publishing, async (channel) => (await channel.checkQueue(queue)).messageCount);
      const delays = consumers.length > 0 ? settings.retryDelaysMs : [];
      const [queues, delayed] = await Promise.all([
        Promise.all(consumers.map(async ({ queue }) => ({ queue, ready: await count(queue) }))),
        Promise.all(delays.map((delayMs) => count(delayQueue(delayMs)))),
      ]);
      return { queues, delayed: delayed.reduce((sum, each) => sum + each, 0) };
    },
    deadLetters: createDeadLetters(publishing, mover),
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
