import { catalogOperations, newId, ordersEvents, ownVariantId } from '@storefront/contracts';
import { noRelay } from '@storefront/mongo';
import {
  coverageOf,
  eventually,
  fill,
  findSlow,
  newEvent,
  onePixel,
  recordQueries,
  type RanQuery,
} from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { removeUnnamedPictures } from '../src/commands/pictures.ts';
import {
  categories as categoryDefinition,
  openStore,
  products as productDefinition,
} from '../src/store/collections.ts';
import { openPictureFiles } from '../src/store/picture-files.ts';
import { startCatalog, storedProduct, type Harness, type Who } from './harness.ts';

const total = inject('isProof') ? 100_000 : 25_000;
// A tree of categories is read whole: a shop has hundreds of them.
const categories = 2000;
// A query may look at so many documents more than it returns, and put so many in order in memory: less than a percent.
const few = 700;

const root = idOf('cat', 0);
/** 60 categories are below this one; it is below the root, and so are 190 others. */
const branch = idOf('cat', 1);
const leaf = idOf('cat', 2);
/** A tenth of all products are in this one too. */
const large = idOf('cat', 3);
/** More products are in this one than one transaction takes out of it. */
const filled = idOf('cat', 260);
const leaves = 250;
const inFilled = 600;
const betweenFilled = Math.floor(total / 625);
/** Words to their share of products: all, a seventh, one. */
const words = { all: 'bulk', many: 'colour3', one: 'n77' };

let catalog: Harness;
const coverage = coverageOf(Object.values(catalogOperations));
let queries: readonly RanQuery[];

beforeAll(async () => {
  catalog = await startCatalog();
  await fillAll();
  await eventually(
    async () => (await catalog.call('admin', 'GET', '/v1/products?limit=1&count=true')).body.count.value === total,
    'the search to know all products',
    120_000,
  );
  const recorded = await recordQueries(catalog.connection);
  await everyList();
  await everyChange();
  await everyDeletion();
  await everyFile();
  await everyOrder();
  queries = await recorded();
}, 300_000);
afterAll(() => catalog.close());

describe(`each query of the service, at ${total} documents`, () => {
  it('was called: every route, every field of its query', () => {
    expect(coverage.missing()).toEqual([]);
    // The register of instances is read every few seconds, whoever asks for anything.
    const requested = queries.map(({ collection }) => collection).filter((name) => name !== 'instances');
    expect(new Set(requested)).toEqual(
      new Set([
        'audit_notes',
        'categories',
        'category_slugs',
        'deleted_categories',
        'deleted_products',
        'idempotency_key_counts',
        'idempotency_keys',
        'import_rows',
        'imports',
        'picture_files',
        'pictures',
        'product_skus',
        'product_slugs',
        'products',
        'reservations',
        'upload_counts',
      ]),
    );
  });

  it('goes by an index, looks at few documents more than it returns, and puts few in order in memory', () => {
    expect(findSlow(queries, few)).toEqual({ byNoIndex: [], readMuch: [], sorted: [] });
  });

  it('reads for a search no other products than those that it shows, by their ids', () => {
    const searches = queries.filter(({ collection, command }) => {
      return collection === 'products' && command.startsWith('{"find"') && command.includes('{"_id":{"$in":');
    });
    expect(searches.length).toBeGreaterThan(300);
    // One that has just changed may be found as it was, and is not shown then.
    const mostRead = (returned: number) => Math.max(returned + 3, 100);
    expect(searches.filter(({ documentsExamined, returned }) => documentsExamined > mostRead(returned))).toEqual([]);
  });

  it.each([
    ['products', productDefinition],
    ['categories', categoryDefinition],
  ])('uses every index that is kept for %s', (name, { schema }) => {
    const plans = queries.filter((query) => query.collection === name).map(({ plan }) => plan);
    // The relay's queries find nothing to publish while the others run.
    const kept = schema.indexes().filter(([, { name: index }]) => index !== 'outbox_types' && index !== 'tombstones');
    const unused = kept.filter(([keys]) => {
      const fields = Object.entries(keys).map(([field, direction]) => `${field}: ${String(direction)}`);
      return !plans.some((plan) => plan.includes(`IXSCAN { ${fields.join(', ')} }`));
    });
    expect(unused).toEqual([]);
  });
});

