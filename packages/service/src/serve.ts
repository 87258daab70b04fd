import { createInternalTokenVerifier } from '@storefront/access-token';
import type { Operations } from '@storefront/contracts';
import { acceptIdempotencyKeys, bindOperations, createServer } from '@storefront/http';
import type { Handlers, ReadinessChecks } from '@storefront/http';
import type { Subscription } from '@storefront/messaging';
import { checkDatabase, databaseRefusal, isDatabaseAway, openIdempotencyKeys } from '@storefront/mongo';
import { Gauge } from '@storefront/process';
import type { Running } from '@storefront/process';
import type { Resources } from './resources.ts';

export interface Serving<Specs extends Operations> {
  readonly operations: Specs;
  readonly handlers: Handlers<Specs>;
  readonly subscriptions?: readonly Subscription[];
  /** Checks besides those of every service: database, broker, consumers and outbox. */
  readonly readiness?: ReadinessChecks;
  /** Ends what clients hold open, such as streams, when draining begins: they would never end by themselves. */
  readonly drain?: () => void;
  /** The largest body in bytes; 256 KiB where none is given. */
  readonly bodyLimit?: number;
}

// An outbox this old means that events are not being published.
const outboxTooOldSeconds = 60;

/** Serves the operations, consumes the queues, relays the outbox; `close` ends all of it, the last opened first. */
export async function serve<Specs extends Operations>(resources: Resources, serving: Serving<Specs>): Promise<Running> {
  const { config, name, bus, relay, database, now } = resources;
  const server = createServer({
    name,
    logger: resources.logger,
    metrics: resources.metrics,
    tokens: createInternalTokenVerifier(config.INTERNAL_TOKEN_PUBLIC_KEY, name, now),
    readiness: { ...readinessOf(resources), ...serving.readiness },
    toRefusal: databaseRefusal,
    ...(serving.bodyLimit === undefined ? {} : { bodyLimit: serving.bodyLimit }),
  });
  resources.opened.defer(async () => {
    const drained = server.drain();
    serving.drain?.();
    await drained;
  });
  measureOutbox(resources);
  acceptIdempotencyKeys(server.app, await openIdempotencyKeys(database), config.API_SECRET);
  bindOperations(server.app, serving.operations, serving.handlers);
  relay.start();
  for (const subscription of serving.subscriptions ?? []) await bus.subscribe(waitingForDatabase(subscription));
  const url = await server.listen(config.HOST, config.PORT);

  const opened = resources.opened.move();
  return { url, close: () => opened.disposeAsync() };
}

function readinessOf({ bus, relay, database }: Resources): ReadinessChecks {
  return {
    database: () => checkDatabase(database),
    broker: () => {
      const health = bus.health();
      return { ok: health.connected, kind: health.kind, reason: health.reason };
    },
    consumers: async () => {
      const queues = bus.health().queues;
      const backlog = await bus.backlog();
      return { ok: queues.every((queue) => queue.consuming), queues: backlog };
    },
    outbox: async () => {
      const status = await relay.status();
      return { ok: status.oldestAgeSeconds < outboxTooOldSeconds, ...status };
    },
  };
}

// Events that are fine must not become dead letters because the database is away for an hour.
function waitingForDatabase(subscription: Subscription): Subscription {
  return {
    ...subscription,
    async handle(event, delivery) {
      try {
        return await subscription.handle(event, delivery);
      } catch (error) {
        if (isDatabaseAway(error)) return { outcome: 'later', reason: 'the database is away' };
        throw error;
      }
    },
  };
}

function measureOutbox({ metrics, relay }: Resources): void {
  const depth = new Gauge({
    name: 'outbox_documents',
    help: 'Documents with events that are not published yet',
    registers: [metrics],
    async collect() {
      depth.set((await relay.status()).depth);
    },
  });
}
