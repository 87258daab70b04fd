import { newId } from '@storefront/contracts';
import { FeedLostError, noRelay, type ChangedDocument } from '@storefront/mongo';
import { eventually, memoryLogger } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IndexQuery } from '../src/domain/search/product-index.ts';
import { wordsOfQuery } from '../src/domain/words.ts';
import { openStore } from '../src/store/collections.ts';
import { noChanges, openProductSearch } from '../src/store/product-search.ts';
import { startCatalog, wrongFields, type Harness, type Who } from './harness.ts';

let catalog: Harness;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.close());

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const find = (query: string, who: Who = 'anonymous') => catalog.call(who, 'GET', `/v1/products?${query}`);
const namesOf = ({ body }: { body: { data: { name: string }[] } }) => body.data.map(({ name }) => name);
const names = async (query: string, who?: Who) => namesOf(await find(query, who));

describe('a search', () => {
  const ids: Record<string, string> = {};
  let drinks: string;
  let teas: string;
  let hidden: string;

  beforeAll(async () => {
    drinks = (await catalog.category({ name: 'Drinks' })).id;
    teas = (await catalog.category({ name: 'Finest teas', parentId: drinks })).id;
    hidden = (await catalog.category({ name: 'Christmas surprise', isActive: false })).id;
    const products: Record<string, Parameters<typeof catalog.product>[0]> = {
      Matcha: {
        price: eur(2500),
        tradePrice: eur(1001),
        categoryIds: [teas],
        attributes: { colour: 'green', grams: 30 },
      },
      'Coffee beans': {
        price: eur(1200),
        categoryIds: [drinks],
        attributes: { colour: 'brown', organic: true },
        stock: 5,
      },
      Coffeepot: { price: eur(4000), attributes: { colour: 'blue', for: 'coffee or tea' }, stock: 2 },
      Sugar: {
        price: eur(300),
        description: 'For your coffee.',
        categoryIds: [hidden],
        attributes: { colour: 'white, brown' },
      },
      'Draft of a coffee': {
        price: eur(77),
        categoryIds: [teas],
        attributes: { colour: 'secret' },
        status: 'draft',
      },
    };
    for (const [name, fields] of Object.entries(products)) ids[name] = (await catalog.product({ name, ...fields })).id;
  });

  it('finds a product by the SKUs and the values of its active variants, and sorts it by the lowest of their prices', async () => {
    const shirt = await catalog.product({
      name: 'Shirt',
      price: eur(9000),
      options: [{ name: 'Shoe size', values: ['S', 'M', 'L'] }],
      variants: [
        { sku: 'SHIRT-SMALL', values: ['S'], price: eur(8800) },
        { sku: 'SHIRT-MEDIUM', values: ['M'], stock: 2 },
        { sku: 'SHIRT-LARGE', values: ['L'], price: eur(8600), status: 'archived' },
      ],
    });
    expect(await names('q=shirt-medium')).toEqual(['Shirt']);
    expect(await names('q=shirt-large')).toEqual([]);
    expect(await names('attr.shoe-size=M')).toEqual(['Shirt']);
    expect(await names('attr.shoe-size=L')).toEqual([]);
    expect(await names('minPrice=8700&maxPrice=8800')).toEqual(['Shirt']);
    expect(await names('maxPrice=8700&minPrice=8500')).toEqual([]);
    expect(await names('inStock=true&attr.shoe-size=S')).toEqual(['Shirt']);
    const path = `/v1/products/${shirt.id}/variants/${shirt.variants[1]?.id}`;
    await catalog.call('admin', 'PATCH', path, { status: 'archived' });
    expect(await names('q=shirt-medium')).toEqual([]);
    expect(await names('inStock=true&attr.shoe-size=S')).toEqual([]);
    expect((await catalog.call('admin', 'DELETE', `/v1/products/${shirt.id}`)).status).toBe(204);
  });

  it('finds beginnings of words and forgives a wrong letter, in every field', async () => {
    expect(await names('q=matc')).toEqual(['Matcha']);
    expect(await names('q=cofee')).toEqual(['Coffee beans', 'Coffeepot', 'Sugar']);
    expect(await names('q=finest')).toEqual(['Matcha']);
    expect(await names('q=teas')).toEqual(['Coffeepot', 'Matcha']);
    expect(await names('q=christmas')).toEqual([]);
    expect(await names('q=christmas', 'admin')).toEqual(['Sugar']);
    expect(await names('q=cofee%20blue')).toEqual(['Coffeepot']);
    expect(await names('q=cofe')).toEqual([]);
  });

  it('is ordered by relevance, in pages that show each once', async () => {
    const whole = await names('q=coffee');
    expect(whole).toEqual(['Coffee beans', 'Coffeepot', 'Sugar']);
    expect(await names('q=coffee&sort=relevance')).toEqual(whole);
    expect(await names('q=coffee&sort=price')).toEqual(['Sugar', 'Coffee beans', 'Coffeepot']);
    const paged: string[] = [];
    for (let cursor = ''; ;) {
      const answer = await find(`q=coffee&limit=1&count=true&facets=inStock${cursor}`);
      paged.push(...namesOf(answer));
      expect(answer.body.count).toEqual({ value: 3, exact: true });
      if (answer.body.nextCursor === null) break;
      cursor = `&cursor=${answer.body.nextCursor}`;
    }
    expect(paged).toEqual(whole);
  });

  it('is filtered by categories, stock, prices and attributes', async () => {
    expect(await names(`category=${drinks},${hidden}&sort=name`)).toEqual(['Coffee beans', 'Matcha', 'Sugar']);
    expect(await names('category=finest-teas,drinks&sort=name')).toEqual(['Coffee beans', 'Matcha']);
    expect(await names('inStock=true&sort=name')).toEqual(['Coffee beans', 'Coffeepot']);
    expect(await names('inStock=false&sort=name')).toEqual(['Matcha', 'Sugar']);
    expect(await names('attr.colour=blue,green&sort=name')).toEqual(['Coffeepot', 'Matcha']);
    expect(await names('attr.colour=white%5C,%20brown')).toEqual(['Sugar']);
    expect(await names('attr.colour=green&attr.grams=30')).toEqual(['Matcha']);
    expect(await names('attr.colour=green&attr.grams=31')).toEqual([]);
    expect(await names('attr.organic=true')).toEqual(['Coffee beans']);
    expect(await names('minPrice=1200&maxPrice=2500&inStock=true')).toEqual(['Coffee beans']);
    expect(await names(`ids=${ids['Sugar']},${ids['Matcha']}&inStock=false&sort=name`)).toEqual(['Matcha', 'Sugar']);
    const { status, body } = await find(`category=${drinks},no-such&q=x`);
    expect([status, body.errors[0].pointer, body.errors[0].code]).toEqual([400, '/category', 'unknown_category']);
  });

  it('counts what each value would leave, under the other filters', async () => {
    const { body } = await find(
      'q=coffee&facets=category,price,inStock,attr.colour,attr.organic&attr.colour=blue&count=true',
    );
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['Coffeepot']);
    expect(body.count).toEqual({ value: 1, exact: true });
    expect(body.facets).toEqual([
      { type: 'values', field: 'category', values: [], hasMore: false },
      { type: 'ranges', field: 'price', min: 4000, max: 4000, ranges: [{ from: 4000, to: 4000, count: 1 }] },
      { type: 'values', field: 'inStock', values: [{ value: 'true', label: 'true', count: 1 }], hasMore: false },
      {
        type: 'values',
        field: 'attr.colour',
        values: ['blue', 'brown', 'white, brown'].map((value) => ({ value, label: value, count: 1 })),
        hasMore: false,
      },
      { type: 'values', field: 'attr.organic', values: [], hasMore: false },
    ]);
    const { body: all } = await find('facets=category,price');
    expect(all.facets).toEqual([
      {
        type: 'values',
        field: 'category',
        values: [
          { value: drinks, label: 'Drinks', count: 2 },
          { value: teas, label: 'Finest teas', count: 1 },
        ],
        hasMore: false,
      },
      {
        type: 'ranges',
        field: 'price',
        min: 300,
        max: 4000,
        ranges: [
          [0, 499],
          [1000, 1499],
          [2500, 2999],
          [4000, 4499],
        ].map(([from, to]) => ({ from, to, count: 1 })),
      },
    ]);
    expect(all).not.toHaveProperty('count');
    expect(await find('q=...&count=true&facets=inStock')).toMatchObject({
      body: { data: [], nextCursor: null, count: { value: 0 }, facets: [{ values: [] }] },
    });
  });

  it('shows nothing of products that are not active, hidden categories or trade prices to those who may not see them', async () => {
    const facets = 'facets=category,price,inStock,attr.colour&count=true';
    for (const who of ['anonymous', 'trade', 'retail'] as const) {
      const { body } = await find(facets, who);
      expect(body.count.value).toBe(4);
      const text = JSON.stringify(body);
      expect(text).not.toContain('secret');
      expect(text).not.toContain('surprise');
      expect(body.facets[1].min).toBe(300);
      expect(await names('minPrice=1001&maxPrice=1001', who)).toEqual([]);
      expect((await find(`${facets}&status=draft`, who)).status).toBe(403);
    }
    const { body } = await find(facets, 'admin');
    expect([body.count.value, body.facets[1].min]).toEqual([5, 77]);
    expect(body.facets[0].values).toContainEqual({ value: hidden, label: 'Christmas surprise', count: 1 });
  });

  it('knows each change at once', async () => {
    const product = await catalog.product({ name: 'Kettle' });
    expect(await names('q=kettle')).toEqual(['Kettle']);
    await catalog.call('admin', 'PATCH', `/v1/products/${product.id}`, {
      attributes: { colour: 'copper' },
      name: 'Pot',
    });
    expect(await names('q=kettle')).toEqual([]);
    expect(await names('attr.colour=copper')).toEqual(['Pot']);
    expect(await names('attr.colour=copper&inStock=true')).toEqual([]);
    await catalog.call('admin', 'POST', `/v1/products/${product.id}/stock`, { change: 1 });
    expect(await names('attr.colour=copper&inStock=true')).toEqual(['Pot']);
    await catalog.call('admin', 'PATCH', `/v1/products/${product.id}`, { status: 'archived' });
    expect(await names('q=pot')).toEqual([]);
    expect(await names('q=pot&status=archived', 'admin')).toEqual(['Pot']);
    const category = await catalog.category({ name: 'Cutlery' });
    await catalog.call('admin', 'PATCH', `/v1/products/${product.id}`, {
      status: 'active',
      categoryIds: [category.id],
    });
    expect(await names('q=cutlery')).toEqual(['Pot']);
    await catalog.call('admin', 'PATCH', `/v1/categories/${category.id}`, { name: 'Tableware' });
    expect([await names('q=cutlery'), await names('q=tableware')]).toEqual([[], ['Pot']]);
    await catalog.call('admin', 'DELETE', `/v1/categories/${category.id}?strategy=cascade`);
    expect(await names('q=tableware')).toEqual([]);
    await catalog.call('admin', 'DELETE', `/v1/products/${product.id}`);
    expect(await names('q=pot', 'admin')).toEqual([]);
  });

  it('knows what another process has changed within a second, and a product that it shows at once', async () => {
    const product = await catalog.product({ name: 'Lamp', attributes: { watts: 5 } });
    const now = () => new Date();
    const other = await openStore({ database: catalog.connection, now, relay: noRelay });
    const { state } = (await other.products.load(product.id)) ?? {};
    if (!state) throw new Error('the product was not stored');
    const save = (fields: Partial<typeof state>) =>
      other.products.change(product.id, (current) => {
        if (!current) throw new Error('the product is gone');
        return { kind: 'changed', state: { ...current, ...fields }, facts: [], result: null };
      });
    await save({ attributes: { watts: 7 } });
    expect(await names('attr.watts=5')).toEqual([]);
    expect(await names('attr.watts=7')).toEqual(['Lamp']);
    for (const [at, query] of ['q=lamp', `ids=${product.id}`].entries()) {
      await find(query);
      await save({ description: `Shown by ${query}` });
      expect((await find(query)).body.data).toMatchObject([{ description: `Shown by ${query}` }]);
      // As after a restore: the same version of another time.
      const restored = { description: `Restored for ${query}`, updatedAt: new Date(at) };
      await other.products.collection.updateOne({ _id: product.id }, { $set: restored });
      expect((await find(query)).body.data).toMatchObject([{ description: `Restored for ${query}` }]);
    }
    const id = newId('prod');
    await other.products.insertNew([{ state: { ...state, id, name: 'Bulb', slug: 'bulb', sku: 'BULB' }, facts: [] }]);
    await eventually(
      async () => (await names('q=bulb')).length === 1,
      'the search to know a product of another process',
    );
    await save({ status: 'draft' });
    expect(await names('q=lamp')).toEqual([]);
  });
});

