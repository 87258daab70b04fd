import { auditEvents, catalogEvents, catalogHttp, newId, type AuditRecord } from '@storefront/contracts';
import { noRelay } from '@storefront/mongo';
import { eventually, principal } from '@storefront/testing';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBackgroundImports } from '../src/commands/background-imports.ts';
import { importProducts, startImport } from '../src/commands/import-products.ts';
import type { RowOutcome } from '../src/domain/sheets/decide-rows.ts';
import { readImportFile } from '../src/domain/sheets/import-file.ts';
import { createCategoryReads } from '../src/store/category-reads.ts';
import { createCategoryTree } from '../src/store/category-tree.ts';
import { openStore } from '../src/store/collections.ts';
import { encoded, faultyFile } from './faulty-file.ts';
import { startCatalog, type Harness } from './harness.ts';

let catalog: Harness;
beforeAll(async () => {
  catalog = await startCatalog({}, [...Object.values(catalogEvents), auditEvents.catalog]);
});
afterAll(() => catalog.close());

const staff = principal('catalog');

async function post(file: string | Buffer, query = '', headers: Record<string, string> = {}) {
  const response = await fetch(`${catalog.url()}/v1/products/imports${query}`, {
    method: 'POST',
    headers: { ...(await catalog.headersFor(staff)), 'content-type': 'text/csv', ...headers },
    body: typeof file === 'string' ? file : new Uint8Array(file),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

async function imported(file: string | Buffer, query = '') {
  const { status, body } = await post(file, query);
  if (status !== 202) throw new Error(`${status} ${JSON.stringify(body)}`);
  return eventually(async () => {
    const { body: now } = await catalog.call('admin', 'GET', `/v1/products/imports/${body.id}`);
    return now.finishedAt === null ? null : (now as catalogHttp.ProductImportBody);
  }, 'the end of an import');
}

async function rowsOf(id: string, kind: string): Promise<catalogHttp.ImportedRowBody[]> {
  const { body } = await catalog.call('admin', 'GET', `/v1/products/imports/${id}/rows?kind=${kind}&limit=100`);
  return body.data;
}

const audited = (id: string) =>
  catalog.events
    .filter(({ type, subject }) => type === 'catalog.action-audited' && subject === id)
    .map(({ data }) => data as AuditRecord);

const exported = async (query = '') => (await catalog.call<string>('admin', 'GET', `/v1/products/export${query}`)).body;

/** What the commands of an import need, with a clock and a database of this test. */
async function openNeeds() {
  const now = () => new Date();
  const store = await openStore({ database: catalog.connection, now, relay: noRelay });
  const categoryReads = createCategoryReads(store);
  return { ...store, tree: createCategoryTree(store), categoryReads, currency: 'EUR', now, newId };
}

describe('a file of products', () => {
  it('is tried first, then imported, and its refused rows are read and mended', async () => {
    await catalog.category({ name: 'Tea', slug: 'tea' });
    const { text, faults, warned } = faultyFile(';');
    const file = encoded(text, 'windows-1252');
    const trial = await imported(file, '?dryRun=true');
    expect(trial).toMatchObject({
      status: 'finished',
      dryRun: true,
      file: { format: 'csv', encoding: 'windows-1252', samples: ['Grüner', 'Für', '–'], delimiter: ';' },
      created: 1990,
      refused: 10,
      warned: 1,
    });
    expect(trial.done).toBe(trial.size);
    expect(await catalog.collection('products').countDocuments()).toBe(0);

    const done = await imported(file);
    const { id } = trial;
    const { id: other, startedAt, activeAt, finishedAt } = done;
    expect(done).toEqual({ ...trial, dryRun: false, id: other, startedAt, activeAt, finishedAt });
    expect(await catalog.collection('products').countDocuments()).toBe(1990);
    for (const kind of ['refused', 'warned']) expect(await rowsOf(done.id, kind)).toEqual(await rowsOf(id, kind));
    expect(await rowsOf(done.id, 'created')).toEqual([]);
    expect((await rowsOf(id, 'created')).length).toBe(100);
    const refused = await rowsOf(done.id, 'refused');
    expect(
      refused.flatMap(({ place, sku, faults: ofRow }) =>
        ofRow.map(({ column, message }) => `${place} (${sku})${column === null ? '' : `, ${column}`}: ${message}`),
      ),
    ).toEqual(faults);
    expect(await rowsOf(done.id, 'warned')).toMatchObject([
      {
        place: warned,
        warnings: [{ column: 'tradePrice', value: '25.00', message: '"25.00" is above the price, 19.99' }],
      },
    ]);

    const download = await catalog.call<string>('admin', 'GET', `/v1/products/imports/${done.id}/refused`);
    expect(download.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    const mended = download.body.replaceAll('12a', '12').replaceAll('1.299', '1.299,00').replaceAll('aktiv', 'active');
    expect(await imported(mended)).toMatchObject({ created: 4, changed: 1, refused: 5 });

    const [begun, ended] = await eventually(
      () => (audited(done.id).length === 2 ? audited(done.id) : null),
      'both entries',
    );
    expect([begun?.action, ended?.action]).toEqual(['import-begun', 'import-finished']);
    for (const entry of [begun, ended]) expect(entry?.actor).toMatchObject({ userId: staff.sub, role: 'catalog' });
    expect(audited(id)).toEqual([]);
  }, 60_000);

  it('that is wrong as a whole is refused, and begins nothing', async () => {
    const before = await catalog.collection('imports').countDocuments();
    expect(await post('sku;colour\nA;red\n')).toMatchObject({
      status: 422,
      body: { code: 'import_file_refused', detail: expect.stringMatching(/^Line 1 .*there is no column colour\.$/) },
    });
    expect(await post('')).toMatchObject({ status: 422, body: { detail: 'The file is empty.' } });
    expect(await post('{', '', { 'content-type': 'application/json' })).toMatchObject({ status: 422 });
    expect((await post('sku\nA\n', '', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post('sku\nA\n', '?dryRun=perhaps')).body.errors).toMatchObject([{ pointer: '/dryRun' }]);
    expect(await post(`sku${'\nA'.repeat(50_000)}`)).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('50000 is the most') },
    });
    expect((await post('x'.repeat(catalogHttp.maxImportBytes + 1))).status).toBe(413);
    expect(await catalog.collection('imports').countDocuments()).toBe(before);
  });

  it('is imported once under an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': newId('evt'), 'content-type': 'text/csv; charset=utf-8' };
    const first = await post('sku,name,price\nONCE-1,Once,5\n', '', headers);
    const again = await post('sku,name,price\nONCE-1,Once,5\n', '', headers);
    expect([first.status, again.status, again.body.id]).toEqual([202, 202, first.body.id]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await post('sku,name,price\nONCE-2,Once,5\n', '', headers)).body.code).toBe('idempotency_key_reused');
  });

  it('of JSON has the fields of the API, and says of what is wrong with them', async () => {
    const products = [
      {
        sku: 'JSON-1',
        name: 'One',
        price: { amount: 500, currency: 'EUR' },
        images: [{ url: '/v1/products/images/a.svg' }],
      },
      { sku: 'JSON-2', name: 'Two', price: { amount: 500, currency: 'USD' }, stock: -1, colour: 'red' },
    ];
    const { status, body } = await catalog.call('admin', 'POST', '/v1/products/imports', products);
    expect(status).toBe(202);
    await eventually(async () => (await rowsOf(body.id, 'refused')).length === 1, 'the refused row');
    expect((await rowsOf(body.id, 'refused'))[0]).toMatchObject({
      place: 'product 2',
      faults: [
        { column: 'price', message: expect.stringContaining('is not in EUR, the currency of the shop') },
        { column: 'stock', value: '-1', message: '-1 is not a whole number, 0 or more (1,000,000,000 at most)' },
        { column: 'colour', message: 'there is no such column' },
      ],
    });
  });
});

