import { newId } from '@storefront/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCatalog, type Harness } from './harness.ts';

let catalog: Harness;
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
    for (const unknown of [newId('cat'), 'no-such-slug']) {
      const { status, body } = await catalog.call('anonymous', 'GET', `/v1/products?category=${unknown}`);
      expect([status, body.errors]).toEqual([
        400,
        [{ pointer: '/category', in: 'query', code: 'unknown_category', message: 'There is no such category.' }],
      ]);
    }
  });

  it('by ids and by slug, in the order of the list, together with what else is asked for', async () => {
    const { body } = await find('sort=name');
    const [apron, blue, red] = body.data.map(({ id }: { id: string }) => id);
    expect(names(await find(`ids=${red},${newId('prod')},${apron}&sort=name`))).toEqual(['apron', 'Red mug']);
    expect(names(await find(`ids=${red},${apron},${blue}&q=mug&sort=price`))).toEqual(['Blue mug', 'Red mug']);
    const { body: first } = await find(`ids=${red},${apron},${blue}&sort=name&limit=2`);
    const next = `ids=${red},${apron},${blue}&sort=name&cursor=${first.nextCursor}`;
    expect([...names({ body: first }), ...names(await find(next))]).toEqual(['apron', 'Blue mug', 'Red mug']);
    expect(names(await find('slug=blue-mug'))).toEqual(['Blue mug']);
    expect(names(await find('slug=no-such-slug'))).toEqual([]);
    expect(names(await find(`slug=blue-mug&ids=${red}`))).toEqual([]);
    const draft = await catalog.product({ name: 'Secret', status: 'draft' });
    for (const query of [`ids=${draft.id}`, 'slug=secret']) expect(names(await find(query))).toEqual([]);
    expect(names(await catalog.call('admin', 'GET', '/v1/products?slug=secret'))).toEqual(['Secret']);
    await catalog.call('admin', 'DELETE', `/v1/products/${draft.id}`);
    expect(names(await catalog.call('admin', 'GET', `/v1/products?ids=${draft.id}`))).toEqual([]);
    const many = Array.from({ length: 101 }, () => newId('prod')).join(',');
    for (const [query, pointer] of [
      ['ids=', '/ids/0'],
      [`ids=${red},prod_1`, '/ids/1'],
      [`ids=${many}`, '/ids'],
      ['slug=A%20B', '/slug'],
    ]) {
      const { status, body: problem } = await catalog.call('anonymous', 'GET', `/v1/products?${query}`);
      expect([status, problem.errors[0].pointer]).toEqual([400, pointer]);
    }
  });

  it('by words of name, SKU and description, whatever their case, accents and number', async () => {
    expect(names(await find('q=MUGS&sort=name'))).toEqual(['Blue mug', 'Red mug', 'Teapot']);
    expect(names(await find('q=mug%20tea'))).toEqual(['Teapot']);
    expect(names(await find('q=creme%20cafe'))).toEqual(['Red mug']);
    expect(names(await find('q=mug&category=' + top + '&sort=-price'))).toEqual(['Red mug', 'Blue mug']);
    expect(names(await find('q=.*'))).toEqual([]);
    expect(names(await find('q=%24where'))).toEqual([]);
  });

  it.each([
    ['红茶', '正山小种红茶 250克'],
    ['茶', '正山小种红茶 250克'],
    ['ギフト', '抹茶ｷﾞﾌﾄセット'],
    ['กาแฟ', 'ถ้วยกาแฟสีแดง'],
    ['IŞIKLARI', 'Masa ışıkları'],
    ['isiklari', 'Masa ışıkları'],
    ['ΚΑΦΕΣ', 'Ελληνικός καφές'],
  ])('by words of any script: %s', async (query, name) => {
    const product = await catalog.product({ name });
    try {
      expect(names(await find(`q=${encodeURIComponent(query)}`))).toEqual([name]);
    } finally {
      await catalog.call('admin', 'DELETE', `/v1/products/${product.id}`);
    }
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