it('refuses a query with wrong fields, and names each of them', async () => {
  const refused = await find(
    'attr.Colour=blue&attr.size=&words=x&facets=price,price&count=yes&inStock=1&sort=stock&category=A%20b&limit=0&attr.a=1&attr.a=2',
  );
  expect(refused.status).toBe(400);
  expect(Object.keys(wrongFields(refused)).toSorted()).toEqual([
    '/attr.Colour',
    '/attr.a',
    '/attr.size/0',
    '/category/0',
    '/count',
    '/facets',
    '/inStock',
    '/limit',
    '/sort',
    '/words',
  ]);
  for (const query of ['__proto__=1', 'attr.a=1&__proto__=1', 'q=x&__proto__=1&limit=20'])
    expect([query, Object.keys(wrongFields(await find(query)))]).toEqual([query, ['/__proto__']]);
  const many = Array.from({ length: 6 }, (_, at) => `attr.a${at}=1`).join('&');
  expect(Object.keys(wrongFields(await find(many)))).toEqual(['/attr.a5']);
  const values = Array.from({ length: 21 }, (_, at) => at).join(',');
  for (const [query, pointer] of [
    ['sort=relevance', '/sort'],
    [`attr.a=${values}`, '/attr.a'],
    [`category=${values}`, '/category'],
    ['facets=tradePrice', '/facets/0'],
    ['facets=attr.', '/facets/0'],
    [`facets=${Array.from({ length: 11 }, (_, at) => `attr.a${at}`).join(',')}`, '/facets'],
  ])
    expect([query, Object.keys(wrongFields(await find(query ?? '')))]).toEqual([query, [pointer]]);
});

