import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { auditEvents, catalogEvents, newId, operator, type AuditRecord } from '@storefront/contracts';
import { noRelay } from '@storefront/mongo';
import { type CommandOutcome, eventually, runCommand, startCommand } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importProducts, startImport as beginImport } from '../src/commands/import-products.ts';
import { readImportFile } from '../src/domain/sheets/import-file.ts';
import { createCategoryReads } from '../src/store/category-reads.ts';
import { createCategoryTree } from '../src/store/category-tree.ts';
import { openStore } from '../src/store/collections.ts';
import { apiUrl, startCatalog, type Harness } from './harness.ts';

let catalog: Harness;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-import-'));
  await writeFile(join(folder, 'mug.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  catalog = await startCatalog({ PICTURES_DIR: folder }, [...Object.values(catalogEvents), auditEvents.catalog]);
});
afterAll(async () => {
  await catalog.close();
  await rm(folder, { recursive: true });
});

const cli = new URL('../src/cli.ts', import.meta.url);

/** Starts the command as a process. `underWay` waits until the first rows are stored. */
async function startImport(name: string, content: string | Uint8Array, ...options: string[]) {
  const file = join(folder, name);
  await writeFile(file, content);
  const { MONGODB_URL } = catalog.settings;
  const { child, outcome } = startCommand(cli, ['import', file, ...options], { MONGODB_URL });
  const underWay = () =>
    eventually(
      () => catalog.collection('imports').findOne({ finishedAt: null, created: { $gt: 0 } }),
      'the first rows of an import',
    );
  return { child, underWay, outcome };
}

async function importFile(name: string, content: string | Uint8Array, ...options: string[]): Promise<CommandOutcome> {
  const file = join(folder, name);
  await writeFile(file, content);
  return runCommand(cli, ['import', file, ...options], { MONGODB_URL: catalog.settings.MONGODB_URL });
}

const manyRows = (prefix: string, count: number) =>
  JSON.stringify(
    Array.from({ length: count }, (_, index) => ({ sku: `${prefix}-${index}`, name: 'Alike', price: '1', stock: '1' })),
  );

const auditedImports = () =>
  catalog.events
    .filter(({ type, subject }) => type === 'catalog.action-audited' && subject.startsWith('imp_'))
    .map(({ data }) => data as AuditRecord);

const ended = (what: string, matches: (details: AuditRecord['details']) => boolean) =>
  eventually(
    () => auditedImports().find(({ action, details }) => action === 'import-finished' && matches(details)),
    what,
  );

// The command is another process to the search of the service.
const bySku = (sku: string) =>
  eventually(async () => {
    const { body } = await catalog.call('admin', 'GET', `/v1/products?q=${sku}&limit=100`);
    return body.data.find((product: { sku: string }) => product.sku === sku);
  }, `the search to know ${sku}`);

