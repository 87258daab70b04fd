import { readFile, writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { newId, operator } from '@storefront/contracts';
import { noRelay, openDatabase } from '@storefront/mongo';
import { ConfigError, createLogger, loadCommandConfig, readCommandLine } from '@storefront/process';
import { runRepublish, republishOptions, republishUsage } from '@storefront/service';
import { importProducts, startImport, type ImportReport } from './commands/import-products.ts';
import { readSnapshots } from './commands/read-snapshots.ts';
import { configSchema } from './config.ts';
import { columnsInWords } from './domain/sheets/columns.ts';
import type { RowOutcome } from './domain/sheets/decide-rows.ts';
import { readImportFile, type ImportFile } from './domain/sheets/import-file.ts';
import type { ProductImport } from './domain/sheets/product-import.ts';
import { createRefusedCsv, encodingInWords, outcomeInWords, progressBar } from './domain/sheets/report.ts';
import { createCategoryReads } from './store/category-reads.ts';
import { createCategoryTree } from './store/category-tree.ts';
import { openStore } from './store/collections.ts';

const usage = `Commands of the catalog service. They read the same variables as the service does; what is not set comes
from the system that npm start runs on DATA_DIR (.data).

  import <file.csv or file.json>   creates products, or changes those with the same SKU
    --dry-run                      says what would be created, changed and refused, and changes nothing
    --refused <file.csv>           writes the refused rows to this file, with a column for the reason, to be mended
  ${republishUsage}

The first row of a CSV file names its columns: ${columnsInWords}.
Commas, semicolons or tabs between the cells, and UTF-8, UTF-16 or Windows-1252, are recognised. A JSON file is a list of
objects with those fields, in UTF-8. A variant has a row of its own behind that of its product; in JSON it is in \`variants\`. Rows
that can't be imported are listed on standard output with their lines, with all rows of their product, and the others are imported. The last line counts what was done. Exit codes of an import: 0 all rows were taken, 2 rows were refused,
1 it could not begin, or not come to the end of the file.
`;

const importOptions = { 'dry-run': { type: 'boolean' }, refused: { type: 'string' } } as const;
const { positionals, values } = readCommandLine(usage, { ...republishOptions, ...importOptions });
const [command, path] = positionals;

try {
  if (command === 'republish') process.stdout.write(`${await republish()}\n`);
  else if (command === 'import' && path !== undefined) await runImport(path);
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

/** Runs the import. What became of the rows, and the counts, are always reported, even if the import fails. */
async function runImport(from: string): Promise<void> {
  const dryRun = values['dry-run'] === true;
  const bar = progressBar(process.stderr.isTTY ? (text) => process.stderr.write(text) : null);
  let counts = { created: 0, changed: 0, unchanged: 0, refused: 0, warned: 0 };
  let refused = '';
  try {
    const file = readImportFile(await readFile(from), extname(from).toLowerCase() === '.json');
    const note = encodingInWords(file);
    if (note !== null) process.stdout.write(`${note}\n`);
    const refusedCsv = createRefusedCsv(file);
    const report = await importFile(file, dryRun, (outcomes, state) => {
      bar.clear();
      for (const outcome of outcomes) {
        for (const line of outcomeInWords(outcome, dryRun)) process.stdout.write(`${line}\n`);
        if (outcome.result === 'refused') refused += refusedCsv.lines([outcome]);
      }
      counts = state;
      bar.show(state.done, state.file.size);
    });
    bar.clear();
    counts = report.state;
    process.exitCode = report.interrupted ? 1 : counts.refused > 0 ? 2 : 0;
    if (report.interrupted) process.stderr.write(sayInterrupted(report.interrupted));
    if (values.refused !== undefined && refused !== '') {
      await writeFile(values.refused, refusedCsv.head + refused);
      process.stdout.write(`The refused rows are in ${values.refused}.\n`);
    }
  } finally {
    bar.clear();
    const { created, changed, unchanged, warned } = counts;
    const sum = `${created} created, ${changed} changed, ${unchanged} unchanged, ${counts.refused} refused`;
    process.stdout.write(
      `${sum}${warned > 0 ? `, ${warned} with warnings` : ''}${dryRun ? ' (a dry run: nothing was changed)' : ''}\n`,
    );
  }
}

function sayInterrupted({ error, after, isRecorded }: NonNullable<ImportReport['interrupted']>): string {
  const where = after === null ? 'before any row was stored' : `after ${after}`;
  const why = error === null ? 'as it was asked to' : (error as Error).message;
  const unsure =
    'The counts are at least those; the running service records the end of the import within half an hour. ';
  return `The import stopped ${where}: ${why}. ${isRecorded ? '' : unsure}To go on, repeat the command: rows that are stored change nothing.\n`;
}

async function importFile(
  file: ImportFile,
  dryRun: boolean,
  onRows: (outcomes: readonly RowOutcome[], state: ProductImport) => void,
): Promise<ImportReport> {
  const config = loadCommandConfig(configSchema.pick({ MONGODB_URL: true, CURRENCY: true }), 'catalog');
  const now = () => new Date();
  const stop = new AbortController();
  // Ctrl-C sends the signal twice: from the terminal, and from the process that started this one. The second one must
  // do no harm.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  const database = await openDatabase(config.MONGODB_URL, createLogger('catalog', 'warn'));
  try {
    // The events are stored with the products. The running service finds and publishes them.
    const store = await openStore({ database, now, relay: noRelay });
    const categoryReads = createCategoryReads(store);
    const needs = { ...store, tree: createCategoryTree(store), categoryReads, currency: config.CURRENCY, now, newId };
    const request = { id: newId('imp'), file, actor: operator, dryRun };
    await startImport(needs, request);
    return await importProducts(needs, request, { signal: stop.signal, onRows });
  } finally {
    await database.close();
  }
}
