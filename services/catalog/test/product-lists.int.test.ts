import { newId } from '@storefront/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { productIndexes } from '../src/store/collections.ts';
import { categoryQuery } from '../src/store/category-reads.ts';
import { countFor, queryFor, rare } from '../src/store/product-query.ts';
import { startCatalog } from './catalog.ts';
import type { Catalog } from './catalog.ts';

let catalog: Catalog;
const total = 6000;
const categoryIds = Array.from({ length: 250 }, () => newId('cat'));
const eur = (amount: number) => ({ amount, currency: 'EUR' });

beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.close());

const names = ({ body }: { body: { data: { name: string }[] } }) => body.data.map(({ name }) => name);

describe('finding products', () => {
  let top: string;
  let slug: string;
  beforeAll(async () => {
    const root = await catalog.category({ name: 'Kitchen ware' });
    const below = await catalog.category({ parentId: root.id });
    const other = await catalog.category();
    top = root.id;
    slug = root.slug;
    for (const [name, price, category, description] of [
      ['Blue mug', 900, below.id, null],
      ['Red mug', 1100, root.id, 'Café crème'],
      ['Teapot', 3500, other.id, 'For two mugs of tea'],
      ['apron', 2400, below.id, null],
    ] as const)
      await catalog.product({ name, price: eur(price), categoryIds: [category], description });
  });

  const find = (query: string) => catalog.call('anonymous', 'GET', `/v1/products?${query}`);

  it('by category, what is below it included, by id or slug', async () => {
    expect(names(await find(`category=${top}&sort=name`))).toEqual(['apron', 'Blue mug', 'Red mug']);
    expect(names(await find(`category=${slug}&sort=name`))).toEqual(['apron', 'Blue mug', 'Red mug']);
    expect(names(await find(`category=${newId('cat')}`))).toEqual([]);
    expect(names(await find('category=no-such-slug'))).toEqual([]);
  });

  it('by words of name, SKU and description, whatever their case, accents and number', async () => {
    expect(names(await find('q=MUGS&sort=name'))).toEqual(['Blue mug', 'Red mug', 'Teapot']);
    expect(names(await find('q=mug%20tea'))).toEqual(['Teapot']);
    expect(names(await find('q=creme%20cafe'))).toEqual(['Red mug']);
    expect(names(await find('q=mug&category=' + top + '&sort=-price'))).toEqual(['Red mug', 'Blue mug']);
    expect(names(await find('q=.*'))).toEqual([]);
    expect(names(await find('q=%24where'))).toEqual([]);
  });

  it('by price, in every order', async () => {
    expect(names(await find('minPrice=1000&maxPrice=2400&sort=price'))).toEqual(['Red mug', 'apron']);
    expect(names(await find('minPrice=1000&maxPrice=2400&sort=-price'))).toEqual(['apron', 'Red mug']);
    expect(names(await find('maxPrice=1100&sort=newest'))).toEqual(['Red mug', 'Blue mug']);
    expect(names(await find('minPrice=1000&maxPrice=3500&sort=name'))).toEqual(['apron', 'Red mug', 'Teapot']);
    expect(names(await find('sort=newest'))).toEqual(['apron', 'Teapot', 'Red mug', 'Blue mug']);
  });

  it.each(['newest', 'price', '-price', 'name'])('in pages that show each once, sorted by %s', async (sort) => {
    const whole = names(await find(`sort=${sort}&limit=100`));
    const paged: string[] = [];
    let cursor = '';
    do {
      const answer = await find(`sort=${sort}&limit=1${cursor}`);
      paged.push(...names(answer));
      const { nextCursor } = answer.body;
      cursor = nextCursor === null ? '' : `&cursor=${nextCursor}`;
    } while (cursor !== '');
    expect(paged).toEqual(whole);
    expect(paged.length).toBe(4);
  });

  it('refuses odd queries, and a cursor of another order', async () => {
    const { nextCursor } = (await find('sort=price&limit=1')).body;
    for (const query of [
      'sort=stock',
      'minPrice=-1',
      'minPrice=x',
      'minPrice=2&maxPrice=1',
      'limit=101',
      'category=A%20b',
      'status=sold',
      'q=',
      'q[$ne]=1',
      'words=x',
      `sort=name&cursor=${nextCursor}`,
      'cursor=x.y',
    ])
      expect([query, (await find(query)).status]).toEqual([query, 400]);
  });
});

