import { createInternalTokenVerifier } from '@storefront/access-token';
import { checkDatabase, createCursors, createLogger, createServer, openDatabase } from '@storefront/service-kit';
import type { Running, Surroundings } from '@storefront/service-kit';
import type { HealthConfig } from './config.ts';
import { createOverview } from './overview.ts';
import { ownProbe, probeOf } from './probe.ts';
import { startProber } from './prober.ts';
import { historyRoute } from './routes/history.ts';
import { readyRoute } from './routes/ready.ts';
import { openHistory } from './store/history.ts';

/** Watches the other services: says how they are now, and keeps how they were. */
export async function start(config: HealthConfig, given: Surroundings = {}): Promise<Running> {
  const logger = given.logger ?? createLogger('health', config.LOG_LEVEL);
  const now = given.now ?? (() => new Date());
  await using opening = new AsyncDisposableStack();
  const database = await openDatabase(config.MONGODB_URL, logger);
  opening.defer(() => database.close());
  const history = await openHistory(database);
  const probes = Object.fromEntries(Object.entries(config.SERVICES).map(([name, url]) => [name, probeOf(url)]));
  const overview = createOverview({ ...probes, health: ownProbe(() => checkDatabase(database)) }, now);

  const server = createServer({
    name: 'health',
    logger,
    tokens: createInternalTokenVerifier(config.INTERNAL_TOKEN_PUBLIC_KEY, 'health', now),
    readiness: { database: () => checkDatabase(database) },
  });
  opening.defer(() => server.drain());
  await server.app.after();
  readyRoute(server.app, overview);
  historyRoute(server.app, { history, cursors: createCursors(config.API_SECRET), now });
  const url = await server.listen(config.HOST, config.PORT);
  const prober = startProber({ probes, history, intervalMs: config.PROBE_INTERVAL_MS, now, logger });
  opening.defer(() => prober.stop());

  const opened = opening.move();
  return { url, close: () => opened.disposeAsync() };
}
