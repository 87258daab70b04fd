import { openCollections, openDatabase, openLease } from '@storefront/mongo';
import { ConfigError, createLogger, loadCommandConfig, readCommandLine } from '@storefront/process';
import { z } from 'zod';
import { openRebuild, type RebuildProgress } from './analytics/analytics.ts';
import { configSchema } from './config.ts';
import { collections } from './service.ts';

const usage = `A command of the engagement service. It reads the same variables as the service does; by default it works on the database of
the system that npm start runs on DATA_DIR (.data).

  rebuild-reports [--from <date>] [--to <date>]   such as: rebuild-reports --from 2026-03-01 --to 2026-04-01

    makes the sums of reports again from the facts, day by day, from --from on and before --to; of all days whose facts
    are still kept where nothing is given. Reports go on answering meanwhile, and new facts are counted. Ctrl-C ends it
    after the day under way; run again with the same options, it goes on there
`;
const barWidth = 30;

try {
  process.stdout.write(`${await rebuildReports()}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function rebuildReports(): Promise<string> {
  const { positionals, values } = readCommandLine(usage, { from: { type: 'string' }, to: { type: 'string' } });
  if (positionals.join(' ') !== 'rebuild-reports') throw new ConfigError(usage);
  for (const name of ['from', 'to'] as const)
    if (!z.iso.date().optional().safeParse(values[name]).success)
      throw new ConfigError(`--${name} must be a date, such as 2026-03-01.`);
  const config = loadCommandConfig(
    configSchema.pick({
      MONGODB_URL: true,
      SHOP_TIME_ZONE: true,
      ANALYTICS_FACT_MONTHS: true,
      ANALYTICS_TEXTS_PER_DAY: true,
      ANALYTICS_PEOPLE_PER_TEXT: true,
    }),
    'engagement',
  );
  const logger = createLogger('engagement', 'warn');
  const stop = new AbortController();
  // Ctrl-C may send a signal twice: once from the terminal and once from the parent process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());

  await using opened = new AsyncDisposableStack();
  const database = await openDatabase(config.MONGODB_URL, logger);
  opened.defer(() => database.close());
  await openCollections(database, collections);
  const lease = await openLease({ database, logger });
  opened.defer(() => lease.close());
  const rebuild = await openRebuild({ database, lease, now: () => new Date() }, config);
  const made = await rebuild({ from: values.from, to: values.to, onProgress: show, signal: stop.signal });
  if (process.stderr.isTTY) process.stderr.write('\n');
  if (!made) return 'There is no day to make again.';
  const { first, last, days, done } = made;
  return done < days
    ? `Stopped after ${done} of ${days} days. Run it again with the same options to go on.`
    : `${first} to ${last}: ${days} days made again.`;
}

/** Shows progress on stderr, for example `[##########....................]  33 % 2026-03-10`. */
function show({ day, done, days }: RebuildProgress): void {
  const full = Math.floor((done / days) * barWidth);
  const share = String(Math.floor((done / days) * 100)).padStart(3);
  const line = `[${'#'.repeat(full)}${'.'.repeat(barWidth - full)}] ${share} % ${day}`;
  process.stderr.write(process.stderr.isTTY ? `\r${line}` : `${line}\n`);
}