describe('an import of an instance', () => {
  const request = (count: number, prefix = 'STOP') => {
    const rows = Array.from({ length: count }, (_, index) => `${prefix}-${index},Stop ${index},5`).join('\n');
    const file = readImportFile(Buffer.from(`sku,name,price\n${rows}`), false);
    const actor = { userId: staff.sub, role: 'catalog', ip: '203.0.113.7', device: 'test' };
    return { id: newId('imp'), file, actor, dryRun: false };
  };

  it('that ends is stopped, and says so; a third one at once is refused', async () => {
    const needs = await openNeeds();
    const imports = openBackgroundImports({ ...needs, logger: { warn() {}, error() {} } as never });
    const first = request(2000);
    await imports.start(first);
    await imports.start(request(1000, 'BESIDE'));
    await expect(imports.start(request(1))).rejects.toMatchObject({ code: 'too_many_imports' });
    await eventually(async () => ((await needs.imports.load(first.id))?.state.done ?? 0) > 0, 'the first rows');
    await imports.stop();
    const { state } = (await needs.imports.load(first.id)) ?? {};
    expect(state).toMatchObject({ interrupted: 'stopped', by: null });
    expect(state?.created).toBe(await catalog.collection('product_skus').countDocuments({ _id: /^STOP/ }));
  });

  it('that was killed is ended as silent, by the name of who has started it', async () => {
    const needs = await openNeeds();
    const { id, ...more } = request(1);
    await startImport(needs, { id, ...more });
    const { body } = await catalog.call('admin', 'GET', `/v1/products/imports/${id}`);
    expect(body.status).toBe('running');
    const sixteenMinutesAgo = new Date(Date.now() - 16 * 60_000);
    await catalog.collection('imports').updateOne({ _id: id }, { $set: { activeAt: sixteenMinutesAgo } });
    const ended = await eventually(() => audited(id).find(({ action }) => action === 'import-finished'), 'its end');
    expect(ended).toMatchObject({
      actor: { userId: staff.sub, role: 'catalog', ip: null },
      details: { interrupted: 'silent' },
    });
    expect((await catalog.call('admin', 'GET', `/v1/products/imports/${id}`)).body.status).toBe('silent');
  });
});

