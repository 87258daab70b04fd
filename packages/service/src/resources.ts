import { topology } from '@storefront/contracts';
import { createCursors, type Cursors } from '@storefront/http';
import { connectRabbitmq, type Bus } from '@storefront/messaging';
import {
  createRelay,
  openAuditNotes,
  openDatabase,
  openLease,
  type AuditNotes,
  type Database,
  type Lease,
  type Relay,
} from '@storefront/mongo';
import {
  ConfigError,
  createLogger,
  createMetrics,
  unwatchedStart,
  type Overrides,
  type Registry,
  type ServiceConfig,
  type Starting,
} from '@storefront/process';
import type { Logger } from 'pino';

/**
 * The resources that every service needs. Hold them with `await using`, so that a failed start leaves nothing open.
 * Once the service is served, the `close` of the running service closes all of them.
 */
export interface Resources extends AsyncDisposable {
  readonly name: string;
  readonly config: ServiceConfig;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly metrics: Registry;
  readonly database: Database;
  /** The lease that this instance needs for work that several instances share. */
  readonly lease: Lease;
  readonly bus: Bus;
  readonly relay: Relay;
  /** Records actions in the audit log that change no document. */
  readonly auditNotes: AuditNotes;
  readonly cursors: Cursors;
  readonly starting: Starting;
  /** Closes everything that was opened, the last opened first. A service also adds the end of its own workers here. */
  readonly opened: AsyncDisposableStack;
}

/** Opens the connections of a service. The relay starts later, in `serve`. */
export async function openResources(
  name: string,
  config: ServiceConfig,
  overrides: Overrides = {},
): Promise<Resources> {
  const logger = overrides.logger ?? createLogger(name, config.LOG_LEVEL);
  const now = overrides.now ?? (() => new Date());
  await using opening = new AsyncDisposableStack();
  const starting = overrides.starting ?? unwatchedStart;
  const connecting = [
    starting.waitFor('database', openDatabase(config.MONGODB_URL, logger, overrides.onCommand)),
    starting.waitFor('broker', connectBus(name, config, overrides, logger)),
  ] as const;
  // Waits for both even if one fails, because the other one must then be closed.
  for (const one of await Promise.allSettled(connecting))
    if (one.status === 'fulfilled') opening.defer(() => one.value.close());
  const [database, bus] = await Promise.all(connecting);
  const lease = await openLease({ database, logger, now: overrides.databaseNow });
  opening.defer(() => lease.close());
  const relay = createRelay({ bus, logger });
  opening.defer(() => relay.close());
  const cursors = createCursors(config.API_SECRET);
  const metrics = createMetrics(name);
  const opened = opening.move();
  const end = () => opened.disposeAsync();
  return {
    name,
    config,
    logger,
    now,
    metrics,
    database,
    lease,
    bus,
    relay,
    auditNotes: openAuditNotes({ database, relay, now }),
    cursors,
    starting,
    opened,
    [Symbol.asyncDispose]: end,
  };
}

async function connectBus(name: string, config: ServiceConfig, overrides: Overrides, logger: Logger): Promise<Bus> {
  if (overrides.connectBus) return overrides.connectBus(name, logger);
  if (!config.AMQP_URL) throw new ConfigError('The configuration is not valid:\n  AMQP_URL: is required');
  return connectRabbitmq({ url: config.AMQP_URL, topology, logger, name });
}
