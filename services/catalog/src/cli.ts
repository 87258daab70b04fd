import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { ConfigError, createLogger, loadConfig, openDatabase, readCommandLine } from '@storefront/service-kit';
import { parse } from 'csv-parse';
import { configSchema } from './config.ts';
import { openCollections } from './store/collections.ts';
import { importProducts } from './store/product-import.ts';
import type { ImportReport, NumberedRow } from './store/product-import.ts';

const usage = `Commands of the catalog service. They read the same variables as the service does.

  import <file.csv or file.json>   creates products, or changes those whose SKU is there

The first row of a CSV file names its columns: sku, name, slug, description, categories, images, price, tradePrice,
stock, status. A JSON file is a list of objects with those fields. Rows that can't be taken are listed on standard
output and the others are taken; the exit code is 2 then.
`;

try {
  const { positionals } = readCommandLine(usage, {});
  const [command, file] = positionals;
  if (command !== 'import' || file === undefined) throw new ConfigError(usage);
  const report = await importFile(file);
  for (const { number, sku, reasons } of report.refused)
    process.stdout.write(`row ${number}${sku === null ? '' : ` (${sku})`}: ${reasons.join('; ')}\n`);
  const { created, changed, unchanged, refused } = report;
  process.stdout.write(`${created} created, ${changed} changed, ${unchanged} unchanged, ${refused.length} refused\n`);
  process.exitCode = refused.length > 0 ? 2 : 0;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function importFile(file: string): Promise<ImportReport> {
  const config = loadConfig(configSchema.pick({ MONGODB_URL: true, CURRENCY: true }), process.env);
  const rows = extname(file) === '.json' ? await readJson(file) : readCsv(file);
  const now = () => new Date();
  const database = await openDatabase(config.MONGODB_URL, createLogger('catalog', 'warn'));
  try {
    // Events are recorded with the products; the running service finds and publishes them.
    const collections = await openCollections({ database, now, relay: { watch() {}, nudge() {} } });
    return await importProducts(collections, rows, {
      currency: config.CURRENCY,
      now,
      progress: (done) => process.stderr.write(`${done} rows\n`),
    });
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
