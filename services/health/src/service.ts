import { createInternalTokenVerifier } from '@storefront/access-token';
import { commonErrors, healthOperations, topology, type Refusal } from '@storefront/contracts';
import { bindOperations, createCursors, createServer } from '@storefront/http';
import { connectRabbitmq, MessagingError, type Bus } from '@storefront/messaging';
import { checkDatabase, databaseRefusal, openDatabase } from '@storefront/mongo';
import {
  createLogger,
  createMetrics,
  defineService,
  systemLookup,
  unwatchedStart,
  type Overrides,
  type Running,
} from '@storefront/process';
import type { Logger } from 'pino';
import { configSchema, type HealthConfig } from './config.ts';
import { watchServices } from './jobs/watch-services.ts';
import { createOverview } from './probes/overview.ts';
import { ownProbe, probeOfAll } from './probes/probe.ts';
import { deadLetterHandlers } from './routes/dead-letters.ts';
import { healthHandlers } from './routes/health.ts';
import { openDeadLetters } from './store/dead-letters.ts';
import { definitions, openHistory } from './store/history.ts';

/** The health service. It watches the other services, reports how they are now, and stores when they were not ready. */
export const service = defineService({ name: 'health', config: configSchema, collections: definitions, start });

async function start(config: HealthConfig, overrides: Overrides): Promise<Running> {
  const logger = overrides.logger ?? createLogger('health', config.LOG_LEVEL);
  const now = overrides.now ?? (() => new Date());
  await using opening = new AsyncDisposableStack();
  const starting = overrides.starting ?? unwatchedStart;
  const database = await starting.waitFor('database', openDatabase(config.MONGODB_URL, logger, overrides.onCommand));
  opening.defer(() => database.close());
  const history = await openHistory(database);
  const lookup = overrides.lookup ?? systemLookup;
  const probes = Object.fromEntries(
    Object.entries(config.SERVICES).map(([name, urls]) => [name, probeOfAll(urls, lookup)]),
  );
  const overview = createOverview({ health: ownProbe(() => checkDatabase(database)), ...probes }, now);

  // The health service has its own setup, different from the other services: it has no outbox and no idempotency keys,
  // and connects to the broker only while somebody asks for dead letters.
  const server = createServer({
    name: 'health',
    logger,
    metrics: createMetrics('health'),
    tokens: createInternalTokenVerifier(config.INTERNAL_TOKEN_PUBLIC_KEY, 'health', now),
    readiness: { needed: { database: () => checkDatabase(database) } },
    toRefusal,
  });
  opening.defer(() => server.drain());
  const cursors = createCursors(config.API_SECRET);
  const deadLetters = openDeadLetters(() => connectBus(config, overrides, logger), now);
  bindOperations(server.app, healthOperations, {
    ...healthHandlers({ overview, history, cursors, now }),
    ...deadLetterHandlers({ deadLetters, cursors }),
  });
  await starting.freePort();
  const url = await server.listen(config.HOST, config.PORT);
  const watch = watchServices({ probes, history, intervalMs: config.PROBE_INTERVAL_MS, now, logger });
  opening.defer(() => watch.stop());

  const opened = opening.move();
  return { url, close: () => opened.disposeAsync() };
}

async function connectBus(config: HealthConfig, overrides: Overrides, logger: Logger): Promise<Bus> {
  if (overrides.connectBus) return overrides.connectBus('health', logger);
  if (!config.AMQP_URL) throw commonErrors.brokerUnavailable();
  return connectRabbitmq({ url: config.AMQP_URL, topology, logger, name: 'health' });
}

function toRefusal(error: unknown): Refusal | undefined {
  if (error instanceof MessagingError && error.code === 'messaging_broker_away')
    return commonErrors.brokerUnavailable().with({ retryAfterSeconds: 1 });
  return databaseRefusal(error);
}
