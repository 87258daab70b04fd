import { createInternalTokenVerifier } from '@storefront/access-token';
import { topology } from '@storefront/contracts';
import { connectRabbitmq } from '@storefront/messaging';
import type { Bus, Subscription } from '@storefront/messaging';
import { createRelay } from '@storefront/outbox';
import type { Relay } from '@storefront/outbox';
import type { Logger } from 'pino';
import { ConfigError } from './config.ts';
import type { ServiceConfig } from './config.ts';
import { checkDatabase, isDatabaseAway, openDatabase } from './database.ts';
import type { Database } from './database.ts';
import { acceptIdempotencyKeys } from './idempotency.ts';
import { createLogger } from './logger.ts';
import { createMetrics, Gauge } from './metrics.ts';
import type { Registry } from './metrics.ts';
import { createCursors } from './paging.ts';
import type { Cursors } from './paging.ts';
import type { ReadinessChecks } from './probes.ts';
import type { Running } from './run.ts';
import { createServer } from './server.ts';
import type { App } from './server.ts';

/** What a service may be given instead of making it: by the stack, where all share a process, and by tests. */
export interface Surroundings {
  readonly connectBus?: (name: string, logger: Logger) => Promise<Bus>;
  readonly logger?: Logger;
  readonly now?: () => Date;
}

/**
 * What every service is put together from. Held by `await using`, so that a start that fails midway leaves nothing open;
 * once the service is served, its `close` ends all of it.
 */
export interface Parts extends AsyncDisposable {
  readonly name: string;
  readonly config: ServiceConfig;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly metrics: Registry;
  readonly database: Database;
  readonly bus: Bus;
  readonly relay: Relay;
  readonly cursors: Cursors;
  /** How to end what was opened, the last first. What a service runs by itself, such as a worker, is deferred here too. */
  readonly opened: AsyncDisposableStack;
}

/** Opens the connections of a service. `relay` starts sweeping once the service is served. */
export async function openParts(name: string, config: ServiceConfig, given: Surroundings = {}): Promise<Parts> {
  const logger = given.logger ?? createLogger(name, config.LOG_LEVEL);
  const now = given.now ?? (() => new Date());
  await using opening = new AsyncDisposableStack();
  const connecting = [openDatabase(config.MONGODB_URL, logger), connectBus()] as const;
  // Each is waited for although the other fails: what opens after that has to be closed too.
  for (const one of await Promise.allSettled(connecting))
    if (one.status === 'fulfilled') opening.defer(() => one.value.close());
  const [database, bus] = await Promise.all(connecting);
  const relay = createRelay({ bus, logger, now });
  opening.defer(() => relay.close());
  const cursors = createCursors(config.API_SECRET);
  const metrics = createMetrics(name);
  const opened = opening.move();
  const end = () => opened.disposeAsync();
  return { name, config, logger, now, metrics, database, bus, relay, cursors, opened, [Symbol.asyncDispose]: end };

  async function connectBus(): Promise<Bus> {
    if (given.connectBus) return given.connectBus(name, logger);
    if (!config.AMQP_URL) throw new ConfigError('The configuration is not valid:\n  AMQP_URL: is required');
    return connectRabbitmq({ url: config.AMQP_URL, topology, logger, name });
  }
}

export interface Serving {
  /** Adds the service's routes. */
  readonly routes: (app: App) => void;
  readonly subscriptions?: readonly Subscription[];
  /** Besides database, broker and outbox, which every service looks at. */
  readonly readiness?: ReadinessChecks;
  /** Ends what clients hold open, such as streams, when draining begins: it would never end by itself. */
  readonly drain?: () => void;
  /** The largest body in bytes; 256 KiB where none is given. */
  readonly bodyLimit?: number;
}

// An outbox that is this far behind means that facts do not get out.
const outboxTooOldSeconds = 60;

/** Serves the routes, consumes the subscriptions, relays the outbox; `close` ends all of it, the last opened first. */
export async function serve(parts: Parts, serving: Serving): Promise<Running> {
  const { config, bus, relay, database } = parts;
  const server = createServer({
    name: parts.name,
    logger: parts.logger,
    metrics: parts.metrics,
    tokens: createInternalTokenVerifier(config.INTERNAL_TOKEN_PUBLIC_KEY, parts.name, parts.now),
    readiness: {
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
      ...serving.readiness,
    },
    ...(serving.bodyLimit === undefined ? {} : { bodyLimit: serving.bodyLimit }),
  });
  parts.opened.defer(async () => {
    const drained = server.drain();
    serving.drain?.();
    await drained;
  });
  measureOutbox(parts);
  await acceptIdempotencyKeys(server.app, database, config.API_SECRET);
  // Not within a callback of Fastify's: what a route throws there would end the process, not the start.
  await server.app.after();
  serving.routes(server.app);
  await relay.start();
  for (const subscription of serving.subscriptions ?? []) await bus.subscribe(patient(subscription));
  const url = await server.listen(config.HOST, config.PORT);

  const opened = parts.opened.move();
  return { url, close: () => opened.disposeAsync() };
}

// A database that is away for an hour must not make dead letters of what nothing is wrong with.
function patient(subscription: Subscription): Subscription {
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

function measureOutbox({ metrics, relay }: Parts): void {
  const depth = new Gauge({
    name: 'outbox_documents',
    help: 'Documents with events that are not published yet',
    registers: [metrics],
    async collect() {
      depth.set((await relay.status()).depth);
    },
  });
}