describe('a list between prices', () => {
  it.each([
    ['newest', ''],
    ['name', ''],
    ['newest', `&category=${large}`],
    ['name', `&category=${large}`],
  ])('%s%s: holds every product once, in order, whatever the page', async (sort, category) => {
    const found: string[] = [];
    const path = `/v1/products?limit=100&minPrice=180&maxPrice=219&sort=${sort}${category}`;
    for (let cursor = ''; ;) {
      const { body } = await ask('anonymous', 'GET', path + cursor);
      found.push(...body.data.map(({ name }: { name: string }) => name));
      if (!body.nextCursor) break;
      cursor = `&cursor=${body.nextCursor}`;
    }
    const expected = Array.from({ length: total }, (_, index) => index)
      .filter((index) => priceOf(index) >= 180 && priceOf(index) <= 219 && statusOf(index) === 'active')
      .filter((index) => category === '' || categoriesOf(index).includes(large))
      .map((index) => `Bulk ${index}`);
    expect(expected.length).toBeGreaterThan(150);
    expect(found).toEqual(sort === 'name' ? expected.toSorted() : expected);
  });
});

/** Calls a route, which must do what it is there for. */
async function ask(who: Who, method: string, path: string, body?: unknown) {
  coverage.called(method, path);
  const headers = { 'idempotency-key': newId('evt') };
  const answer = await catalog.call(who, method, path, body, headers);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}

/** The first page of a list, and the second. */
async function pages(who: Who, path: string, found: boolean): Promise<void> {
  const { body } = await ask(who, 'GET', path);
  expect([path, body.data.length > 0]).toEqual([path, found]);
  if (body.nextCursor) await ask(who, 'GET', `${path}&cursor=${body.nextCursor}`);
}

async function everyList(): Promise<void> {
  for (const who of ['anonymous', 'admin'] as const) {
    for (const parentId of [`?parentId=root`, `?parentId=${branch}`, `?view=flat`])
      await pages(who, `/v1/categories${parentId}&limit=10`, true);
    await ask(who, 'GET', '/v1/categories?view=tree');
    await ask(who, 'GET', '/v1/categories?slug=c3');
    const hundred = Array.from({ length: 100 }, (_, index) => idOf('prod', index * 7));
    await pages(who, `/v1/products?limit=20&ids=${hundred.join(',')}`, true);
    await pages(who, '/v1/products?slug=bulk-8', true);
    await ask(who, 'GET', `/v1/categories?view=tree&parentId=${branch}`);

    for (const category of ['', `&category=${leaf}`, '&category=c3', `&category=${branch}`, `&category=${root}`]) {
      for (const q of ['', `&q=${words.all}`, `&q=${words.all}%20${words.many}`, `&q=${words.all}%20${words.one}`]) {
        for (const prices of who === 'admin'
          ? ['']
          : ['', '&minPrice=100&maxPrice=400', '&minPrice=200&maxPrice=200']) {
          for (const sort of ['newest', 'price', '-price', 'name', ...(q === '' ? [] : ['relevance'])]) {
            const path = `/v1/products?limit=20&sort=${sort}${category}${q}${prices}`;
            const { body } = await ask(who, 'GET', path);
            if (body.nextCursor) await ask(who, 'GET', `${path}&cursor=${body.nextCursor}`);
          }
        }
      }
    }
  }
  const facets = 'facets=category,price,inStock,attr.colour&count=true';
  for (const filter of ['attr.colour=colour3', `category=${leaf},c3`, 'inStock=true', `q=${words.all}`])
    await pages('anonymous', `/v1/products?limit=20&${facets}&${filter}`, true);
  await pages('anonymous', '/v1/products?inStock=false&count=false', false);
  for (const status of ['draft', 'active', 'archived'])
    await pages('admin', `/v1/products?limit=20&status=${status}`, status !== 'archived');
}

