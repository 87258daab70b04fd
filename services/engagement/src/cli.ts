import { setTimeout as wait } from 'node:timers/promises';
import { addDays, calendarOf } from '@storefront/calendar';
import {
  openCollections,
  openDatabase,
  openErasedUsers,
  openJobHolders,
  openLease,
  type Database,
} from '@storefront/mongo';
import { ConfigError, createLogger, loadConfig, readCommandLine, withRunningSystem } from '@storefront/process';
import { z } from 'zod';
import { configSchema, textLimits } from './config.ts';
import { openFactStore, type FactStore } from './analytics/store/fact-store.ts';
import { openPeople } from './analytics/store/people.ts';
import { makeHistory } from './history/commands/make-history.ts';
import type { HistoryShop } from './history/domain/shop.ts';
import { readHistoryShop } from './history/store/history-shop.ts';
import { rebuildReports } from './analytics/commands/rebuild.ts';
import { progressBar } from './analytics/domain/roll-ups/progress-bar.ts';
import { dateOf, dayIndexOf, shopDaysOf } from './analytics/domain/roll-ups/shop-days.ts';
import { markAll } from './analytics/store/roll-ups/mark-all.ts';
import { openFactCounting } from './analytics/store/roll-ups/count-batch.ts';
import { openTextErasure } from './analytics/store/roll-ups/erase-texts.ts';
import { openRebuildingDays } from './analytics/store/roll-ups/rebuild-days.ts';
import { openRollUpState } from './analytics/store/roll-ups/state.ts';
import { collections } from './service.ts';

const usage = `Commands of the engagement service. They read the same variables as the service does; by default they work on the database of
the system that npm start runs on DATA_DIR (.data).

  rebuild-reports [--from <date>] [--to <date>]   such as: rebuild-reports --from 2026-03-01 --to 2026-04-01

    makes the sums of reports again from the facts, day by day, from --from on and before --to; of all days whose facts
    are still kept where nothing is given. Reports go on answering meanwhile, and new facts are counted. Ctrl-C ends it
    after the day under way; run again with the same options, it goes on there

  make-history [--seed <text>] [--days <n>] [--size <n>] [--products <n>] [--uncounted]

    for development: makes up what people did in the shop for so many days (365) up to yesterday, about so many facts
    (40000), so that reports have something to show. The same seed makes the same facts, and those that are there already
    stay as they are. --products waits until engagement knows so many products. With --uncounted the service does not
    count them, and rebuild-reports has to follow: quicker for millions of facts. Refused where NODE_ENV is production
`;

const { positionals, values } = readCommandLine(usage, {
  from: { type: 'string' },
  to: { type: 'string' },
  seed: { type: 'string', default: 'storefront' },
  days: { type: 'string', default: '365' },
  size: { type: 'string', default: '40000' },
  products: { type: 'string', default: '1' },
  uncounted: { type: 'boolean', default: false },
});

const commands = new Map([
  ['rebuild-reports', rebuild],
  ['make-history', makeUpHistory],
]);
// How long the events about products may be on their way.
const productsWithinMs = 30_000;
/** The variables by which facts and their texts are kept. */
const ofFacts = {
  ANALYTICS_FACT_MONTHS: true,
  ANALYTICS_TEXTS_PER_DAY: true,
  ANALYTICS_PEOPLE_PER_TEXT: true,
} as const;

try {
  const [name = '', ...others] = positionals;
  const command = commands.get(name);
  if (command === undefined || others.length > 0) throw new ConfigError(usage);
  process.stdout.write(`${await command()}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

/** The environment with what the running system says of engagement's own variables. */
function environment(): NodeJS.ProcessEnv {
  const env = withRunningSystem(process.env);
  const { ENGAGEMENT_MONGODB_URL, ENGAGEMENT_API_SECRET } = env;
  return {
    ...env,
    MONGODB_URL: env.MONGODB_URL ?? ENGAGEMENT_MONGODB_URL,
    API_SECRET: env['API_SECRET'] ?? ENGAGEMENT_API_SECRET,
  };
}

async function rebuild(): Promise<string> {
  const asked = { ...dayAsked('from', values.from), ...dayAsked('to', values.to) };
  const config = loadConfig(configSchema.pick({ MONGODB_URL: true, SHOP_TIME_ZONE: true, ...ofFacts }), environment());
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
      counting: openFactCounting({ ...parts, texts: textLimits(config), now }),
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

async function makeUpHistory(): Promise<string> {
  const used = { NODE_ENV: true, MONGODB_URL: true, API_SECRET: true, CURRENCY: true } as const;
  const config = loadConfig(configSchema.pick({ ...used, SHOP_TIME_ZONE: true, ...ofFacts }), environment());
  if (config.NODE_ENV === 'production') throw new ConfigError('A made-up history is not for production.');
  const [days, size] = [wholeNumber('days', 3650), wholeNumber('size', 10_000_000)];
  const months = config.ANALYTICS_FACT_MONTHS;
  const now = () => new Date();
  await using opened = new AsyncDisposableStack();
  const database = await openDatabase(config.MONGODB_URL, createLogger('engagement', 'warn'));
  opened.defer(() => database.close());
  await openCollections(database, collections);

  const people = openPeople({ database, now }, { secret: config.API_SECRET, months });
  const { zone } = await openRollUpState({ database, now }, config.SHOP_TIME_ZONE);
  const calendar = calendarOf(zone);
  const texts = textLimits(config);
  const eraseTexts = openTextErasure({ database, shopDays: shopDaysOf(calendar) }, texts);
  const erasedUsers = await openErasedUsers({ database, now });
  const facts = openFactStore({ database }, { people, erasedUsers, eraseTexts, months });
  const to = calendar.dayOf(now());
  const shop = await findShop(database, config.CURRENCY);
  const plan = { seed: values.seed, shop, calendar, from: addDays(to, -days), to, factsPerDay: size / days };
  const store: FactStore['take'] = (told) => (values.uncounted ? facts.keepUncounted(told) : facts.take(told));
  const { made, added } = await makeHistory({ store, now }, plan, (soFar) => {
    process.stderr.write(process.stderr.isTTY ? `\r${soFar.made} facts` : `${soFar.made} facts\n`);
  });
  if (process.stderr.isTTY) process.stderr.write('\n');
  if (values.uncounted) await markAll(database, texts);
  const then = values.uncounted ? 'rebuild-reports was run' : 'the service has counted them';
  return `${made} facts of ${days} days, ${added} of them new. They are in reports once ${then}.`;
}

/** The shop, as soon as engagement knows so many of its products. */
async function findShop(database: Database, currency: string): Promise<HistoryShop> {
  const least = wholeNumber('products', 1_000_000);
  const deadline = performance.now() + productsWithinMs;
  for (;;) {
    const shop = await readHistoryShop({ database }, currency);
    const { length } = shop.products;
    if (length >= least) return shop;
    if (performance.now() > deadline)
      throw new ConfigError(`Engagement knows ${length} products with a price in ${currency}; it takes ${least}.`);
    await wait(200);
  }
}

function wholeNumber(name: 'days' | 'size' | 'products', most: number): number {
  const number = z.coerce.number().int().min(1).max(most).safeParse(values[name]);
  if (!number.success) throw new ConfigError(`--${name} must be a whole number from 1 to ${most}.`);
  return number.data;
}
