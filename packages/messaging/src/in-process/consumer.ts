import type { ConsumeMessage } from 'smqp';
import type { Subscription } from '../bus.ts';
import type { Headers } from '../middleware/dead-letter.ts';
import { createReceiver } from '../receiver.ts';
import type { Settlement } from '../receiver.ts';
import type { Settings } from '../settings.ts';
import type { Shared } from './shared.ts';

/** Consumes a subscription; `close` waits for the handlers under way, `ms` milliseconds at most. */
export function consume({ broker, waitingRoom, morgue }: Shared, subscription: Subscription, settings: Settings) {
  const { queue } = subscription;
  const receiver = createReceiver(subscription, settings);
  const held = new Set<ConsumeMessage>();
  let closed = false;

  const consumer = broker.consume(
    queue,
    (_routingKey, message) => {
      held.add(message);
      // Not within the publisher's call, which this one is made from.
      setImmediate(() =>
        receiver.receive({
          content: message.content as string,
          headers: message.properties['headers'] as Headers,
          answerable: () => !closed,
          settle: (settlement) => settle(message, settlement),
        }),
      );
    },
    { prefetch: settings.prefetch },
  ) as { consumerTag: string };

  function settle(message: ConsumeMessage, settlement: Settlement): void {
    if (closed || settlement.do === 'leave') return;
    const content = message.content as string;
    if (settlement.do === 'wait') waitingRoom.hold(queue, settlement.waitMs, content, settlement.headers);
    if (settlement.do === 'bury') morgue.bury(content, settlement.headers);
    held.delete(message);
    message.ack();
  }

  return {
    queue,
    async close(ms: number) {
      broker.cancel(consumer.consumerTag, { keepPending: true });
      await receiver.stop(ms);
      closed = true;
      for (const message of held) message.nack(false, true);
    },
  };
}