describe('a dry run', () => {
  // The rows of 90 products are several transactions, so a later one must see what an earlier one would have stored.
  it('says exactly what the import then does', async () => {
    const needs = await openNeeds();
    await catalog.category({ name: 'Preview', slug: 'preview' });
    const column = <Value>(...values: Value[]) => fc.constantFrom(...values);
    const product = fc.tuple(
      fc.noBias(fc.nat(150)).map((number) => `PRE-${number}`),
      column(''),
      column('', 'Alike', 'Other', 'Third'),
      column('', '', '', '', 'alike', 'alike-2', 'mine', 'Not a slug'),
      column('', '', 'preview', 'preview', 'nowhere'),
      column('', '5', '19,99', '7.50', '8', '9', '1.299'),
      column('', '6', '30.00'),
    );
    const plain = fc.tuple(product, column('', '1', '2', '2', 'many')).map(([own, stock]) => [[...own, stock, '']]);
    const variant = fc.tuple(
      fc.noBias(fc.nat(200)),
      column('', '5', '19,99', '8', '9', 'free'),
      column('', '6'),
      column('1', '2', '3'),
    );
    // Variants have SKUs of their own; a few have that of another product, or another product.
    const varied = fc
      .tuple(
        fc.noBias(fc.nat(60)).map((number) => `VAR-${number}`),
        column('Varied', 'Alike'),
        column('5', '8', '19,99', '9', '1.299'),
        column('Size', 'Size=S|M|L', 'Size=S|M|L', 'Size=M'),
        fc.array(variant, { maxLength: 3 }),
      )
      .map(([own, name, price, option, variants]) => [
        [own, '', name, '', '', price, '', '', option],
        ...variants.map(([number, ...cells], index) => {
          const sku = number < 10 ? `PRE-${number}` : `${own}-${index}`;
          return [sku, number === 50 ? 'PRE-1' : own, '', '', '', ...cells, ['S', 'M', 'L'][index] ?? ''];
        }),
      ]);
    const results = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(plain, varied), { minLength: 90, maxLength: 90 }), async (products) => {
        // Quotes around amounts, whose decimal sign may be the delimiter.
        const lines = products.flat().map((cells) => cells.map((cell) => `"${cell}"`).join(','));
        const text = `sku,variantOf,name,slug,categories,price,tradePrice,stock,option1\n${lines.join('\n')}\n`;
        const [said, did] = [await run(text, true), await run(text, false)];
        expect(did).toEqual(said);
        for (const { result, variantOf } of did) results.add(`${variantOf === null ? 'product' : 'variant'} ${result}`);
      }),
      { numRuns: 4, endOnFailure: true },
    );
    const each = ['changed', 'created', 'refused'].flatMap((result) => [`product ${result}`, `variant ${result}`]);
    expect([...results]).toEqual(expect.arrayContaining(each));

    async function run(text: string, dryRun: boolean): Promise<RowOutcome[]> {
      const file = readImportFile(Buffer.from(text), false);
      const request = {
        id: newId('imp'),
        file,
        actor: { userId: null, role: 'operator', ip: null, device: null },
        dryRun,
      };
      const outcomes: RowOutcome[] = [];
      await startImport(needs, request);
      const report = await importProducts(needs, request, {
        signal: AbortSignal.any([]),
        onRows: (some) => outcomes.push(...some),
      });
      expect(report.interrupted).toBeNull();
      return outcomes;
    }
  });
});