describe('the queries of lists, at some thousands of documents', () => {
  beforeAll(async () => {
    const now = Date.now();
    await catalog.database.collection<any>('products').insertMany(
      Array.from({ length: total }, (_, index) => ({
        _id: newId('prod'),
        version: 1,
        outbox: [],
        sku: `BULK-${index}`,
        name: `Bulk ${index}`,
        nameKey: `bulk ${index}`,
        slug: `bulk-${index}`,
        description: null,
        words: ['bulk', `colour${index % 7}`],
        categoryIds: [categoryIds[index % 10 === 0 ? 0 : index % 250], categoryIds[(index * 7) % 250]],
        images: [],
        price: eur(index % 500),
        tradePrice: null,
        stock: 1,
        status: index % 3 === 0 ? 'draft' : 'active',
        stockKeys: [],
        createdAt: new Date(now - index * 1000),
        updatedAt: new Date(now),
      })),
    );
    await catalog.database.collection<any>('categories').insertMany(
      categoryIds.map((id, index) => ({
        _id: id,
        version: 1,
        outbox: [],
        name: `C${index}`,
        nameKey: `c${index}`,
        slug: `c${index}`,
        parentId: null,
        path: [],
        position: index % 9,
        isActive: true,
        visible: true,
        createdAt: new Date(now),
        updatedAt: new Date(now),
      })),
    );
  });

  /** The names of all stages of the winning plan. */
  function stagesOf(plan: unknown): string[] {
    if (Array.isArray(plan)) return plan.flatMap(stagesOf);
    if (typeof plan !== 'object' || plan === null) return [];
    return Object.entries(plan).flatMap(([key, value]) => (key === 'stage' ? [String(value)] : stagesOf(value)));
  }

  const sorts = ['newest', 'price', '-price', 'name'] as const;
  const positions = {
    newest: [new Date(), 'prod_z'],
    price: [250, 'prod_z'],
    '-price': [250, 'prod_z'],
    name: ['bulk 5', 'x'],
  };
  const searches = {
    'all of them': { categoryIds: null, categoryProducts: 0, words: null },
    'one category': { categoryIds: categoryIds.slice(0, 1), categoryProducts: 700, words: null },
    'a branch of categories': { categoryIds: categoryIds.slice(0, 60), categoryProducts: 3000, words: null },
    'a branch of most categories': { categoryIds, categoryProducts: 12_000, words: null },
    words: { categoryIds: null, categoryProducts: 0, words: ['bulk', 'colour3'] },
    'words in a small category': { categoryIds: categoryIds.slice(0, 1), categoryProducts: 700, words: ['bulk'] },
    'words in a large category': { categoryIds: categoryIds.slice(0, 60), categoryProducts: 3000, words: ['bulk'] },
  };
  const cases = Object.keys(searches).flatMap((what) => sorts.map((sort) => [what, sort] as const));

  it.each(cases)('read an index in its order: %s, by %s', async (what, sort) => {
    const search = searches[what as keyof typeof searches];
    for (const statuses of [['active'], ['draft', 'active', 'archived']] as const) {
      for (const limits of [{}, { minPrice: 100, maxPrice: 400 }]) {
        for (const position of [undefined, positions[sort]]) {
          const { filter, order, hint } = queryFor({ ...search, ...limits, statuses, sort }, position);
          const plan = await catalog.database
            .collection('products')
            .find(filter, { hint })
            .sort(Object.fromEntries(order))
            .limit(21)
            .explain('executionStats');
          const stages = stagesOf(plan.queryPlanner.winningPlan);
          expect(stages).toContain('IXSCAN');
          expect(stages).not.toContain('COLLSCAN');
          expect(stages).not.toContain('SORT');
          expect(plan.executionStats.nReturned).toBe(21);
          // Nowhere near all of them.
          expect(plan.executionStats.totalDocsExamined).toBeLessThan(700);
        }
      }
    }
  });

  it.each(cases.filter(([, sort]) => sort === 'newest' || sort === 'name'))(
    'read no more than few where price limits leave few: %s, by %s',
    async (what, sort) => {
      const search = {
        ...searches[what as keyof typeof searches],
        statuses: ['active'] as const,
        sort,
        minPrice: 200,
        maxPrice: 203,
      };
      const count = countFor(search);
      const counted = await catalog.database
        .collection('products')
        .find(count?.filter ?? {}, { hint: count?.hint ?? '' })
        .limit(rare + 1)
        .explain('executionStats');
      const { filter, order, hint } = queryFor(search, positions[sort], true);
      const listed = await catalog.database
        .collection('products')
        .find(filter, { hint })
        .sort(Object.fromEntries(order))
        .limit(21)
        .explain('executionStats');
      for (const plan of [counted, listed]) {
        expect(stagesOf(plan.queryPlanner.winningPlan)).not.toContain('COLLSCAN');
        expect(plan.executionStats.totalKeysExamined).toBeLessThan(rare);
      }
    },
  );

  it('uses every index that it keeps', () => {
    const hints = Object.values(searches).flatMap((search) =>
      sorts.map((sort) => queryFor({ ...search, statuses: ['active'], sort }, undefined).hint),
    );
    expect(new Set(hints)).toEqual(new Set(Object.keys(productIndexes)));
  });

  it.each([
    [true, undefined],
    [false, undefined],
    [true, null],
    [false, null],
  ])('categories read an index in its order (only visible: %s, parent: %s)', async (onlyVisible, parentId) => {
    for (const position of [undefined, [4, 'c1', 'cat_x']]) {
      const { filter, order, hint } = categoryQuery({ onlyVisible, parentId }, position);
      const plan = await catalog.database
        .collection('categories')
        .find(filter, { hint })
        .sort(Object.fromEntries(order))
        .limit(11)
        .explain('executionStats');
      const stages = stagesOf(plan.queryPlanner.winningPlan);
      expect(stages).toContain('IXSCAN');
      expect(stages).not.toContain('COLLSCAN');
      expect(stages).not.toContain('SORT');
      expect(plan.executionStats.totalDocsExamined).toBeLessThan(100);
    }
  });

  it.each([
    ['products', { categoryIds: { $in: categoryIds.slice(0, 3) } }],
    ['categories', { path: categoryIds[0] }],
    ['categories', { $or: [{ _id: categoryIds[0] }, { path: categoryIds[0] }] }],
  ] as [string, Record<string, unknown>][])('%s are found by %j through an index', async (collection, filter) => {
    const plan = await catalog.database.collection(collection).find(filter).explain('queryPlanner');
    expect(stagesOf(plan.queryPlanner.winningPlan)).not.toContain('COLLSCAN');
  });
});