it('refuses wrong attributes, and names each of them', async () => {
  const attributes = { Colour: 'blue', size: '', list: [1], nothing: null, ok: 'fine' };
  const refused = await catalog.call('admin', 'POST', '/v1/products', {
    sku: 'WRONG',
    name: 'Wrong',
    price: eur(1),
    attributes,
  });
  expect([refused.status, Object.keys(wrongFields(refused)).toSorted()]).toEqual([
    400,
    ['/attributes/Colour', '/attributes/list', '/attributes/nothing', '/attributes/size'],
  ]);
  const many = Object.fromEntries(Array.from({ length: 31 }, (_, at) => [`a${at}`, at]));
  const tooMany = await catalog.call('admin', 'POST', '/v1/products', {
    sku: 'W',
    name: 'W',
    price: eur(1),
    attributes: many,
  });
  expect([tooMany.status, Object.keys(wrongFields(tooMany))]).toEqual([400, ['/attributes']]);
});

it('reads everything anew where it can not know what has changed', async () => {
  const product = await catalog.product({ name: 'Whisk' });
  const store = await openStore({ database: catalog.connection, now: () => new Date(), relay: noRelay });
  let isLost = false;
  const feed = {
    async read(): Promise<ChangedDocument[]> {
      if (!isLost) return [];
      isLost = false;
      throw new FeedLostError('made');
    },
    async close() {},
  };
  const { logger, lines } = memoryLogger();
  const search = await openProductSearch(store, { changed: noChanges(), feed, logger });
  const query: IndexQuery = {
    ids: null,
    statuses: ['active'],
    words: wordsOfQuery('whisk'),
    categoryIds: null,
    minPrice: undefined,
    maxPrice: undefined,
    inStock: undefined,
    attributes: new Map(),
    onlyVisible: true,
    sort: 'relevance',
    facets: [],
  };
  const count = async () => (await search.search(query, { limit: 20, after: undefined })).count;
  try {
    expect(await count()).toBe(1);
    await catalog.call('admin', 'DELETE', `/v1/products/${product.id}`);
    expect(await count()).toBe(1);
    isLost = true;
    await eventually(async () => (await count()) === 0, 'the deletion to be known');
    expect(JSON.stringify(lines)).toContain('read anew');
  } finally {
    await search.close();
  }
});