async function everyChange(): Promise<void> {
  const { body: category } = await ask('admin', 'POST', '/v1/categories', { name: 'Mugs', parentId: branch });
  await ask('anonymous', 'GET', `/v1/categories/${category.id}`);
  await ask('admin', 'PATCH', `/v1/categories/${category.id}`, { slug: 'cups', parentId: root });
  // What is below it moves along.
  await ask('admin', 'PATCH', `/v1/categories/${branch}`, { parentId: idOf('cat', 300) });

  const price = { amount: 1000, currency: 'EUR' };
  const relatedIds = [idOf('prod', 1), idOf('prod', 2)];
  const product = { sku: 'MUG', name: 'Bulk 7', price, categoryIds: [category.id, leaf], relatedIds };
  const { body: made } = await ask('admin', 'POST', '/v1/products', product);
  await ask('admin', 'GET', `/v1/products/${made.id}`);
  const change = { sku: 'CUP', slug: 'cup', categoryIds: [leaf, large] };
  await ask('admin', 'PATCH', `/v1/products/${made.id}`, change);
  await ask('admin', 'POST', `/v1/products/${made.id}/stock`, { change: 5 });
  await everyPicture(made.id);
  await ask('admin', 'PATCH', `/v1/products/${made.id}`, { options: [{ name: 'Size', values: ['S', 'M'] }] });
  const variants = `/v1/products/${made.id}/variants`;
  const { body: varied } = await ask('admin', 'POST', variants, { sku: 'CUP-M', values: ['M'] });
  const [, { id: added }] = varied.variants;
  await ask('admin', 'PATCH', `${variants}/${added}`, { sku: 'CUP-2', price });
  await ask('admin', 'POST', `${variants}/${added}/stock`, { change: 5 });
  await ask('admin', 'DELETE', `${variants}/${added}`);
  await ask('admin', 'DELETE', `/v1/products/${made.id}`);
}

async function everyPicture(productId: string): Promise<void> {
  const path = `/v1/products/${productId}/images`;
  const sent = await catalog.upload(productId, onePixel, { alt: 'A mug' });
  coverage.called('POST', `${path}?alt=A`);
  await ask('anonymous', 'GET', new URL(sent.body.url).pathname);
  await ask('admin', 'DELETE', `${path}/${sent.body.id}`);
  const inTwoDays = () => new Date(Date.now() + 2 * 24 * 60 * 60 * 1000);
  const store = await openStore({ database: catalog.connection, now: inTwoDays, relay: noRelay });
  await removeUnnamedPictures({ ...store, now: inTwoDays, pictureFiles: openPictureFiles(catalog.connection) });
}

async function everyDeletion(): Promise<void> {
  const [empty, upper] = await Promise.all(
    ['Empty', 'Upper'].map(async (name) => (await ask('admin', 'POST', '/v1/categories', { name })).body.id as string),
  );
  await ask('admin', 'POST', '/v1/categories', { name: 'Lower', parentId: upper });
  await ask('admin', 'DELETE', `/v1/categories/${empty}?strategy=reject`);
  for (const strategy of ['cascade', `reassign&to=${upper}`])
    await ask('admin', 'DELETE', `/v1/categories/${filled}?dryRun=true&strategy=${strategy}`);
  await ask('admin', 'DELETE', `/v1/categories/${filled}?dryRun=false&strategy=reassign&to=${upper}`);
  await ask('admin', 'DELETE', `/v1/categories/${upper}?strategy=cascade`);
}

/** Files of products: an import with a row of each kind, a dry run, what is read of them, and an export. */
async function everyFile(): Promise<void> {
  const rows = [
    { sku: 'NEW-1', name: 'Bulk 8', price: '5', tradePrice: '6', categories: ['c3'] },
    { sku: 'BULK-7', price: '6', slug: 'bulk-seven', categories: ['c2'] },
    { sku: 'BULK-9', stock: 'many' },
    { sku: 'BULK-10', stock: 'few' },
  ];
  for (const dryRun of ['true', 'false']) {
    const { body } = await ask('admin', 'POST', `/v1/products/imports?dryRun=${dryRun}`, rows);
    const path = `/v1/products/imports/${body.id}`;
    const ended = await eventually(async () => {
      const { body: now } = await ask('admin', 'GET', path);
      return now.finishedAt !== null && now;
    }, 'the end of an import');
    expect(ended).toMatchObject({ status: 'finished', created: 1, changed: 1, refused: 2, warned: 1 });
    for (const kind of ['refused', 'warned', 'created', 'changed'])
      await pages(
        'admin',
        `${path}/rows?kind=${kind}&limit=1`,
        dryRun === 'true' || kind === 'refused' || kind === 'warned',
      );
    expect((await ask('admin', 'GET', `${path}/refused`)).body).toContain('BULK-9');
  }
  await pages('admin', '/v1/products/imports?limit=1', true);
  for (const query of [
    'dialect=standard',
    'status=draft',
    'status=active',
    'status=archived',
    `category=${leaf}&dialect=excel-de`,
  ])
    await ask('admin', 'GET', `/v1/products/export?${query}`);
}

