import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { auditEvents, catalogEvents, operator } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCatalog } from './harness.ts';
import type { Harness } from './harness.ts';

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

async function importFile(name: string, content: string): Promise<{ code: number | null; out: string; err: string }> {
  const file = join(folder, name);
  await writeFile(file, content);
  const cli = new URL('../src/cli.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, ['--conditions=source', cli, 'import', file], {
    env: { PATH: process.env.PATH, MONGODB_URL: catalog.settings.MONGODB_URL },
  });
  const [code, out, err] = await Promise.all([
    new Promise<number | null>((done) => child.once('exit', done)),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, out, err };
}

const bySku = async (sku: string) => {
  const { body } = await catalog.call('admin', 'GET', `/v1/products?q=${sku}&limit=100`);
  return body.data.find((product: { sku: string }) => product.sku === sku);
};

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
    expect(first.err).toContain('3 rows');
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
      images: [{ url: '/v1/products/images/mug.svg', alt: '' }],
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
      ].join('\n'),
    );
    expect(code).toBe(2);
    const lines = out.trim().split('\n');
    expect(lines.map((line) => /^row (\d+)/.exec(line)?.[1])).toEqual(['2', '3', '4', '5', '6', '8', '9', undefined]);
    expect(lines[1]).toBe('row 3 (BAD-2): price: is required for a new product');
    expect(lines[2]).toContain('row 4 (BAD-3): price: must be an amount in EUR, such as 19.99');
    expect(lines[4]).toContain('categories: there is no nowhere');
    expect(lines[5]).toContain('stands in row 7 already');
    expect(lines[6]).toContain('slug: belongs to another product');
    expect(lines[7]).toBe('1 created, 0 changed, 0 unchanged, 7 refused');
  });

  it('reads JSON, and more rows than go into one transaction', async () => {
    const rows = Array.from({ length: 250 }, (_, index) => ({
      sku: `JSON-${index}`,
      name: 'Alike',
      price: { amount: 100 + index, currency: 'EUR' },
      stock: 1,
    }));
    const { code, out, err } = await importFile('many.json', JSON.stringify([...rows, { sku: 'JSON-X', price: 5 }]));
    expect([code, out.trim().split('\n').at(-1)]).toEqual([2, '250 created, 0 changed, 0 unchanged, 1 refused']);
    expect(err).toContain('100 rows\n200 rows\n251 rows');
    expect(await catalog.collection('product_slugs').countDocuments({ _id: /^alike/ })).toBe(250);
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

  it('says what is wrong with the file', async () => {
    const { code, err } = await importFile('broken.json', '{}');
    expect([code, err]).toEqual([1, expect.stringContaining('must hold a list of products')]);
  });
});

describe('pictures', () => {
  it('are served to everybody, and nothing else of the folder or beside it', async () => {
    const picture = await catalog.call('anonymous', 'GET', '/v1/products/images/mug.svg');
    expect(picture.status).toBe(200);
    expect(picture.headers.get('content-type')).toContain('image/svg+xml');
    expect(picture.headers.get('content-security-policy')).toContain('sandbox');
    expect(picture.body).toContain('<svg');
    for (const name of ['none.svg', 'good.csv', '..%2fmug.svg', '.hidden.svg', 'MUG.svg', '%2e%2e%2fpackage.json'])
      expect([name, (await catalog.call('anonymous', 'GET', `/v1/products/images/${name}`)).status]).toEqual([
        name,
        404,
      ]);
  });
});
