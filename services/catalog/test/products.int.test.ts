import { newId } from '@storefront/contracts';
import { noRelay, type Transaction } from '@storefront/mongo';
import { eventually, times } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../src/store/collections.ts';
import { apiUrl, startCatalog, statuses, wrongFields, type Harness } from './harness.ts';

let catalog: Harness;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.close());

const eur = (amount: number) => ({ amount, currency: 'EUR' });

describe('creating a product', () => {
  it('answers it with every field and publishes the whole product', async () => {
    const category = await catalog.category();
    const input = {
      sku: 'TEA-01',
      name: 'Sencha Superior',
      description: 'Spring harvest.\nSteamed.',
      attributes: { colour: 'green', grams: 100.5, loose: true },
      categoryIds: [category.id],
      images: [{ url: '/v1/products/images/sencha.svg', alt: 'A tin of tea' }, { url: 'https://img.example/2.png' }],
      price: eur(1290),
      tradePrice: eur(860),
      stock: 12,
    };
    const answer = await catalog.call('admin', 'POST', '/v1/products', input);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`/v1/products/${answer.body.id}`);
    expect(answer.body).toEqual({
      ...input,
      id: expect.stringMatching(/^prod_/),
      slug: 'sencha-superior',
      images: [
        { url: `${apiUrl}/v1/products/images/sencha.svg`, alt: 'A tin of tea' },
        { url: 'https://img.example/2.png', alt: '' },
      ],
      status: 'active',
      priceRange: { min: eur(1290), max: eur(1290) },
      taxClass: 'standard',
      weight: null,
      quantityPrices: [],
      relatedIds: [],
      availableFrom: null,
      backOrders: { allowed: false, text: null },
      lowStockThreshold: null,
      reserved: 0,
      options: [],
      variants: [
        {
          id: answer.body.id.replace('prod_', 'var_'),
          sku: 'TEA-01',
          values: [],
          price: eur(1290),
          tradePrice: eur(860),
          quantityPrices: [],
          stock: 12,
          reserved: 0,
          weight: null,
          image: null,
          status: 'active',
        },
      ],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const event = await eventually(() => catalog.eventsOf(answer.body.id)[0], 'the event of the new product');
    expect(event).toMatchObject({
      type: 'catalog.product-created',
      source: 'catalog',
      sequence: 1,
      correlationid: answer.headers.get('x-request-id'),
    });
    expect(event.data).toEqual({
      id: answer.body.id,
      sku: 'TEA-01',
      name: 'Sencha Superior',
      slug: 'sencha-superior',
      image: '/v1/products/images/sencha.svg',
      categoryIds: [category.id],
      price: eur(1290),
      tradePrice: eur(860),
      status: 'active',
      stock: 12,
      counted: 12,
      available: true,
      options: [],
      variants: [
        {
          id: answer.body.variants[0].id,
          sku: 'TEA-01',
          values: [],
          price: eur(1290),
          tradePrice: eur(860),
          stock: 12,
          counted: 12,
          weight: null,
          status: 'active',
        },
      ],
      taxClass: 'standard',
      weight: null,
      quantityPrices: [],
      availableFrom: null,
      backOrders: { allowed: false, text: null },
    });
  });

  it('refuses an SKU that another has, whatever its case, also of 10 at once', async () => {
    await catalog.product({ sku: 'Taken-1' });
    const again = await catalog.call('admin', 'POST', '/v1/products', { sku: 'TAKEN-1', name: 'X', price: eur(1) });
    expect([again.status, again.body.code]).toEqual([409, 'sku_taken']);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        catalog.call('admin', 'POST', '/v1/products', { sku: 'ONE-ONLY', name: 'One only', price: eur(1) }),
      ),
    );
    expect(statuses(answers)).toEqual({ 201: 1, 409: 9 });
  });

  it('is shown as it is now to who sends a long one again, and is not made again once it is deleted', async () => {
    const key = { 'idempotency-key': 'long-product' };
    const body = { sku: 'LONG-1', name: 'A name', price: eur(1), description: 'tea '.repeat(1000) };
    const create = () => catalog.call('admin', 'POST', '/v1/products', body, key);
    const first = await create();
    const again = await create();
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    await catalog.call('admin', 'PATCH', `/v1/products/${first.body.id}`, { name: 'Another name' });
    const changed = await create();
    expect([changed.status, changed.body.name]).toEqual([201, 'Another name']);
    expect(changed.headers.get('idempotency-changed')).toBe('true');
    await catalog.call('admin', 'DELETE', `/v1/products/${first.body.id}`);
    const deleted = await create();
    expect([deleted.status, deleted.body.code]).toEqual([404, 'result_deleted']);
    expect(deleted.headers.get('idempotency-replayed')).toBe('true');
  });

  it('makes one product for one Idempotency-Key, also of 10 at once', async () => {
    const make = () =>
      catalog.call(
        'admin',
        'POST',
        '/v1/products',
        { sku: 'KEYED', name: 'Keyed', price: eur(1) },
        {
          'idempotency-key': 'product-once',
        },
      );
    const answers = await Promise.all(Array.from({ length: 10 }, make));
    expect(statuses(answers)).toEqual({ 201: 10 });
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  it('counts 10 that are made at once in one category, one after the other', async () => {
    const store = await openStore({ database: catalog.connection, now: () => new Date(), relay: noRelay });
    let underWay = 0;
    const underWayAtEachStart: number[] = [];
    const work = async ({ session }: Transaction) => {
      underWayAtEachStart.push((underWay += 1));
      await store.categories.collection.findOne({}, { session });
      underWay -= 1;
    };
    await Promise.all(Array.from({ length: 10 }, () => store.inCountingTransaction(work)));
    expect(underWayAtEachStart).toEqual(Array.from({ length: 10 }, () => 1));

    const category = await catalog.category();
    const make = () => catalog.product({ categoryIds: [category.id] });
    await Promise.all(Array.from({ length: 10 }, make));
    expect((await catalog.call('anonymous', 'GET', `/v1/categories/${category.id}`)).body.productCount).toBe(10);
  });

  it('may be made anew under its Idempotency-Key where the answer was lost, and be deleted again', async () => {
    const product = { sku: 'AGAIN', name: 'Again', price: eur(1) };
    const make = async () => {
      const { status, body } = await catalog.call('admin', 'POST', '/v1/products', product, {
        'idempotency-key': 'made-anew',
      });
      return [status, body.id];
    };
    const first = await make();
    const remove = async () => (await catalog.call('admin', 'DELETE', `/v1/products/${first[1]}`)).status;
    expect(await remove()).toBe(204);
    await catalog.collection('idempotency_keys').updateMany({}, { $set: { answer: null, holder: '' } });
    expect(await make()).toEqual(first);
    expect(await remove()).toBe(204);
  });

  it('names every wrong field', async () => {
    const { status, body } = await catalog.call('admin', 'POST', '/v1/products', {
      sku: '<script>',
      name: 'a\u0000b',
      price: { amount: 1.5, currency: 'euro' },
      tradePrice: { $gt: '' },
      stock: -1,
      status: 'sold',
      images: [{ url: 'file:///etc/passwd' }],
      categoryIds: ['cat_1'],
      version: 9,
    });
    expect(status).toBe(400);
    const pointers: string[] = body.errors.map(({ pointer }: { pointer: string }) => pointer);
    expect(pointers.toSorted((one, other) => one.localeCompare(other))).toEqual([
      '/categoryIds/0',
      '/images/0/url',
      '/name',
      '/price/amount',
      '/price/currency',
      '/sku',
      '/status',
      '/stock',
      '/tradePrice/$gt',
      '/tradePrice/amount',
      '/tradePrice/currency',
      '/version',
    ]);
  });

  it('refuses a category that is not there and a foreign currency', async () => {
    const { id } = await catalog.category();
    const lost = await catalog.call('admin', 'POST', '/v1/products', {
      sku: 'LOST',
      name: 'Lost',
      price: eur(1),
      categoryIds: [id, newId('cat')],
    });
    expect(lost.body.errors).toMatchObject([{ pointer: '/categoryIds/1', code: 'unknown_category' }]);
    const foreign = await catalog.call('admin', 'POST', '/v1/products', {
      sku: 'LOST',
      name: 'Lost',
      price: eur(1),
      tradePrice: { amount: 1, currency: 'USD' },
    });
    expect(foreign.body.errors).toMatchObject([{ pointer: '/tradePrice/currency', code: 'currency_not_supported' }]);
    // Nothing is left of either: the SKU is free.
    await catalog.product({ sku: 'LOST' });
  });

  it('names a foreign currency together with the other wrong fields', async () => {
    const usd = { amount: 1, currency: 'USD' };
    const expected = {
      '/name': expect.any(String),
      '/price/currency': 'currency_not_supported',
      '/tradePrice/currency': 'currency_not_supported',
    };
    const wrong = { name: '', price: usd, tradePrice: usd };
    const created = await catalog.call('admin', 'POST', '/v1/products', { sku: 'FOREIGN', ...wrong });
    expect([created.status, wrongFields(created)]).toEqual([400, expected]);
    const { id } = await catalog.product();
    const changed = await catalog.call('admin', 'PATCH', `/v1/products/${id}`, wrong);
    expect([changed.status, wrongFields(changed)]).toEqual([400, expected]);
  });

  it('names every category that is not there', async () => {
    const { id } = await catalog.category();
    const categoryIds = [newId('cat'), id, newId('cat')];
    const expected = { '/categoryIds/0': 'unknown_category', '/categoryIds/2': 'unknown_category' };
    const product = { sku: 'LOST-2', name: 'Lost', price: eur(1), categoryIds };
    const created = await catalog.call('admin', 'POST', '/v1/products', product);
    expect([created.status, wrongFields(created)]).toEqual([400, expected]);
    const existing = await catalog.product();
    const changed = await catalog.call('admin', 'PATCH', `/v1/products/${existing.id}`, { categoryIds });
    expect([changed.status, wrongFields(changed)]).toEqual([400, expected]);
    expect((await catalog.call('admin', 'GET', `/v1/categories/${id}`)).body.productCount).toBe(0);
  });

  it.each([
    ['anonymous', 401, 'authentication_required'],
    ['retail', 403, 'role_required'],
    ['trade', 403, 'role_required'],
  ] as const)('is, like every write, not for %s', async (who, status, code) => {
    const { id } = await catalog.product();
    for (const [method, path, body] of [
      ['POST', '/v1/products', { sku: 'X', name: 'X', price: eur(1) }],
      ['PATCH', `/v1/products/${id}`, { name: 'X' }],
      ['DELETE', `/v1/products/${id}`, undefined],
      ['POST', `/v1/products/${id}/stock`, { change: 1 }],
    ] as const) {
      const answer = await catalog.call(who, method, path, body);
      expect([method, answer.status, answer.body.code]).toEqual([method, status, code]);
    }
  });
});

describe('reading a product', () => {
  it('shows the trade price to trade accounts and administrators alone', async () => {
    const category = await catalog.category();
    const { id } = await catalog.product({ tradePrice: eur(700), categoryIds: [category.id] });
    for (const [who, sees] of [
      ['anonymous', false],
      ['retail', false],
      ['trade', true],
      ['admin', true],
    ] as const) {
      const one = await catalog.call(who, 'GET', `/v1/products/${id}`);
      const many = await catalog.call(who, 'GET', `/v1/products?category=${category.id}`);
      for (const answer of [one, many]) expect(JSON.stringify(answer.body).includes('tradePrice')).toBe(sees);
      expect(one.headers.get('vary')).toContain('Authorization');
      expect(many.body.data[0].tradePrice).toEqual(sees ? eur(700) : undefined);
    }
  });

  it('hides what is not active from all but administrators', async () => {
    const { id } = await catalog.product({ status: 'draft', name: 'Secret draft' });
    for (const who of ['anonymous', 'retail', 'trade'] as const) {
      expect((await catalog.call(who, 'GET', `/v1/products/${id}`)).status).toBe(404);
      expect((await catalog.call(who, 'GET', '/v1/products?q=secret')).body.data).toEqual([]);
      expect((await catalog.call(who, 'GET', '/v1/products?status=draft')).status).toBe(403);
      expect((await catalog.call(who, 'GET', '/v1/products?status=active')).status).toBe(200);
    }
    expect((await catalog.call('admin', 'GET', `/v1/products/${id}`)).status).toBe(200);
    expect((await catalog.call('admin', 'GET', '/v1/products?q=secret&status=draft')).body.data).toHaveLength(1);
    expect((await catalog.call('admin', 'GET', '/v1/products?q=secret')).body.data).toHaveLength(1);
  });

  it('knows nothing of ids that are malformed or absent', async () => {
    for (const id of ['prod_1', newId('prod'), newId('cat'), '%00', '{}'])
      expect((await catalog.call('admin', 'GET', `/v1/products/${id}`)).status).toBe(404);
  });

  it('answers 304 to who has this version', async () => {
    const { id } = await catalog.product();
    const { headers } = await catalog.call('anonymous', 'GET', `/v1/products/${id}`);
    const again = await catalog.call('anonymous', 'GET', `/v1/products/${id}`, undefined, {
      'if-none-match': headers.get('etag') ?? '',
    });
    expect(again.status).toBe(304);
  });
});

describe('changing a product', () => {
  it('changes nothing where a client sends back the pictures that it has read', async () => {
    const read = await catalog.product({ images: [{ url: '/v1/products/images/mug.svg', alt: '' }] });
    const change = { images: read.images };
    const answer = await catalog.call('admin', 'PATCH', `/v1/products/${read.id}`, change, { 'if-match': '"1"' });
    expect([answer.status, answer.headers.get('etag'), answer.body.images]).toEqual([200, '"1"', read.images]);
  });

  it('publishes it once, and not where nothing differs', async () => {
    const product = await catalog.product();
    const path = `/v1/products/${product.id}`;
    const changed = await catalog.call('admin', 'PATCH', path, {
      name: 'Renamed',
      price: eur(900),
      status: 'archived',
    });
    expect(changed.body).toMatchObject({ name: 'Renamed', price: eur(900), slug: product.slug });
    const same = await catalog.call('admin', 'PATCH', path, { name: 'Renamed' });
    expect(same.headers.get('etag')).toBe(changed.headers.get('etag'));
    await catalog.call('admin', 'PATCH', path, { stock: 5 });
    const events = await eventually(() => {
      const found = catalog.eventsOf(product.id);
      return found.length === 3 && found;
    }, 'the events of the product');
    expect(events || []).toMatchObject([
      { type: 'catalog.product-created', sequence: 1 },
      { type: 'catalog.product-changed', sequence: 2, data: { name: 'Renamed', price: eur(900), available: false } },
      { type: 'catalog.stock-changed', sequence: 3, data: { stock: 5, change: 5, reason: null, available: false } },
    ]);
  });

  it('frees SKU and slug that it no longer has', async () => {
    const product = await catalog.product({ sku: 'OLD-SKU', slug: 'old-slug' });
    const path = `/v1/products/${product.id}`;
    await catalog.call('admin', 'PATCH', path, { sku: 'NEW-SKU', slug: 'new-slug' });
    await catalog.product({ sku: 'OLD-SKU', slug: 'old-slug' });
    const sku = await catalog.call('admin', 'PATCH', path, { sku: 'old-sku' });
    const slug = await catalog.call('admin', 'PATCH', path, { slug: 'old-slug' });
    expect([sku.body.code, slug.body.code]).toEqual(['sku_taken', 'slug_taken']);
    expect((await catalog.call('admin', 'PATCH', path, { sku: 'New-Sku' })).body.sku).toBe('New-Sku');
  });

  it('honours If-Match, refuses an empty change and unknown ids', async () => {
    const { id } = await catalog.product();
    const path = `/v1/products/${id}`;
    expect((await catalog.call('admin', 'PATCH', path, { name: 'X' }, { 'if-match': '"5"' })).status).toBe(412);
    expect((await catalog.call('admin', 'DELETE', path, undefined, { 'if-match': '"5"' })).status).toBe(412);
    expect((await catalog.call('admin', 'PATCH', path, {})).status).toBe(400);
    expect((await catalog.call('admin', 'PATCH', path, { id: newId('prod') })).status).toBe(400);
    expect((await catalog.call('admin', 'PATCH', `/v1/products/${newId('prod')}`, { name: 'X' })).status).toBe(404);
  });
});

describe('deleting a product', () => {
  it('takes it out of lists, counts and uniqueness, and publishes it', async () => {
    const category = await catalog.category();
    const sku = newId('prod').toUpperCase();
    const product = await catalog.product({ sku, categoryIds: [category.id] });
    const answer = await catalog.call('admin', 'DELETE', `/v1/products/${product.id}`);
    expect([answer.status, answer.body]).toEqual([204, null]);
    expect((await catalog.call('admin', 'DELETE', `/v1/products/${product.id}`)).status).toBe(404);
    expect((await catalog.call('admin', 'GET', `/v1/products/${product.id}`)).status).toBe(404);
    expect((await catalog.call('admin', 'GET', `/v1/products?category=${category.slug}`)).body.data).toEqual([]);
    expect((await catalog.call('admin', 'DELETE', `/v1/categories/${category.id}`)).status).toBe(200);
    await catalog.product({ sku });
    const event = await eventually(() => catalog.eventsOf(product.id)[1], 'the event of the deletion');
    expect(event).toMatchObject({
      type: 'catalog.product-deleted',
      sequence: 2,
      data: { id: product.id, sku, name: product.name },
    });
  });
});

describe('the stock of a product', () => {
  const take = (id: string, change: number, headers = {}) =>
    catalog.call('admin', 'POST', `/v1/products/${id}/stock`, { change, reason: 'sold' }, headers);

  it('lets 10 of 50 through that take one of 10 at once', async () => {
    const { id } = await catalog.product({ stock: 10 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => take(id, -1)));
    expect(statuses(answers)).toEqual({ 200: 10, 422: 40 });
    expect(answers.find(({ status }) => status === 422)?.body.code).toBe('insufficient_stock');
    expect((await catalog.call('anonymous', 'GET', `/v1/products/${id}`)).body.stock).toBe(0);
    const events = await eventually(() => {
      const found = catalog.eventsOf(id).filter(({ type }) => type === 'catalog.stock-changed');
      return found.length >= 10 && found;
    }, 'the events of ten takes');
    const left = (events || []).map(({ data }) => (data as { stock: number }).stock);
    expect(left.toSorted((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('answers the product, and publishes how many and why', async () => {
    const { id } = await catalog.product({ stock: 1 });
    const answer = await take(id, 4);
    expect([answer.status, answer.body.stock]).toEqual([200, 5]);
    const event = await eventually(() => catalog.eventsOf(id)[1], 'the event of the stock');
    expect(event).toMatchObject({
      type: 'catalog.stock-changed',
      sequence: 2,
      data: { stock: 5, change: 4, reason: 'sold', available: true },
    });
  });

  it('changes once for one Idempotency-Key, also where the first answer was lost', async () => {
    const { id } = await catalog.product({ stock: 10 });
    const key = { 'idempotency-key': 'take-once' };
    const answers = await Promise.all(Array.from({ length: 5 }, () => take(id, -2, key)));
    expect(answers.map(({ status, body }) => [status, body.stock])).toEqual(Array.from({ length: 5 }, () => [200, 8]));
    await loseAnswers();
    expect((await take(id, -2, key)).body.stock).toBe(8);
    const reused = await take(id, -3, key);
    expect([reused.status, reused.body.code]).toEqual([422, 'idempotency_key_reused']);
  });

  /** As if the service had died between the change and the keeping of its answer. */
  const loseAnswers = () =>
    catalog.connection.collection('idempotency_keys').updateMany({}, { $set: { answer: null, holder: '' } });
  const stockOf = async (id: string) => (await catalog.collection('products').findOne({ _id: id })).stock;

  it('changes once for one Idempotency-Key, however many changes there were in between', async () => {
    const { id } = await catalog.product({ stock: 1000 });
    const key = { 'idempotency-key': 'take-once-in-a-day' };
    expect((await take(id, -100, key)).body.stock).toBe(900);
    for (let batch = 0; batch < 20; batch += 1)
      await times(10, (index) => take(id, -1, { 'idempotency-key': `other-${batch}-${index}` }));
    await loseAnswers();
    expect((await take(id, -100, key)).body.stock).toBe(700);
    expect((await catalog.collection('products').findOne({ _id: id })).stockKeys.length).toBeLessThanOrEqual(50);
    const moves = catalog.collection('stock_moves');
    expect(await moves.countDocuments()).toBeGreaterThanOrEqual(150);
    const first = await moves.findOne();
    const hours = (first.expiresAt.getTime() - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(24.5);
  });

  it('changes once for each key while 50 come at once, half of them under one', async () => {
    const { id } = await catalog.product({ stock: 1000 });
    for (let batch = 0; batch < 4; batch += 1)
      await times(12, (index) => take(id, -1, { 'idempotency-key': `before-${batch}-${index}` }));
    await loseAnswers();
    const answers = await times(50, (index) =>
      take(id, -1, { 'idempotency-key': index % 2 === 0 ? 'before-0-0' : `at-once-${index}` }),
    );
    expect(statuses(answers)).toEqual({ 200: 50 });
    expect(await stockOf(id)).toBe(1000 - 48 - 25);
    await loseAnswers();
    await times(50, (index) =>
      take(id, -1, { 'idempotency-key': index % 2 === 0 ? 'before-0-0' : `at-once-${index}` }),
    );
    expect(await stockOf(id)).toBe(1000 - 48 - 25);
  });

  it('goes on where it was killed between storing old keys and saving the product', async () => {
    const { id } = await catalog.product({ stock: 1000 });
    for (let batch = 0; batch < 5; batch += 1)
      await times(10, (index) => take(id, -1, { 'idempotency-key': `early-${batch}-${index}` }));
    const { stockKeys } = await catalog.collection('products').findOne({ _id: id });
    expect(stockKeys).toHaveLength(50);
    const moved = stockKeys.slice(24).map((_id: string) => ({ _id, expiresAt: new Date(Date.now() + 60_000) }));
    await catalog.collection('stock_moves').insertMany(moved);
    expect((await take(id, -1, { 'idempotency-key': 'the-next' })).body.stock).toBe(949);
    await loseAnswers();
    for (const key of ['early-0-0', 'early-4-9', 'the-next'])
      expect((await take(id, -1, { 'idempotency-key': key })).body.stock).toBe(949);
  });

  it('refuses no change, a broken number and unknown products', async () => {
    const { id } = await catalog.product();
    for (const change of [0, 1.5, '1', null, 10_000_000]) expect((await take(id, change as number)).status).toBe(400);
    expect((await take(newId('prod'), 1)).status).toBe(404);
  });
});
