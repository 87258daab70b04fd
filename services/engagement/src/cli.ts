import { setTimeout as wait } from 'node:timers/promises';
import { addDays, calendarOf } from '@storefront/calendar';
import { openCollections, openDatabase, openErasedUsers } from '@storefront/mongo';
import type { Database } from '@storefront/mongo';
import { ConfigError, createLogger, loadConfig, readCommandLine, withRunningSystem } from '@storefront/process';
import { z } from 'zod';
import { configSchema } from './config.ts';
import { openFactStore } from './facts/store/fact-store.ts';
import { openPeople } from './facts/store/people.ts';
import { makeHistory } from './history/commands/make-history.ts';
import type { HistoryShop } from './history/domain/shop.ts';
import { readHistoryShop } from './history/store/history-shop.ts';
import { collections } from './store/collections.ts';

const usage = `Commands of the engagement service. They read the same variables as the service does.

  make-history [--seed <text>] [--days <n>] [--size <n>] [--products <n>]

    for development: makes up what people did in the shop for so many days (365) up to yesterday, about so many facts (40000), so
    that reports have something to show. The same seed makes the same facts, and those that are there already are left as they are.
    --products waits until engagement knows so many products. It is refused where NODE_ENV is production
`;

const { positionals, values } = readCommandLine(usage, {
  seed: { type: 'string', default: 'storefront' },
  days: { type: 'string', default: '365' },
  size: { type: 'string', default: '40000' },
  products: { type: 'string', default: '1' },
});

const productsWithinMs = 30_000;

try {
  if (positionals.join(' ') !== 'make-history') throw new ConfigError(usage);
  process.stdout.write(`${await makeUpHistory()}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function makeUpHistory(): Promise<string> {
  const config = loadConfig(
    configSchema.pick({
      NODE_ENV: true,
      MONGODB_URL: true,
      API_SECRET: true,
      SHOP_TIME_ZONE: true,
      CURRENCY: true,
      ANALYTICS_FACT_MONTHS: true,
    }),
    withRunningSystem(process.env),
  );
  if (config.NODE_ENV === 'production') throw new ConfigError('A made-up history is not for production.');
  const [days, size] = [wholeNumber('days', 3650), wholeNumber('size', 10_000_000)];
  const now = () => new Date();
  const database = await openDatabase(config.MONGODB_URL, createLogger('engagement', 'warn'));
  try {
    await openCollections(database, collections);
    const shop = await findShop(database, config.CURRENCY);
    const people = openPeople({ database, now }, { secret: config.API_SECRET, months: config.ANALYTICS_FACT_MONTHS });
    const erasedUsers = await openErasedUsers({ database, now });
    const facts = openFactStore({ database }, { people, erasedUsers, months: config.ANALYTICS_FACT_MONTHS });
    const calendar = calendarOf(config.SHOP_TIME_ZONE);
    const to = calendar.dayOf(now());
    const plan = { seed: values.seed, shop, calendar, from: addDays(to, -days), to, factsPerDay: size / days };
    const { made, added } = await makeHistory({ facts, now }, plan, ({ made: sofar }) =>
      process.stderr.write(`${sofar} facts\n`),
    );
    return `${made} facts of ${days} days, ${added} of them new. They are in reports when the service has counted them.`;
  } finally {
    await database.close();
  }
}

/** The shop, once engagement has heard of so many products. */
async function findShop(database: Database, currency: string): Promise<HistoryShop> {
  const products = wholeNumber('products', 1_000_000);
  const deadline = performance.now() + productsWithinMs;
  for (;;) {
    const shop = await readHistoryShop({ database }, currency);
    if (shop.products.length >= products) return shop;
    if (performance.now() > deadline)
      throw new ConfigError(
        `Engagement knows ${shop.products.length} products with a price in ${currency}; ${products} are needed.`,
      );
    await wait(200);
  }
}

function wholeNumber(name: 'days' | 'size' | 'products', most: number): number {
  const number = z.coerce.number().int().min(1).max(most).safeParse(values[name]);
  if (!number.success) throw new ConfigError(`--${name} must be a whole number from 1 to ${most}.`);
  return number.data;
}
