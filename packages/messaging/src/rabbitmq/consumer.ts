import { setTimeout as wait } from 'node:timers/promises';
import type { Channel, ConsumeMessage } from 'amqplib';
import type { Subscription } from '../bus.ts';
import { settledWithin } from '../deadline.ts';
import { createReceiver } from '../receiver.ts';
import type { Settlement } from '../receiver.ts';
import type { Settings } from '../settings.ts';
import { backoff } from './backoff.ts';
import { deadQueue, declareTopology, declareWaits, waitQueue } from './declare.ts';
import { keepChannel } from './kept-channel.ts';
import type { Link } from './link.ts';
import type { Publisher } from './publisher.ts';

export interface Consumer {
  readonly queue: string;
  isConsuming(): boolean;
  trouble(): string | undefined;
  readonly firstAttempt: Promise<void>;
  /** Takes nothing more, waits for the handlers under way, `ms` milliseconds at most, then closes its channel. */
  close(ms: number): Promise<void>;
}

const cancelMs = 1_000;

/** Consumes a subscription on a channel of its own, so that trouble with one queue does not touch the others. */
export function createConsumer(
  link: Link,
  publisher: Publisher,
  subscription: Subscription,
  settings: Settings,
): Consumer {
  const { queue } = subscription;
  const receiver = createReceiver(subscription, settings);
  let consumerTag: string | undefined;
  let closing = false;

  const kept = keepChannel(
    () => link.channel(),
    async (channel) => {
      let closed = false;
      const answerable = () => !closed;
      channel.once('close', () => (closed = true));
      await declareTopology(
        channel,
        settings.topology.filter((binding) => binding.queue === queue),
      );
      await declareWaits(channel, queue, settings.retryWaitsMs);
      await channel.prefetch(settings.prefetch);
      const consuming = await channel.consume(queue, (message) => {
        // The broker took the subscription away, as when the queue is deleted or moved: begin again from its declaration.
        if (!message) {
          void channel.close().catch(() => {});
          return;
        }
        receiver.receive({
          content: message.content.toString(),
          headers: message.properties.headers ?? {},
          answerable,
          settle: (settlement) => settle(channel, message, settlement, answerable),
        });
      });
      consumerTag = consuming.consumerTag;
    },
    (reason) => closing || settings.logger.warn({ queue, reason }, 'a subscription is interrupted'),
  );

  /** A message leaves its queue only once it is safely in the next one. */
  async function settle(
    channel: Channel,
    message: ConsumeMessage,
    settlement: Settlement,
    answerable: () => boolean,
  ): Promise<void> {
    if (settlement.do === 'leave') return;
    if (settlement.do !== 'finish') {
      const target = settlement.do === 'wait' ? waitQueue(queue, settlement.waitMs) : deadQueue;
      for (let failures = 0; answerable(); failures++) {
        const [obstacle] = await publisher.send([
          {
            exchange: '',
            routingKey: target,
            content: message.content,
            headers: settlement.headers,
            mandatory: true,
            persistent: true,
            messageId: message.properties.messageId as string | undefined,
            type: message.properties.type as string | undefined,
          },
        ]);
        if (!obstacle) break;
        settings.logger.warn({ queue, target, reason: obstacle }, 'an event could not be moved yet');
        await wait(backoff(failures));
        await declareWaits(channel, queue, settings.retryWaitsMs);
      }
    }
    if (answerable()) channel.ack(message);
  }

  return {
    queue,
    isConsuming: () => kept.current() !== undefined,
    trouble: () => kept.trouble(),
    firstAttempt: kept.firstAttempt,
    async close(ms) {
      closing = true;
      const channel = kept.current();
      if (channel && consumerTag) await settledWithin(cancelMs, channel.cancel(consumerTag));
      await receiver.stop(ms);
      await kept.close();
    },
  };
}
