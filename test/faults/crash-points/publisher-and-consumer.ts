// A service in small, with the real outbox, relay and bus: places one order, publishes that, and hears of it itself. It
// dies by SIGKILL at the step that it is told. The steps are watched from outside, by what it hands to the real parts,
// so that those know nothing of it.
import { defineEvent, fact } from '@storefront/contracts';
import { connectRabbitmq } from '@storefront/messaging';
import type { Bus } from '@storefront/messaging';
import { changed, createAggregates, createRelay, unchanged } from '@storefront/outbox';
import mongoose from 'mongoose';
import { pino } from 'pino';
import { z } from 'zod';
import type { Step, Told } from './steps.ts';

const told = JSON.parse(process.argv[2] ?? '') as Told;
const queue = 'crashing.on-placed';
const placed = defineEvent('crashing.placed', 'An order was placed.', z.object({ total: z.int() }));

function reach(step: Step): void {
  if (told.dieAt === step) process.kill(process.pid, 'SIGKILL');
}

const logger = pino({ level: 'silent' });
const connection = await mongoose.createConnection(told.mongodbUrl).asPromise();
const database = connection.getClient().db(connection.name);
const effects = database.collection<{ _id: string; times: number }>('effects');
const real = await connectRabbitmq({
  url: told.amqpUrl,
  topology: [{ queue, types: [placed.type] }],
  logger,
  name: 'crashing',
  // Called just before the answer goes to the broker: by the next turn it is on its way, or not.
  onDelivery: () => setImmediate(() => reach('acknowledging')),
});

const bus: Bus = {
  ...real,
  async publish(events, options) {
    reach('written');
    const published = real.publish(events, options);
    setImmediate(() => setImmediate(() => reach('publishing')));
    const results = await published;
    reach('confirmed');
    return results;
  },
};
const orders = new Proxy(database.collection<any>('orders'), {
  get(target, name) {
    const value = Reflect.get(target, name) as unknown;
    if (typeof value !== 'function') return value;
    if (name !== 'bulkWrite') return value.bind(target) as unknown;
    return async (...given: unknown[]) => {
      const result = (await value.apply(target, given)) as unknown;
      reach('pulled');
      return result;
    };
  },
});

const relay = createRelay({ bus, logger, sweepMs: 100 });
const aggregates = createAggregates<{ id: string; total: number }>({
  collection: orders,
  relay,
  now: () => new Date(),
});
await bus.subscribe({
  queue,
  types: [placed.type],
  handle: async (event) => {
    reach('delivered');
    // Once for each event, however often it comes: its id is the key.
    await effects
      .insertOne({ _id: `${event.subject} ${event.id}`, times: 1 })
      .catch((error: { code?: number }) => (error.code === 11_000 ? undefined : Promise.reject(error)));
    reach('effected');
    return 'done';
  },
});
await relay.start();
await aggregates.change(told.orderId, (current) =>
  current
    ? unchanged(undefined)
    : changed({ id: told.orderId, total: 1 }, [fact(placed, told.orderId, { total: 1 })], undefined),
);
process.send?.('placed');
// Finishes what it has in hand: an event that it was given is answered.
process.once(
  'disconnect',
  () =>
    void relay
      .close()
      .then(() => bus.close())
      .finally(() => process.exit(0)),
);
