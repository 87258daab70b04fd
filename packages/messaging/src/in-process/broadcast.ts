import type { Event } from '@storefront/contracts';
import type { Logger } from 'pino';
import type { Broker } from 'smqp';
import type { Broadcast } from '../bus.ts';
import { eventsExchange } from '../topology.ts';

/** Hears every event of the types from here on, until closed. */
export function listen(broker: Broker, broadcast: Broadcast, logger: Logger): { close(): void } {
  const { name: queue } = broker.assertQueue(undefined, { durable: false, autoDelete: true });
  for (const type of broadcast.types) broker.bindQueue(queue, eventsExchange, type);
  const tell = (listener: (() => void) | undefined) => {
    try {
      listener?.();
    } catch (error) {
      logger.error({ err: error, broadcast: broadcast.name }, 'a listener failed');
    }
  };
  broker.consume(
    queue,
    (_routingKey, message) => {
      const event = JSON.parse(message.content as string) as Event;
      // Not within the publisher's call, which this one is made from.
      setImmediate(() => tell(() => broadcast.handle(event)));
    },
    { noAck: true, prefetch: 1_000 },
  );
  tell(broadcast.onBound);
  return {
    close() {
      broker.deleteQueue(queue);
      tell(broadcast.onLost);
    },
  };
}
