import { setTimeout as wait } from 'node:timers/promises';
import type { Channel, ConsumeMessage } from 'amqplib';
import type { Subscription } from '../bus.ts';
import { settledWithin } from '../deadline.ts';
import { messageOf } from '../errors.ts';
import { createReceiver, type Settlement } from '../receiver.ts';
import type { Settings } from '../settings.ts';
import { backoff } from './backoff.ts';
import type { RecoveringConnection } from './recovering-connection.ts';
import { eventsExchange } from '../topology.ts';
import {
  deadLetterExchange,
  deadLetterQueue,
  declareSubscription,
  delayExchange,
  delayQueue,
  ensureDeadLetterQueue,
  ensureDelay,
  ensureEventsExchange,
  type Differing,
} from './declare.ts';
import type { Publisher } from './publisher.ts';
import { openRecoveringChannel } from './recovering-channel.ts';
import { withAttempts } from './with-channel.ts';

export interface Consumer {
  readonly queue: string;
  isConsuming(): boolean;
  /** Why the queue is not consumed; undefined while it is consumed. */
  failure(): string | undefined;
  readonly firstAttempt: Promise<void>;
  /** Stops consuming, waits at most `ms` milliseconds for running handlers, then closes the consumer's channel. */
  close(ms: number): Promise<void>;
}

const cancelMs = 1_000;

/**
 * Consumes a subscription on its own channel, so that an error of one queue does not affect the others. `mover`
 * publishes messages that go into other queues. `onDeclared` is called for each queue of the consumer; `difference` is
 * given where the queue exists with other arguments.
 */
export function createConsumer(
  connection: RecoveringConnection,
  mover: Publisher,
  subscription: Subscription,
  settings: Settings,
  onDeclared: (queue: string, difference: string | undefined) => void,
): Consumer {
  const { queue } = subscription;
  const receiver = createReceiver(subscription, settings);
  let consumerTag: string | undefined;
  let closing = false;

  const channel = openRecoveringChannel(
    () => connection.channel(),
    async (opened) => {
      let closed = false;
      const canSettle = () => !closed;
      opened.once('close', () => (closed = true));
      await declare();
      await opened.prefetch(subscription.prefetch ?? settings.prefetch);
      const consuming = await opened.consume(queue, (message) => {
        // The broker ended the consumer, for example because the queue was deleted or moved. Closing the channel leads
        // to a new declaration.
        if (!message) {
          void opened.close().catch(() => {});
          return;
        }
        receiver.receive({
          content: message.content,
          ...(message.fields.exchange === eventsExchange && { publishedAs: message.fields.routingKey }),
          headers: message.properties.headers ?? {},
          canSettle,
          settle: (settlement) => settle(opened, message, settlement, canSettle),
        });
      });
      consumerTag = consuming.consumerTag;
    },
    (reason) => closing || settings.logger.warn({ queue, reason }, 'a subscription is interrupted'),
  );

  /** Declares the subscription's queue, and the queues to which its events are moved. */
  async function declare(): Promise<void> {
    await withAttempts(connection, async (attempts) => {
      await ensureEventsExchange(attempts);
      const declared = async (name: string, declaring: Promise<Differing | undefined>) =>
        onDeclared(name, (await declaring)?.difference);
      await declared(deadLetterQueue, ensureDeadLetterQueue(attempts));
      await declared(queue, declareSubscription(attempts, subscription));
      for (const delayMs of settings.retryDelaysMs) await declared(delayQueue(delayMs), ensureDelay(attempts, delayMs));
    });
  }

  function logUndeclared(error: unknown): void {
    settings.logger.warn({ queue, reason: messageOf(error) }, 'the queues could not be declared');
  }

  /** Acknowledges a message only once it is safely in the next queue. */
  async function settle(
    on: Channel,
    message: ConsumeMessage,
    settlement: Settlement,
    canSettle: () => boolean,
  ): Promise<void> {
    if (settlement.do === 'giveBack') return;
    if (settlement.do !== 'finish') {
      const exchange = settlement.do === 'delay' ? delayExchange(settlement.delayMs) : deadLetterExchange;
      const target = { exchange, routingKey: queue };
      for (let failures = 0; canSettle(); failures++) {
        const [failure] = await mover.send([
          {
            ...target,
            content: message.content,
            headers: settlement.headers,
            mandatory: true,
            persistent: true,
            messageId: message.properties.messageId as string | undefined,
            type: message.properties.type as string | undefined,
          },
        ]);
        if (!failure) break;
        settings.logger.warn({ queue, ...target, reason: failure }, 'an event could not be moved yet');
        await wait(backoff(failures));
        // Declared again, because the queue or its exchange may have been removed.
        if (canSettle()) await declare().catch(logUndeclared);
      }
    }
    if (canSettle()) on.ack(message);
  }

  return {
    queue,
    isConsuming: () => channel.current() !== undefined,
    failure: () => channel.failure(),
    firstAttempt: channel.firstAttempt,
    async close(ms) {
      closing = true;
      const opened = channel.current();
      if (opened && consumerTag) await settledWithin(cancelMs, opened.cancel(consumerTag));
      await receiver.stop(ms);
      await channel.close();
    },
  };
}
