import type { Logger } from 'pino';
import { Broker } from 'smqp';
import type { Bus } from '../bus.ts';
import type { Headers } from '../middleware/dead-letter.ts';
import { type BusOptions, withDefaults } from '../settings.ts';
import { eventsExchange, type Topology } from '../topology.ts';
import { connectInProcess } from './connect.ts';
import { createDeadLetterStore } from './dead-letter-store.ts';
import { createDelayQueue } from './delay-queue.ts';

export type InProcessOptions = Omit<BusOptions, 'name' | 'logger'>;

/** A broker in the memory of this process. All services of the process share it. */
export interface InProcessBroker {
  connect(options: { name: string; logger: Logger }): Bus;
  /** Closes every bus and drops all messages. A second call changes nothing. */
  close(): Promise<void>;
}

/**
 * Creates a broker for tests, and for trying the product without RabbitMQ. A publish is confirmed as soon as the queues
 * have the event. The queues are in memory: unhandled events are lost when the process ends.
 */
export function createInProcessBroker(options: InProcessOptions): InProcessBroker {
  const broker = new Broker();
  broker.assertExchange(eventsExchange, 'topic', { durable: true, autoDelete: false });
  declareQueues(broker, options.topology);
  const enqueue = (queue: string, content: string, headers: Headers) => {
    broker.sendToQueue(queue, content, { headers });
  };
  const delayQueue = createDelayQueue(enqueue);
  const deadLetterStore = createDeadLetterStore(enqueue);
  const buses: Bus[] = [];

  return {
    connect({ name, logger }) {
      const bus = connectInProcess({ broker, delayQueue, deadLetterStore }, withDefaults({ ...options, name, logger }));
      buses.push(bus);
      return bus;
    },
    async close() {
      await Promise.all(buses.map((bus) => bus.close()));
      delayQueue.clear();
    },
  };
}

function declareQueues(broker: Broker, topology: Topology): void {
  for (const { queue, types } of topology) {
    broker.assertQueue(queue, { durable: true, autoDelete: false });
    for (const type of types) broker.bindQueue(queue, eventsExchange, type);
  }
}