/** An order that reserves, comes again and is cancelled; and the metrics. */
async function everyOrder(): Promise<void> {
  const [productId, orderId] = [idOf('prod', 1), newId('ord')];
  const line = { lineId: '1', productId, variantId: ownVariantId(productId), quantity: 1 };
  const request = newEvent(ordersEvents.orderRequested, orderId, { tier: 'retail', currency: 'EUR', lines: [line] });
  const end = {
    userId: null,
    from: 'pending',
    reason: 'unpaid',
    segment: 'guest',
    currency: 'EUR',
    sold: null,
  } as const;
  await catalog.publish(request, request);
  await catalog.idle();
  expect((await ask('admin', 'GET', `/v1/products/${productId}`)).body.reserved).toBe(1);
  await catalog.publish(newEvent(ordersEvents.orderCancelled, orderId, end, 2));
  await catalog.idle();
  await fetch(`${catalog.url()}/metrics`);
}

async function fillAll(): Promise<void> {
  const begun = Date.now();
  const kept = { version: 1, outbox: [], updatedAt: new Date(begun) };
  await fill(catalog.collection('categories'), categories, (index) => {
    const { parentId, path } = placeOf(index);
    const products = { [leaf]: total / leaves, [large]: total / 10 }[idOf('cat', index)] ?? total / leaves;
    const count = index === 260 ? inFilled : index > 1 && index < leaves + 2 ? products : 0;
    return {
      _id: idOf('cat', index),
      name: `C${index}`,
      nameKey: `c${index}`,
      slug: `c${index}`,
      description: null,
      parentId,
      path,
      position: index % 9,
      image: null,
      isActive: true,
      visible: index % 10 !== 9,
      children: 0,
      products: count,
      activeProducts: count,
      createdAt: new Date(begun),
      ...kept,
    };
  });
  await fill(catalog.collection('category_slugs'), categories, (index) => ({
    _id: `c${index}`,
    owner: idOf('cat', index),
  }));
  await fill(catalog.collection('products'), total, (index) => ({
    ...storedProduct,
    _id: idOf('prod', index),
    sku: `BULK-${index}`,
    name: `Bulk ${index}`,
    nameKey: `bulk ${index}`,
    slug: `bulk-${index}`,
    attributes: { colour: `colour${index % 7}`, ...(index % 1000 === 77 && { number: `n${index}` }) },
    categoryIds: categoriesOf(index),
    price: { amount: priceOf(index), currency: 'EUR' },
    lowestPrice: priceOf(index),
    stock: 1,
    status: statusOf(index),
    createdAt: new Date(begun - index * 1000),
  }));
  await fill(catalog.collection('product_slugs'), total, (index) => ({
    _id: `bulk-${index}`,
    owner: idOf('prod', index),
  }));
  await fill(catalog.collection('product_skus'), total, (index) => ({
    _id: `BULK-${index}`,
    owner: idOf('prod', index),
  }));
}

/** From 0 to 399. */
const priceOf = (index: number) => Math.floor((index / total) * 400);
const statusOf = (index: number) => (index % 3 === 0 ? 'draft' : 'active');

function categoriesOf(index: number): string[] {
  return [
    idOf('cat', 2 + (index % leaves)),
    ...(index % 10 === 0 ? [large] : []),
    ...(index % betweenFilled === 1 && index < inFilled * betweenFilled ? [filled] : []),
  ];
}

function placeOf(index: number): { parentId: string | null; path: string[] } {
  if (index === 1) return { parentId: root, path: [root] };
  if (index >= 2 && index < 62) return { parentId: branch, path: [root, branch] };
  if (index >= 62 && index < leaves + 2) return { parentId: root, path: [root] };
  return { parentId: null, path: [] };
}

/** As ids are written, and faster made than new ones. */
function idOf(prefix: 'cat' | 'prod', index: number): string {
  return `${prefix}_${String(index).padStart(26, '0')}`;
}
