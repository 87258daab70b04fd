import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { noRelay, openDatabase } from '@storefront/mongo';
import { ConfigError, createLogger, loadCommandConfig, readCommandLine } from '@storefront/process';
import { runRepublish, republishOptions, republishUsage } from '@storefront/service';
import { importProducts, type ImportReport } from './commands/import-products.ts';
import { readSnapshots } from './commands/read-snapshots.ts';
import { configSchema } from './config.ts';
import { readImportFile } from './domain/import-file.ts';
import { createCategoryTree } from './store/category-tree.ts';
import { openStore } from './store/collections.ts';

const usage = `Commands of the catalog service. They read the same variables as the service does; what is not set comes
from the system that npm start runs on DATA_DIR (.data).

  import <file.csv or file.json>   creates products, or changes those with the same SKU
  ${republishUsage}

The first row of a CSV file names its columns: sku, name, slug, description, categories, images, price, tradePrice,
stock, status. A JSON file is a list of objects with those fields. Both are in UTF-8. Rows that can't be imported are listed
on standard output with their lines, and the others are imported. The last line counts what was done. Exit codes of an
import: 0 all rows were taken, 2 rows were refused, 1 it could not begin, or not come to the end of the file.
`;

const { positionals, values } = readCommandLine(usage, republishOptions);
const [command, file] = positionals;

try {
  if (command === 'republish') process.stdout.write(`${await republish()}\n`);
  else if (command === 'import' && file !== undefined) await runImport(file);
  else throw new ConfigError(usage);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

function republish(): Promise<string> {
  return runRepublish('catalog', values, async (database) => {
    const now = () => new Date();
    const store = await openStore({ database, now, relay: noRelay });
    return (after, limit) => readSnapshots({ ...store, now }, after, limit);
  });
}

/** Runs the import. The refused rows and the counts are always reported, even if the import fails. */
async function runImport(file: string): Promise<void> {
  const nothing = { created: 0, changed: 0, unchanged: 0, refused: 0, refusals: [], interrupted: null };
  let report: ImportReport = nothing;
  try {
    report = await importFile(file);
    process.exitCode = report.interrupted ? 1 : report.refused > 0 ? 2 : 0;
  } finally {
    for (const { place, sku, reasons } of report.refusals)
      process.stdout.write(`${place}${sku === null ? '' : ` (${sku})`}: ${reasons.join('; ')}\n`);
    const { created, changed, unchanged, refused, interrupted } = report;
    process.stdout.write(`${created} created, ${changed} changed, ${unchanged} unchanged, ${refused} refused\n`);
    if (interrupted) process.stderr.write(sayInterrupted(interrupted));
  }
}

function sayInterrupted({ error, after, isRecorded }: NonNullable<ImportReport['interrupted']>): string {
  const where = after === null ? 'before any row was stored' : `after ${after}`;
  const why = error === null ? 'as it was asked to' : (error as Error).message;
  const unsure =
    'The counts are at least those; the running service records the end of the import within half an hour. ';
  return `The import stopped ${where}: ${why}. ${isRecorded ? '' : unsure}To go on, repeat the command: rows that are stored change nothing.\n`;
}

async function importFile(file: string): Promise<ImportReport> {
  const config = loadCommandConfig(configSchema.pick({ MONGODB_URL: true, CURRENCY: true }), 'catalog');
  const rows = readImportFile(await readFile(file), extname(file) === '.json');
  const now = () => new Date();
  const stop = new AbortController();
  // Ctrl-C sends the signal twice: from the terminal, and from the process that started this one. The second one must
  // do no harm.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  const database = await openDatabase(config.MONGODB_URL, createLogger('catalog', 'warn'));
  try {
    // The events are stored with the products. The running service finds and publishes them.
    const store = await openStore({ database, now, relay: noRelay });
    const needs = { ...store, tree: createCategoryTree(store), currency: config.CURRENCY, now };
    const progress = (done: number) => process.stderr.write(`${done} rows\n`);
    return await importProducts(needs, rows, { progress, signal: stop.signal });
  } finally {
    await database.close();
  }
}
