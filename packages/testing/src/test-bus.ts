import { topology, type Event } from '@storefront/contracts';
import {
  connectRabbitmq,
  createInProcessBroker,
  deployTopology,
  type Bus,
  type BusOptions,
} from '@storefront/messaging';
import type { Overrides } from '@storefront/process';
import type { Logger } from 'pino';
import { freshVhost } from './vhost.ts';

export type BusKind = 'rabbitmq' | 'in-process';

/** A broker that one service shares with its test and with nobody else. */
export interface TestBus {
  /** The test's own connection. */
  readonly bus: Bus;
  /** How the service under test connects, so that its deliveries are counted. */
  readonly connectBus: NonNullable<Overrides['connectBus']>;
  /** The virtual host's address; undefined for the in-process bus. */
  readonly amqpUrl: string | undefined;
  /** Publishes as another service would. Throws where the broker does not confirm. */
  readonly publish: (...events: readonly Event[]) => Promise<void>;
  /**
   * How many deliveries there must be to the service of what `publish` and it itself have published so far, and how many it has
   * finished. What connects to the broker otherwise than by `connectBus` is not counted.
   */
  readonly deliveries: () => { readonly expected: number; readonly finished: number };
  /** Keeps what the service publishes of that type from the broker, until the function that is returned is called. */
  readonly holdPublishing: (type: string) => () => void;
  readonly close: () => Promise<void>;
}

export async function openTestBus(kind: BusKind, service: string, logger: Logger): Promise<TestBus> {
  let expected = 0;
  let finished = 0;
  const onDelivery: BusOptions['onDelivery'] = ({ outcome }) => {
    if (outcome !== 'retry') finished += 1;
  };
  const broker = kind === 'rabbitmq' ? await openRabbitmq(service, onDelivery) : openInProcess(onDelivery);
  const bus = await broker.connect(`${service}-test`, logger);
  const consumed = new Map<string, readonly string[]>();
  const held = new Map<string, Promise<void>>();

  /** Publishes, and expects what the service consumes of it. Counted before: an event may be handled at once. */
  async function publishCounted(by: Bus, events: readonly Event[], options?: { transient?: boolean }) {
    const types = [...consumed.values()].flat();
    const countOf = (event: Event) => types.filter((type) => type === event.type).length;
    for (const event of events) expected += countOf(event);
    const published = await by.publish(events, options);
    for (const [place, { confirmed }] of published.entries()) {
      const event = events[place];
      if (!confirmed && event) expected -= countOf(event);
    }
    return published;
  }

  return {
    bus,
    async connectBus(name, serviceLogger) {
      const ofService = await broker.connect(name, serviceLogger);
      return {
        ...ofService,
        async publish(events, options) {
          for (const { type } of events) await held.get(type);
          return publishCounted(ofService, events, options);
        },
        async subscribe(subscription) {
          consumed.set(subscription.queue, subscription.types);
          await ofService.subscribe(subscription);
        },
      };
    },
    amqpUrl: broker.amqpUrl,
    async publish(...events) {
      const failed = (await publishCounted(bus, events)).find(({ confirmed }) => !confirmed);
      if (failed) throw new Error(`not published: ${JSON.stringify(failed)}`);
    },
    deliveries: () => ({ expected, finished }),
    holdPublishing(type) {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(type, promise);
      return () => {
        held.delete(type);
        resolve();
      };
    },
    async close() {
      await bus.close();
      await broker.close();
    },
  };
}

interface TestBroker {
  readonly amqpUrl: string | undefined;
  readonly connect: (name: string, logger: Logger) => Promise<Bus>;
  readonly close: () => Promise<void>;
}

async function openRabbitmq(service: string, onDelivery: BusOptions['onDelivery']): Promise<TestBroker> {
  const vhost = await freshVhost(service);
  // Creating a queue is slow, so only the queues of events that the service reads or publishes exist: a service in a process
  // of its own waits for all queues of an event.
  const own = topology.filter(({ queue }) => queue.startsWith(`${service}.`));
  const read = new Set(own.flatMap(({ types }) => types));
  const concerns = (type: string) => type.startsWith(`${service}.`) || read.has(type);
  const ofService = topology.filter(({ types }) => types.some(concerns));
  await deployTopology({ url: vhost.url, topology: ofService });
  return {
    amqpUrl: vhost.url,
    connect: (name, logger) =>
      connectRabbitmq({
        url: vhost.url,
        topology: ofService,
        logger,
        name,
        ...(onDelivery ? { onDelivery } : {}),
      }),
    close: () => vhost.drop(),
  };
}

function openInProcess(onDelivery: BusOptions['onDelivery']): TestBroker {
  const broker = createInProcessBroker({ topology, ...(onDelivery ? { onDelivery } : {}) });
  return {
    amqpUrl: undefined,
    connect: async (name, logger) => broker.connect({ name, logger }),
    close: () => broker.close(),
  };
}
