import type { Event } from '@storefront/contracts';
import type { Logger } from 'pino';
import type { Broker } from 'smqp';
import type { Broadcast } from '../bus.ts';
import { eventsExchange } from '../topology.ts';

/** Handles every event of the broadcast's types from now on, until `close` is called. */
export function consumeBroadcast(broker: Broker, broadcast: Broadcast, logger: Logger): { close(): void } {
  const { name: queue } = broker.assertQueue(undefined, { durable: false, autoDelete: true });
  for (const type of broadcast.types) broker.bindQueue(queue, eventsExchange, type);
  const call = (listener: (() => void) | undefined) => {
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
      // The publisher's call is still running here, so the handler starts after that call.
      setImmediate(() => call(() => broadcast.handle(event)));
    },
    { noAck: true, prefetch: 1_000 },
  );
  call(broadcast.onBound);
  return {
    close() {
      broker.deleteQueue(queue);
      call(broadcast.onLost);
    },
  };
}
