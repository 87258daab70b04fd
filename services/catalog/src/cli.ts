import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { noRelay, openDatabase } from '@storefront/mongo';
import { ConfigError, createLogger, loadConfig, readCommandLine } from '@storefront/process';
import { parse } from 'csv-parse';
import { runTellAll, tellAllOptions, tellAllUsage } from '@storefront/service';
import { importProducts } from './commands/import-products.ts';
import type { ImportReport, NumberedRow } from './commands/import-products.ts';
import { readPresent } from './commands/read-present.ts';
import { configSchema } from './config.ts';
import { createCategoryTree } from './store/category-tree.ts';
import { openStore } from './store/collections.ts';

const usage = `Commands of the catalog service. They read the same variables as the service does.

  import <file.csv or file.json>   creates products, or changes those with the same SKU
  ${tellAllUsage}

The first row of a CSV file names its columns: sku, name, slug, description, categories, images, price, tradePrice,
stock, status. A JSON file is a list of objects with those fields. Rows that can't be imported are listed on standard
output, and the others are imported; the exit code is then 2.
`;

const { positionals, values } = readCommandLine(usage, tellAllOptions);
const [command, file] = positionals;

try {
  if (command === 'tell-all') process.stdout.write(`${await tellEverything()}\n`);
  else if (command === 'import' && file !== undefined) reportOn(await importFile(file));
  else throw new ConfigError(usage);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

function tellEverything(): Promise<string> {
  return runTellAll('catalog', values, async (database) => {
    const now = () => new Date();
    const store = await openStore({ database, now, relay: noRelay });
    return (after, limit) => readPresent({ ...store, now }, after, limit);
  });
}

function reportOn({ created, changed, unchanged, refused }: ImportReport): void {
  for (const { number, sku, reasons } of refused)
    process.stdout.write(`row ${number}${sku === null ? '' : ` (${sku})`}: ${reasons.join('; ')}\n`);
  process.stdout.write(`${created} created, ${changed} changed, ${unchanged} unchanged, ${refused.length} refused\n`);
  process.exitCode = refused.length > 0 ? 2 : 0;
}

async function importFile(file: string): Promise<ImportReport> {
  const config = loadConfig(configSchema.pick({ MONGODB_URL: true, CURRENCY: true }), process.env);
  const rows = extname(file) === '.json' ? await readJson(file) : readCsv(file);
  const now = () => new Date();
  const database = await openDatabase(config.MONGODB_URL, createLogger('catalog', 'warn'));
  try {
    // Events are stored with the products; the running service finds and publishes them.
    const store = await openStore({ database, now, relay: noRelay });
    const needs = { ...store, tree: createCategoryTree(store), currency: config.CURRENCY, now };
    return await importProducts(needs, rows, (done) => process.stderr.write(`${done} rows\n`));
  } finally {
    await database.close();
  }
}

async function readJson(file: string): Promise<NumberedRow[]> {
  const rows: unknown = JSON.parse(await readFile(file, 'utf8'));
  if (!Array.isArray(rows)) throw new ConfigError(`${file} must hold a list of products.`);
  return rows.map((row: unknown, index) => ({ number: index + 1, row }));
}

async function* readCsv(file: string): AsyncGenerator<NumberedRow> {
  const parser = createReadStream(file).pipe(parse({ columns: true, bom: true, skip_empty_lines: true, trim: true }));
  // The first row holds the names of the columns.
  let number = 1;
  for await (const row of parser) yield { number: (number += 1), row };
}
