import type { ConsumeMessage } from 'smqp';
import type { Subscription } from '../bus.ts';
import type { Headers } from '../middleware/dead-letter.ts';
import { createReceiver, type Settlement } from '../receiver.ts';
import type { Settings } from '../settings.ts';
import type { Shared } from './shared.ts';

/** Consumes a subscription. `close` waits at most `ms` milliseconds for running handlers. */
export function consume(
  { broker, delayQueue, deadLetterStore }: Shared,
  subscription: Subscription,
  settings: Settings,
) {
  const { queue } = subscription;
  const receiver = createReceiver(subscription, settings);
  const unsettled = new Set<ConsumeMessage>();
  let closed = false;

  const consumer = broker.consume(
    queue,
    (_routingKey, message) => {
      unsettled.add(message);
      // The publisher's call is still running here, so the handler starts after that call.
      setImmediate(() =>
        receiver.receive({
          content: message.content as string,
          headers: message.properties['headers'] as Headers,
          canSettle: () => !closed,
          settle: (settlement) => settle(message, settlement),
        }),
      );
    },
    { prefetch: subscription.prefetch ?? settings.prefetch },
  ) as { consumerTag: string };

  function settle(message: ConsumeMessage, settlement: Settlement): void {
    if (closed || settlement.do === 'giveBack') return;
    const content = message.content as string;
    if (settlement.do === 'delay') delayQueue.add(queue, settlement.delayMs, content, settlement.headers);
    if (settlement.do === 'deadLetter') deadLetterStore.add(content, settlement.headers);
    unsettled.delete(message);
    message.ack();
  }

  return {
    queue,
    async close(ms: number) {
      broker.cancel(consumer.consumerTag, { keepPending: true });
      await receiver.stop(ms);
      closed = true;
      for (const message of unsettled) message.nack(false, true);
    },
  };
}