describe('importing products', () => {
  it('creates and changes them, reports the rows it refused, and publishes all that it did', async () => {
    const category = await catalog.category({ name: 'Imports' });
    const known = await catalog.product({ sku: 'IMP-1', name: 'Known', stock: 3, categoryIds: [] });
    const file = `sku,name,categories,price,tradePrice,stock,images,colour
IMP-1,,imports,12.50,,7,,
IMP-2,"Mug, blue",imports|${category.id},9.99,7,20,/v1/products/images/mug.svg,
IMP-3,Known,,0.5,,,,
`.replaceAll(/,(colour)?$/gm, '');
    const first = await importFile('good.csv', file);
    expect(first).toMatchObject({ code: 0, out: '2 created, 1 changed, 0 unchanged, 0 refused\n' });
    expect(first.err).toBe('');
    const changed = (await catalog.call('admin', 'GET', `/v1/products/${known.id}`)).body;
    expect(changed).toMatchObject({
      name: 'Known',
      price: { amount: 1250, currency: 'EUR' },
      stock: 7,
      categoryIds: [category.id],
    });
    expect(await bySku('IMP-2')).toMatchObject({
      name: 'Mug, blue',
      slug: 'mug-blue',
      categoryIds: [category.id],
      price: { amount: 999, currency: 'EUR' },
      tradePrice: { amount: 700, currency: 'EUR' },
      stock: 20,
      images: [{ url: `${apiUrl}/v1/products/images/mug.svg`, alt: '' }],
    });
    expect((await bySku('IMP-3')).slug).toBe('known-2');
    expect((await catalog.call('admin', 'GET', `/v1/categories/${category.id}`)).body.productCount).toBe(2);
    await eventually(
      () => catalog.eventsOf(known.id).some(({ type }) => type === 'catalog.stock-changed'),
      'the running service to publish what the command recorded',
    );

    const again = await importFile('good.csv', file);
    expect(again).toMatchObject({ code: 0, out: '0 created, 0 changed, 3 unchanged, 0 refused\n' });
  });

  it('goes on after rows that it refuses, and names them', async () => {
    await catalog.product({
      sku: 'VARIED',
      options: [{ name: 'Size', values: ['S'] }],
      variants: [{ sku: 'VARIED-S', values: ['S'] }],
    });
    const { code, out } = await importFile(
      'bad.csv',
      [
        'sku,name,slug,price,stock,categories',
        'BAD 1,Space,,1.00,1,',
        'BAD-2,No price,,,1,',
        'BAD-3,Price,,1.999,1,',
        'BAD-4,Stock,,1.00,many,',
        'BAD-5,Category,,1.00,1,nowhere',
        'GOOD-1,Good,good-slug,1.00,1,',
        'GOOD-1,Twice,,1.00,1,',
        'BAD-6,Slug,good-slug,1.00,1,',
        'VARIED,Stock,,1.00,1,',
        'VARIED-S,Variant,,1.00,,',
      ].join('\n'),
    );
    expect({ code, lines: out.trim().split('\n') }).toEqual({
      code: 2,
      lines: [
        'line 2 (BAD 1), sku: "BAD 1" is not an SKU of letters, digits and . _ / - (64 at most)',
        'line 3 (BAD-2), price: is required for a new product',
        'line 4 (BAD-3), price: "1.999" can mean 1999 as well as 1.999: write all decimals, such as 1999.00',
        'line 5 (BAD-4), stock: "many" is not a whole number, 0 or more (1,000,000,000 at most)',
        'line 6 (BAD-5), categories: "nowhere" is neither the slug nor the id of a category',
        'line 8 (GOOD-1), sku: "GOOD-1" stands in line 7 already',
        'line 9 (BAD-6), slug: "good-slug" belongs to another product',
        'line 10 (VARIED), stock: "1" can not be: each variant has its own',
        'line 11 (VARIED-S), sku: "VARIED-S" belongs to a variant of VARIED, which variantOf must name',
        '1 created, 0 changed, 0 unchanged, 9 refused',
      ],
    });
  });

  it('reads JSON, and more rows than go into one transaction', async () => {
    const rows = Array.from({ length: 250 }, (_, index) => ({
      sku: `JSON-${index}`,
      name: 'Alike',
      price: { amount: 100 + index, currency: 'EUR' },
      stock: 1,
    }));
    const { code, out } = await importFile('many.json', JSON.stringify([...rows, { sku: 'JSON-X', price: 5 }]));
    expect([code, out.trim().split('\n').at(-1)]).toEqual([2, '250 created, 0 changed, 0 unchanged, 1 refused']);
    expect(await catalog.collection('product_slugs').countDocuments({ _id: /^alike/ })).toBe(250);
  });

  it('says first what it would do, and writes the refused rows as a file that can be mended', async () => {
    await catalog.product({ sku: 'TRY-1', name: 'Known', stock: 3 });
    const file = Buffer.from(
      'SKU;Name;Price;TradePrice;Stock\nTRY-1;Gr\u00fcn;12,50;20;\nTRY-2;Neu;5;;1\nTRY-3;Neu;5;;12a\n',
      'latin1',
    );
    const refused = join(folder, 'refused.csv');
    const said = [
      'The file is not in UTF-8 and was read as Windows-1252: Grün. If these words are wrong, save it as UTF-8.',
      'line 2 (TRY-1): changes name "Known" → "Grün", price "10.00" → "12.50", tradePrice nothing → "20.00"',
      'line 2 (TRY-1), tradePrice: "20.00" is above the price, 12.50 (a warning)',
      'line 3 (TRY-2): is new',
      'line 4 (TRY-3), stock: "12a" is not a whole number, 0 or more (1,000,000,000 at most)',
      '1 created, 1 changed, 0 unchanged, 1 refused, 1 with warnings (a dry run: nothing was changed)',
      '',
    ];
    expect(await importFile('try.csv', file, '--dry-run')).toEqual({ code: 2, out: said.join('\n'), err: '' });
    expect((await bySku('TRY-1')).name).toBe('Known');
    const { out } = await importFile('try.csv', file, '--refused', refused);
    expect(out).toContain(`The refused rows are in ${refused}.\n1 created, 1 changed, 0 unchanged, 1 refused`);
    const written = await readFile(refused, 'utf8');
    expect(written).toBe(
      '\ufeffreason;sku;name;price;tradePrice;stock\r\n' +
        `"stock: ""12a"" is not a whole number, 0 or more (1,000,000,000 at most)";TRY-3;Neu;5;;12a\r\n`,
    );
    const mended = await importFile('mended.csv', written.replaceAll('12a', '12'));
    expect(mended).toMatchObject({ code: 0, out: '1 created, 0 changed, 0 unchanged, 0 refused\n' });
  });

  it('is an entry of the audit log at its beginning and its end, and one for each price that changes', async () => {
    const known = await catalog.product({ sku: 'AUD-1', name: 'Known' });
    await importFile('audited.csv', 'sku,name,price,stock\nAUD-1,Renamed,20,7\nAUD-2,New,5,1\nAUD-3,,x,\n');
    const entries = () => catalog.events.filter(({ type }) => type === 'catalog.action-audited');
    const counts = { created: 1, changed: 1, unchanged: 0, refused: 1 };
    const finished = await eventually(
      () => entries().find(({ data }) => isDeepStrictEqual(data.details, counts)),
      'the end of the import',
    );
    const begun = await eventually(
      () => entries().find(({ data, subject }) => subject === finished.subject && data.action === 'import-begun'),
      'the beginning of the import',
    );
    const changed = await eventually(
      () => entries().find(({ data, subject }) => subject === known.id && data.action === 'price-changed'),
      'the new price',
    );
    expect(changed.data.details).toMatchObject({ sku: 'AUD-1', priceWas: 1000, price: 2000 });
    for (const { data } of [begun, changed, finished])
      expect(data).toMatchObject({ actor: operator, about: null, outcome: 'done' });
    expect([begun.data.object, finished.data.object]).toEqual([
      { type: 'import', id: begun.subject },
      { type: 'import', id: begun.subject },
    ]);
    // Created and changed products are counted, in one write with the new price.
    expect(entries().filter(({ data }) => data.details.sku === 'AUD-2')).toEqual([]);
  });

  const header = 'sku,name,description,price,stock';
  const nothing = '0 created, 0 changed, 0 unchanged, 0 refused\n';

  it('refuses exactly the rows that are wrong, wherever they stand among 2,001 lines, and says why', async () => {
    const row = (line: number) => `ROW-${line},Mug ${line},Holds 300 ml,9.99,${line}`;
    const lines = [header, ...Array.from({ length: 2000 }, (_, index) => row(index + 2))];
    const put = (line: number, ...rows: string[]) => lines.splice(line - 1, rows.length, ...rows);
    put(3, 'ROW-3,Mug,"Two lines,', 'and a comma, said ""so""",9.99,1');
    put(99, 'ROW-99,Mug,Holds,9.99,1,one too many');
    put(101, 'ROW-101,Mug');
    put(333, 'ROW-333,Mu"g,Holds,9.99,1');
    put(500, 'ROW-500,"Mug" blue,Holds,9.99,1');
    put(701, 'ROW-701,"Mug,Holds,9.99,1');
    put(907, 'ROW-907,Mug,Holds 24",9.99,1');
    put(1000, '');
    put(1201, 'ROW-1201,Mug,"Holds,9.99,1');
    put(1203, 'ROW-1203,Mug,24" wide",9.99,1');
    put(1401, 'ROW-1401,Mug,"Two lines', 'and one cell too many",9.99,1,x');
    put(1951, 'ROW-1951,Mug,Holds,9.99,1,x');
    put(2001, 'ROW-2001,Mug,"Holds,9.99,1');
    const { code, out } = await importFile('faults.csv', lines.join('\r\n'));
    const reports = out.trim().split('\n');
    expect(reports.map((report) => /^lines? .*?\)/.exec(report)?.[0] ?? '')).toEqual([
      'line 99 (ROW-99)',
      'line 101 (ROW-101)',
      'line 333 (ROW-333)',
      'line 500 (ROW-500)',
      'line 701 (ROW-701)',
      'line 907 (ROW-907)',
      'line 1201 (ROW-1201)',
      'line 1203 (ROW-1203)',
      'lines 1401 to 1402 (ROW-1401)',
      'line 1951 (ROW-1951)',
      'line 2001 (ROW-2001)',
      '',
    ]);
    expect(reports[0]).toContain('has 6 cells, but the file has 5 columns: "one too many" is one too many');
    expect(reports[1]).toContain('has 2 cells, but the file has 5 columns: description, price, stock missing');
    expect(reports[2]).toContain('name: a quote stands in a cell that does not begin with one');
    expect(reports[3]).toContain('name: text follows the quote that closes the cell');
    expect(reports[4]).toContain('a quote is opened and not closed');
    // Three rows are no product of their own: the second lines of two rows, and a blank one.
    expect(reports.at(-1)).toBe('1986 created, 0 changed, 0 unchanged, 11 refused');
    expect(code).toBe(2);
    expect((await bySku('ROW-3')).description).toBe('Two lines,\nand a comma, said "so"');
  });

  it.each([
    ['unknown.csv', 'sku,name,colour\nWHOLE-1,Mug,red\n', 'there is no column colour'],
    [
      'dos.csv',
      Buffer.concat([
        Buffer.from('sku,name,price\nWHOLE-1,Mug,1\nWHOLE-2,Gr'),
        Buffer.from([0x81]),
        Buffer.from('n,1\n'),
      ]),
      'Line 3 holds bytes that are not UTF-8',
    ],
  ])('takes nothing of a file that is wrong as a whole: %s', async (name, content, says) => {
    const begun = await catalog.collection('imports').countDocuments();
    expect(await importFile(name, content)).toMatchObject({
      code: 1,
      out: nothing,
      err: expect.stringContaining(says),
    });
    expect(await catalog.collection('product_skus').countDocuments({ _id: /^WHOLE/ })).toBe(0);
    expect(await catalog.collection('imports').countDocuments()).toBe(begun);
  });

  it('stops when it is requested, says how far it is, has its end in the audit log, and goes on when it is repeated', async () => {
    const { child, underWay, outcome } = await startImport('stopped.json', manyRows('STOP', 2000));
    await underWay();
    child.kill('SIGTERM');
    const { code, out, err } = await outcome;
    const created = Number(/^(\d+) created, 0 changed, 0 unchanged, 0 refused\n$/.exec(out)?.[1]);
    expect([code, created % 100]).toEqual([1, 0]);
    expect(err).toContain(`The import stopped after product ${created}: as it was asked to. To go on, repeat`);
    expect(await catalog.collection('product_skus').countDocuments({ _id: /^STOP/ })).toBe(created);
    const { details } = await ended('the end of the import', ({ interrupted }) => interrupted === 'stopped');
    expect(details).toEqual({ created, changed: 0, unchanged: 0, refused: 0, interrupted: 'stopped' });
    const again = await importFile('stopped.json', manyRows('STOP', 2000));
    expect(again).toMatchObject({
      code: 0,
      out: `${2000 - created} created, 0 changed, ${created} unchanged, 0 refused\n`,
    });
  });

  it('that was killed is ended in the audit log by the running service, with what it has stored', async () => {
    const { child, underWay, outcome } = await startImport('killed.json', manyRows('KILL', 2000));
    await underWay();
    child.kill('SIGKILL');
    await outcome;
    const sixteenMinutesAgo = new Date(Date.now() - 16 * 60_000);
    await eventually(async () => {
      const aged = { $set: { activeAt: sixteenMinutesAgo } };
      return (await catalog.collection('imports').updateOne({ finishedAt: null }, aged)).matchedCount === 1;
    }, 'the import that has no end');
    const { details } = await ended('the end of the killed import', ({ interrupted }) => interrupted === 'silent');
    const created = await catalog.collection('product_skus').countDocuments({ _id: /^KILL/ });
    expect(details).toEqual({ created, changed: 0, unchanged: 0, refused: 0, interrupted: 'silent' });
  });

  it('that fails in the middle says what it has stored, and has its end', async () => {
    const now = () => new Date();
    const store = await openStore({ database: catalog.connection, now, relay: noRelay });
    let transactions = 0;
    const inTransaction: typeof store.inTransaction = (work) => {
      transactions += 1;
      if (transactions === 3) throw new Error('the database is away');
      return store.inTransaction(work);
    };
    const categoryReads = createCategoryReads(store);
    const needs = {
      ...store,
      inTransaction,
      tree: createCategoryTree(store),
      categoryReads,
      currency: 'EUR',
      now,
      newId,
    };
    const products = JSON.parse(manyRows('FAIL', 450)) as unknown[];
    const file = readImportFile(Buffer.from(JSON.stringify(products.with(7, {}))), true);
    const request = { id: newId('imp'), file, actor: operator, dryRun: false };
    await beginImport(needs, request);
    expect(await importProducts(needs, request, { signal: AbortSignal.any([]) })).toMatchObject({
      state: { created: 199, refused: 1, interrupted: 'failed' },
      interrupted: { error: new Error('the database is away'), after: 'product 200', isRecorded: true },
    });
    const { details } = await ended('the end of the failed import', ({ interrupted }) => interrupted === 'failed');
    expect(details).toEqual({ created: 199, changed: 0, unchanged: 0, refused: 1, interrupted: 'failed' });
  });
});

describe('pictures', () => {
  it('are served to everybody, and nothing else of the folder or beside it', async () => {
    const picture = await catalog.call('anonymous', 'GET', '/v1/products/images/mug.svg');
    expect(picture.status).toBe(200);
    expect(picture.headers.get('content-type')).toContain('image/svg+xml');
    expect(picture.headers.get('content-security-policy')).toContain('sandbox');
    expect(picture.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(picture.body).toContain('<svg');
    for (const name of ['none.svg', 'good.csv', '..%2fmug.svg', '.hidden.svg', 'MUG.svg', '%2e%2e%2fpackage.json'])
      expect([name, (await catalog.call('anonymous', 'GET', `/v1/products/images/${name}`)).status]).toEqual([
        name,
        404,
      ]);
  });
});
