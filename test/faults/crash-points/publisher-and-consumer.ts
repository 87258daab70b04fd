// A minimal service with the real outbox, relay and bus: it creates one order, publishes the event, and handles it. It
// kills itself with SIGKILL at the step in its input. The steps are observed in the objects that it passes to the real
// parts, so those contain no code for this test.
import { changed, defineEvent, fact, queue, unchanged } from '@storefront/contracts';
import { connectRabbitmq, on, subscription, type Bus } from '@storefront/messaging';
import {
  createRelay,
  byId,
  defineCollection,
  openCollections,
  openDatabase,
  openRepository,
  withEvents,
  type RelayOfWrites,
} from '@storefront/mongo';
import { pino } from 'pino';
import { z } from 'zod';
import type { ProgramInput, Step } from './steps.ts';

const input = JSON.parse(process.argv[2] ?? '') as ProgramInput;
const orderPlaced = defineEvent('crashing.placed', 'An order was placed.', z.object({ total: z.int() }));
const onPlaced = queue('crashing.on-placed', [orderPlaced]);
const orders = defineCollection('orders', { ...withEvents, total: z.int() }, { sharding: byId });

function reach(step: Step): void {
  if (input.killAt === step) process.kill(process.pid, 'SIGKILL');
}

const logger = pino({ level: 'silent' });
const database = await openDatabase(input.mongodbUrl, logger);
await openCollections(database, [orders]);
const effects = database.getClient().db(database.name).collection<{ _id: string; times: number }>('effects');
const realBus = await connectRabbitmq({
  url: input.amqpUrl,
  topology: [{ queue: onPlaced.name, types: [orderPlaced.type] }],
  logger,
  name: 'crashing',
  // Called just before the acknowledgement is sent; one turn of the event loop later it may have reached the broker.
  onDelivery: () => setImmediate(() => reach('acknowledging')),
});

const bus: Bus = {
  ...realBus,
  async publish(events, options) {
    reach('written');
    const published = realBus.publish(events, options);
    setImmediate(() => setImmediate(() => reach('publishing')));
    const results = await published;
    reach('confirmed');
    return results;
  },
};

type Source = Parameters<RelayOfWrites['watch']>[0];
const observedSources = new Map<Source, Source>();

/** The collection as the relay sees it, which removes published events with `bulkWrite`. */
function observe(source: Source): Source {
  const observed =
    observedSources.get(source) ??
    new Proxy(source, {
      get(target, name) {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== 'function') return value;
        if (name !== 'bulkWrite') return value.bind(target) as unknown;
        return async (...args: unknown[]) => {
          const result = (await value.apply(target, args)) as unknown;
          reach('pulled');
          return result;
        };
      },
    });
  observedSources.set(source, observed);
  return observed;
}

const relay = createRelay({ bus, logger, sweepMs: 100 });
const observedRelay: RelayOfWrites = {
  watch: (source) => relay.watch(observe(source)),
  publish: (source, id, events) => relay.publish(observe(source), id, events),
  leftTombstone: (source) => relay.leftTombstone(observe(source)),
};
const repository = openRepository<{ id: string; total: number }>(orders, {
  database,
  relay: observedRelay,
  now: () => new Date(),
});
await bus.subscribe(
  subscription(onPlaced, [
    on(orderPlaced, async (event) => {
      reach('delivered');
      // The id of the event is part of the key, so that repeated deliveries have one effect.
      await effects
        .insertOne({ _id: `${event.subject} ${event.id}`, times: 1 })
        .catch((error: { code?: number }) => (error.code === 11_000 ? undefined : Promise.reject(error)));
      reach('effected');
    }),
  ]),
);
relay.start();
await repository.change(input.orderId, (current) =>
  current
    ? unchanged(undefined)
    : changed({ id: input.orderId, total: 1 }, [fact(orderPlaced, input.orderId, { total: 1 })], undefined),
);
process.send?.('placed');
// Closing finishes the events that it is handling.
process.once(
  'disconnect',
  () =>
    void relay
      .close()
      .then(() => bus.close())
      .finally(() => process.exit(0)),
);