describe('an export', () => {
  const signs = ['=', '+', '-', '@', "'", '"', ',', ';', '|', '\\', '\n', '\t', ' ', 'A', 'é', '茶', '1'];
  const text = (unit: string[], max: number) => fc.string({ unit: fc.constantFrom(...unit), maxLength: max });
  const oneLine = signs.filter((sign) => sign !== '\n' && sign !== '\t');

  it('that is imported again changes nothing, whatever is in it', async () => {
    const tea = await catalog.category({ name: 'Black tea' });
    const product = fc.record({
      name: text(oneLine, 12).map((name) => `${name}.`),
      description: fc.option(text(signs, 20).map((prose) => `${prose}.`)),
      images: fc
        .array(text(oneLine, 10), { maxLength: 3 })
        .map((alts) => alts.map((alt, index) => ({ url: `https://x.example/${index}|\\a b.png?q=|`, alt }))),
      tradePrice: fc.option(fc.nat(500_000).map((amount) => ({ amount, currency: 'EUR' }))),
      status: fc.constantFrom(...catalogHttp.productStatus.options),
    });
    const products = fc.sample(product, { numRuns: 60, seed: 7 });
    for (const [index, fields] of products.entries())
      await catalog.product({
        ...fields,
        sku: `OUT-${index}`,
        categoryIds: index % 2 === 0 ? [tea.id] : [],
        stock: index,
      });
    for (const dialect of ['standard', 'excel-de']) {
      const file = await exported(`?dialect=${dialect}`);
      const count = parse(file, { delimiter: dialect === 'standard' ? ',' : ';' }).length - 1;
      const stored = await catalog.collection('products').find().toArray();
      expect(count).toBe(stored.length + stored.flatMap(({ variants }) => variants).length);
      const again = await imported(file);
      expect(await rowsOf(again.id, 'refused')).toEqual([]);
      expect(again).toMatchObject({ created: 0, changed: 0, unchanged: count, refused: 0 });
    }
  }, 60_000);

  it('has the variants of a product behind it, of which a new price is imported', async () => {
    const eur = (amount: number) => ({ amount, currency: 'EUR' });
    const made = await catalog.product({
      sku: 'WIDE-1',
      name: 'Wide',
      quantityPrices: [{ from: 10, price: eur(900) }],
      options: [{ name: 'Size', values: ['S', 'M'] }],
      variants: [
        { sku: 'WIDE-S', values: ['S'], stock: 2 },
        { sku: 'WIDE-M', values: ['M'], price: eur(1250), quantityPrices: [] },
      ],
    });
    const file = await exported('?dialect=excel-de');
    const rows = [
      'WIDE-1;;Wide;Size=S|M;;;wide;;;;;10,00;;10=9,00;;active;standard;',
      'WIDE-S;WIDE-1;;S;;;;;;;;;;;2;active;;',
      'WIDE-M;WIDE-1;;M;;;;;;;;12,50;;none;0;active;;',
    ];
    expect(file).toContain(rows.join('\r\n'));
    const first = await imported(file);
    const second = await imported(file.replace('12,50', '13,00'));
    expect(await rowsOf(second.id, 'refused')).toEqual([]);
    expect([first, second]).toMatchObject([
      { created: 0, changed: 0, refused: 0 },
      { created: 0, changed: 1, refused: 0 },
    ]);
    const { body } = await catalog.call('admin', 'GET', `/v1/products/${made.id}`);
    const { updatedAt, variants } = body;
    const [small, medium] = made.variants;
    expect(variants).toEqual([small, { ...medium, price: eur(1300) }]);
    expect(body).toEqual({ ...made, updatedAt, variants, priceRange: { min: eur(1000), max: eur(1300) } });
    const entry = await eventually(
      () => audited(made.id).find(({ action }) => action === 'price-changed'),
      'the entry of the new price',
    );
    expect(entry.details).toMatchObject({ sku: 'WIDE-M', price: 1300, priceWas: 1250 });

    const list = async (query: string) => (await catalog.call('admin', 'GET', `/v1/products/imports?${query}`)).body;
    const newest = await list('limit=1');
    expect(newest.data).toEqual([second]);
    expect((await list(`limit=1&cursor=${newest.nextCursor}`)).data).toEqual([first]);
  });

  it('runs no formula, and has the columns of an import', async () => {
    await catalog.product({ sku: 'RUN-1', name: '=HYPERLINK("x")', description: '-1' });
    const file = await exported();
    expect(file.split('\r\n')[0]).toBe(
      'sku,variantOf,name,option1,option2,option3,slug,description,categories,attributes,images,price,tradePrice,quantityPrices,stock,status,taxClass,weight',
    );
    expect(file).toContain(`RUN-1,,"'=HYPERLINK(""x"")",,,,hyperlink-x,'-1,,,,10.00,,,0,active,standard,\r\n`);
  });

  it('has the products of a status or a category, for staff alone', async () => {
    const category = await catalog.category({ name: 'Exported' });
    await catalog.product({ sku: 'ONLY-1', name: 'Only', status: 'draft', categoryIds: [category.id] });
    await catalog.product({ sku: 'ONLY-2', name: 'Only', categoryIds: [category.id] });
    const skus = async (query: string) => parse(await exported(query), { columns: true }).map(({ sku }: any) => sku);
    expect(await skus(`?category=${category.slug}`)).toEqual(['ONLY-2', 'ONLY-1']);
    expect(await skus(`?category=${category.id}&status=draft`)).toEqual(['ONLY-1']);
    for (const who of ['retail', 'trade'] as const)
      expect((await catalog.call(who, 'GET', '/v1/products/export')).status).toBe(403);
    expect((await catalog.call('anonymous', 'GET', '/v1/products/export')).status).toBe(401);
  });
});
