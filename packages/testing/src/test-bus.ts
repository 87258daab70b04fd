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

/** A broker that only one service and its test use. */
export interface TestBus {
  /** The test's own connection. */
  readonly bus: Bus;
  /** Connects the service under test, in a way that counts its deliveries. */
  readonly connectBus: NonNullable<Overrides['connectBus']>;
  /** The virtual host's address; undefined for the in-process bus. */
  readonly amqpUrl: string | undefined;
  /** Publishes events as another service would. Throws if the broker does not confirm one of them. */
  readonly publish: (...events: readonly Event[]) => Promise<void>;
  /**
   * Returns how many deliveries the service must get of all events that the test and the service have published so far,
   * and how many it has finished. Connections that were not made by `connectBus` are not counted.
   */
  readonly deliveries: () => { readonly expected: number; readonly finished: number };
  /** Holds back the service's events of this type until the returned function is called. */
  readonly holdPublishing: (type: string) => () => void;
  /** Creates the queues of other services for events that the service reads or publishes, if there are none yet. */
  readonly deployAll: () => Promise<void>;
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

  /**
   * Publishes events and increases `expected` by the deliveries that the service must get. This is done before
   * publishing, because an event may be handled at once.
   */
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
    deployAll: broker.deployAll,
    async close() {
      await bus.close();
      await broker.close();
    },
  };
}

interface TestBroker {
  readonly amqpUrl: string | undefined;
  readonly connect: (name: string, logger: Logger) => Promise<Bus>;
  readonly deployAll: () => Promise<void>;
  readonly close: () => Promise<void>;
}

async function openRabbitmq(service: string, onDelivery: BusOptions['onDelivery']): Promise<TestBroker> {
  const vhost = await freshVhost(service);
  // Creating a queue is slow, so at first there are only those of the service.
  const own = topology.filter(({ queue }) => queue.startsWith(`${service}.`));
  const read = new Set(own.flatMap(({ types }) => types));
  const concerns = (type: string) => type.startsWith(`${service}.`) || read.has(type);
  await deployTopology({ url: vhost.url, topology: own });
  const deployOthers = async () => {
    const ofService = topology.filter(({ types }) => types.some(concerns));
    await deployTopology({ url: vhost.url, topology: ofService });
  };
  let all: Promise<void> | undefined;
  return {
    amqpUrl: vhost.url,
    connect: (name, logger) =>
      connectRabbitmq({
        url: vhost.url,
        topology: own,
        logger,
        name,
        ...(onDelivery ? { onDelivery } : {}),
      }),
    deployAll: () => (all ??= deployOthers()),
    close: () => vhost.drop(),
  };
}

function openInProcess(onDelivery: BusOptions['onDelivery']): TestBroker {
  const broker = createInProcessBroker({ topology, ...(onDelivery ? { onDelivery } : {}) });
  return {
    amqpUrl: undefined,
    connect: async (name, logger) => broker.connect({ name, logger }),
    deployAll: async () => {},
    close: () => broker.close(),
  };
}
