import { calendarOf } from '@storefront/calendar';
import { openCollections, openDatabase, openJobHolders, openLease } from '@storefront/mongo';
import { ConfigError, createLogger, loadConfig, readCommandLine, withRunningSystem } from '@storefront/process';
import { configSchema } from './config.ts';
import { rebuildReports } from './roll-ups/commands/rebuild.ts';
import { progressBar } from './roll-ups/domain/progress-bar.ts';
import { dateOf, dayIndexOf, shopDaysOf } from './roll-ups/domain/shop-days.ts';
import { openFactCounting } from './roll-ups/store/count-batch.ts';
import { openRebuildingDays } from './roll-ups/store/rebuild-days.ts';
import { openRollUpState } from './roll-ups/store/state.ts';
import { collections } from './store/collections.ts';

const usage = `Commands of the engagement service. They read the same variables as the service does.

  rebuild-reports [--from <date>] [--to <date>]   such as: rebuild-reports --from 2026-03-01 --to 2026-04-01

    makes the sums of reports again from the facts, day by day, from --from on and before --to; of all days whose facts
    are still kept where nothing is given. Reports go on answering meanwhile, and new facts are counted. Ctrl-C ends it
    after the day under way; run again with the same options, it goes on there. By default it works on the database of
    the system that npm start runs on DATA_DIR (.data)
`;

const { positionals, values } = readCommandLine(usage, { from: { type: 'string' }, to: { type: 'string' } });

try {
  const [command, ...others] = positionals;
  if (command !== 'rebuild-reports' || others.length > 0) throw new ConfigError(usage);
  process.stdout.write(`${await rebuild()}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function rebuild(): Promise<string> {
  const asked = { ...dayAsked('from', values.from), ...dayAsked('to', values.to) };
  const env = withRunningSystem(process.env);
  const config = loadConfig(
    configSchema.pick({ MONGODB_URL: true, SHOP_TIME_ZONE: true, ANALYTICS_FACT_MONTHS: true }),
    { ...env, MONGODB_URL: env.MONGODB_URL ?? env['ENGAGEMENT_MONGODB_URL'] },
  );
  const logger = createLogger('engagement', 'warn');
  const now = () => new Date();
  const stop = new AbortController();
  // Ctrl-C comes twice: from the terminal, and from the process that started this one.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());

  await using opened = new AsyncDisposableStack();
  const database = await openDatabase(config.MONGODB_URL, logger);
  opened.defer(() => database.close());
  await openCollections(database, collections);
  const lease = await openLease({ database, logger });
  opened.defer(() => lease.close());
  const { zone } = await openRollUpState({ database, now }, config.SHOP_TIME_ZONE);
  const shopDays = shopDaysOf(calendarOf(zone));
  const jobHolders = openJobHolders({ database, lease });
  const parts = { database, jobHolders, shopDays };
  const { from, to, next } = await rebuildReports(
    {
      jobHolders,
      counting: openFactCounting(parts),
      rebuilding: openRebuildingDays({ ...parts, factMonths: config.ANALYTICS_FACT_MONTHS, now }),
      now,
    },
    { asked, onProgress: show, signal: stop.signal },
  );
  if (process.stderr.isTTY) process.stderr.write('\n');
  if (next < to) return `Stopped before ${dateOf(next)}. Run it again with the same options to go on.`;
  return from === to
    ? 'There is no day to make again.'
    : `${dateOf(from)} to ${dateOf(to - 1)}: ${to - from} days made again.`;
}

function show({ from, to, next }: { readonly from: number; readonly to: number; readonly next: number }): void {
  const line = `${progressBar(next - from, to - from)} ${dateOf(next - 1)}`;
  process.stderr.write(process.stderr.isTTY ? `\r${line}` : `${line}\n`);
}

function dayAsked<Name extends 'from' | 'to'>(name: Name, date: string | undefined): { [Each in Name]?: number } {
  if (date === undefined) return {};
  const day = dayIndexOf(date);
  if (day === null) throw new ConfigError(`--${name} must be a date, such as 2026-03-01.`);
  return { [name]: day } as { [Each in Name]?: number };
}
