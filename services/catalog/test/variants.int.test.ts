import { newId } from '@storefront/contracts';
import { eventually, times } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiUrl, startCatalog, statuses, wrongFields, type Harness } from './harness.ts';

let catalog: Harness;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.close());

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const sizes = { name: 'Size', values: ['S', 'M', 'L'] };
let made = 0;

/** A product in the sizes S and M, with 5 and 7 in stock; M has prices of its own. */
async function shirt(fields: Parameters<Harness['product']>[0] = {}) {
  made += 1;
  const prices = { price: eur(1200), tradePrice: eur(800) };
  const variants = [
    { sku: `SH-${made}-S`, values: ['S'], stock: 5 },
    { sku: `SH-${made}-M`, values: ['M'], stock: 7, ...prices, weight: 300, image: '/v1/products/images/m.svg' },
  ];
  const product = await catalog.product({
    sku: `SH-${made}`,
    tradePrice: eur(900),
    options: [sizes],
    ...fields,
    variants,
  });
  const [small, medium] = product.variants;
  if (!small || !medium) throw new Error('the product has no variants');
  const path = `/v1/products/${product.id}`;
  return { product, path, small, medium, pathOf: (id: string) => `${path}/variants/${id}` };
}
/** As if the service had died between a change and the keeping of its answer. */
const loseAnswers = () =>
  catalog.connection.collection('idempotency_keys').updateMany({}, { $set: { answer: null, holder: '' } });
const read = async (path: string, who: 'anonymous' | 'trade' | 'admin' = 'admin') =>
  (await catalog.call(who, 'GET', path)).body;

describe('a product with variants', () => {
  it('is answered and published with each of them', async () => {
    const { product, path } = await shirt();
    expect(product).toMatchObject({
      stock: 12,
      price: eur(1000),
      priceRange: { min: eur(1000), max: eur(1200) },
      options: [sizes],
    });
    const ids = expect.stringMatching(/^var_/);
    const none = { price: null, tradePrice: null, quantityPrices: null, weight: null, image: null, reserved: 0 };
    expect(product.variants).toEqual([
      { id: ids, sku: `${product.sku}-S`, values: ['S'], stock: 5, ...none, status: 'active' },
      {
        id: ids,
        sku: `${product.sku}-M`,
        values: ['M'],
        price: eur(1200),
        tradePrice: eur(800),
        quantityPrices: null,
        stock: 7,
        reserved: 0,
        weight: 300,
        image: `${apiUrl}/v1/products/images/m.svg`,
        status: 'active',
      },
    ]);
    expect(await read(path)).toEqual(product);
    const event = await eventually(() => catalog.eventsOf(product.id)[0], 'the event of the new product');
    expect(event).toMatchObject({
      data: {
        stock: 12,
        options: [sizes],
        variants: [{ price: eur(1000), tradePrice: eur(900) }, { price: eur(1200) }],
      },
    });
  });

  it('shows the trade prices of variants to trade accounts and staff, and archived ones to staff', async () => {
    const { path, pathOf, small } = await shirt();
    await catalog.call('admin', 'PATCH', pathOf(small.id), { status: 'archived' });
    for (const [who, seesTrade, seen] of [
      ['anonymous', false, 1],
      ['trade', true, 1],
      ['admin', true, 2],
    ] as const) {
      const product = await read(path, who);
      expect([JSON.stringify(product).includes('tradePrice'), product.variants.length]).toEqual([seesTrade, seen]);
      expect(product).toMatchObject({ stock: 7, priceRange: { min: eur(1200), max: eur(1200) } });
    }
  });

  it('is found and sorted by the lowest price of an active one', async () => {
    const { id } = await catalog.category();
    const cheap = await shirt({ categoryIds: [id], price: eur(300) });
    await catalog.product({ name: 'Middle', categoryIds: [id], price: eur(500) });
    const names = async (query: string) =>
      (await read(`/v1/products?category=${id}&${query}`, 'anonymous')).data.map(({ name }: { name: string }) => name);
    expect(await names('sort=price')).toEqual([cheap.product.name, 'Middle']);
    expect(await names('sort=newest&maxPrice=300')).toEqual([cheap.product.name]);
    await catalog.call('admin', 'PATCH', cheap.pathOf(cheap.small.id), { status: 'archived' });
    expect(await names('sort=price')).toEqual(['Middle', cheap.product.name]);
    expect(await names('minPrice=1200')).toEqual([cheap.product.name]);
  });

  it('names every wrong field of them', async () => {
    const variant = { sku: 'W-1', values: ['S'] };
    const usd = { amount: 1, currency: 'USD' };
    for (const [fields, pointers] of [
      [{ variants: [variant] }, ['/options', '/variants/0/values']],
      [
        {
          options: [sizes],
          stock: 1,
          variants: [
            variant,
            { sku: 'w-1', values: ['S'] },
            { sku: 'W-2', values: ['XL'] },
            { sku: 'W-3', values: [] },
          ],
        },
        ['/stock', '/variants/1/sku', '/variants/1/values', '/variants/2/values', '/variants/3/values'],
      ],
      [{ options: [sizes], variants: [{ ...variant, status: 'archived' }] }, ['/variants']],
      [{ options: [sizes], variants: [{ ...variant, price: usd }] }, ['/variants/0/price/currency']],
      [{ options: [sizes, { name: 'size', values: ['x', 'X'] }] }, ['/options', '/options/1/values']],
      [{ options: [sizes], variants: [{ ...variant, id: newId('var') }] }, ['/variants/0/id']],
    ] as const) {
      const product = { sku: 'WRONG', name: 'Wrong', price: eur(1), ...fields };
      const answer = await catalog.call('admin', 'POST', '/v1/products', product);
      expect([answer.status, new Set(Object.keys(wrongFields(answer)))]).toEqual([400, new Set(pointers)]);
    }
  });
});

describe('the options of a product', () => {
  it('make it the first of its variants, which keeps id, SKU and stock', async () => {
    const plain = await catalog.product({ stock: 3 });
    const path = `/v1/products/${plain.id}`;
    const [own] = plain.variants;
    expect(plain.variants).toMatchObject([{ id: expect.stringMatching(/^var_/), sku: plain.sku, stock: 3 }]);
    const { body } = await catalog.call('admin', 'PATCH', path, { options: [sizes] });
    expect(body.variants).toMatchObject([{ id: own?.id, sku: plain.sku, values: ['S'], stock: 3, price: null }]);
    const stock = await catalog.call('admin', 'POST', `${path}/stock`, { change: -1 });
    const counted = await catalog.call('admin', 'PATCH', path, { stock: 5 });
    for (const answer of [stock, counted]) expect([answer.status, answer.body.code]).toEqual([422, 'variant_required']);
    const used = await catalog.call('admin', 'PATCH', path, { options: [{ name: 'Size', values: ['M'] }] });
    expect([used.status, used.body.code]).toEqual([409, 'option_in_use']);
  });
});

describe('changing the variants of a product', () => {
  it('adds one, once for one Idempotency-Key, also where the first answer was lost', async () => {
    const { path, product } = await shirt();
    const body = { sku: `${product.sku}-L`, values: ['L'], stock: 2, price: eur(400) };
    const add = () =>
      catalog.call('admin', 'POST', `${path}/variants`, body, { 'idempotency-key': `add-${product.id}` });
    const answers = await times(5, add);
    expect(statuses(answers)).toEqual({ 201: 5 });
    expect(answers[0]?.headers.get('location')).toBe(path);
    await loseAnswers();
    expect((await add()).status).toBe(201);
    const found = await read(path);
    expect(found).toMatchObject({ stock: 14, priceRange: { min: eur(400) } });
    expect(found.variants.map(({ values }: { values: string[] }) => values)).toEqual([['S'], ['M'], ['L']]);
    expect((await catalog.collection('products').findOne({ _id: product.id })).lowestPrice).toBe(400);
  });

  it('refuses values and SKUs that are taken, what does not fit, and what is not there', async () => {
    const { path, pathOf, product, small, medium } = await shirt();
    const other = await shirt();
    const plain = await catalog.product();
    const own = `/v1/products/${plain.id}/variants/${plain.variants[0]?.id}`;
    for (const [method, at, body, status, code] of [
      ['POST', `${path}/variants`, { sku: 'NEW', values: ['S'] }, 409, 'variant_exists'],
      ['POST', `${path}/variants`, { sku: small.sku.toLowerCase(), values: ['L'] }, 409, 'sku_taken'],
      ['POST', `${path}/variants`, { sku: other.small.sku, values: ['L'] }, 409, 'sku_taken'],
      ['POST', `${path}/variants`, { sku: plain.sku, values: ['L'] }, 409, 'sku_taken'],
      ['POST', `${path}/variants`, { sku: 'NEW', values: ['XL'] }, 400, 'validation_failed'],
      ['POST', `/v1/products/${plain.id}/variants`, { sku: 'NEW', values: [] }, 409, 'variant_exists'],
      ['POST', `/v1/products/${newId('prod')}/variants`, { sku: 'NEW', values: [] }, 404, 'not_found'],
      ['PATCH', pathOf(small.id), { values: ['M'] }, 409, 'variant_exists'],
      ['PATCH', pathOf(small.id), { sku: medium.sku }, 409, 'sku_taken'],
      ['PATCH', pathOf(small.id), { price: { amount: 1, currency: 'USD' } }, 400, 'validation_failed'],
      ['PATCH', pathOf(small.id), {}, 400, 'validation_failed'],
      ['PATCH', pathOf(other.small.id), { stock: 1 }, 404, 'not_found'],
      ['PATCH', own, { stock: 1 }, 422, 'is_own_variant'],
      ['DELETE', own, undefined, 422, 'last_variant'],
      ['POST', `${pathOf(newId('var'))}/stock`, { change: 1 }, 404, 'not_found'],
      ['POST', `${pathOf(small.id)}/stock`, { change: -6 }, 422, 'insufficient_stock'],
    ] as const) {
      const answer = await catalog.call('admin', method, at, body);
      expect([method, at, answer.status, answer.body.code]).toEqual([method, at, status, code]);
    }
    const product2 = { sku: small.sku, name: 'X', price: eur(1) };
    expect((await catalog.call('admin', 'POST', '/v1/products', product2)).body.code).toBe('sku_taken');
    expect((await catalog.call('admin', 'PATCH', `/v1/products/${plain.id}`, { sku: small.sku })).body.code).toBe(
      'sku_taken',
    );
    expect(await read(path)).toEqual(product);
  });

  it('keeps one that is active, and frees the SKUs of those that are gone', async () => {
    const { path, pathOf, small, medium } = await shirt();
    expect((await catalog.call('admin', 'DELETE', pathOf(small.id))).status).toBe(204);
    await catalog.product({ sku: small.sku });
    const last = await catalog.call('admin', 'DELETE', pathOf(medium.id));
    const archived = await catalog.call('admin', 'PATCH', pathOf(medium.id), { status: 'archived' });
    for (const answer of [last, archived]) expect([answer.status, answer.body.code]).toEqual([422, 'last_variant']);
    expect((await catalog.call('admin', 'DELETE', path)).status).toBe(204);
    await catalog.product({ sku: medium.sku });
  });

  it('loses nothing where editors change different variants at once', async () => {
    const values = Array.from({ length: 10 }, (_, index) => `${index}`);
    const { id, sku, variants } = await catalog.product({
      options: [{ name: 'Size', values }],
      variants: values.map((value) => ({ sku: newId('var'), values: [value] })),
    });
    const path = `/v1/products/${id}`;
    const edit = (index: number) =>
      catalog.call('admin', 'PATCH', `${path}/variants/${variants[index]?.id}`, { price: eur(index), stock: index });
    await Promise.all([times(10, edit), catalog.call('admin', 'PATCH', path, { name: 'Renamed' })]);
    expect(await read(path)).toMatchObject({
      sku,
      name: 'Renamed',
      stock: 45,
      variants: values.map((_value, index) => ({ price: eur(index), stock: index })),
    });
  });

  it('honours If-Match', async () => {
    const { pathOf, path, small } = await shirt();
    const old = { 'if-match': '"7"' };
    for (const [method, at, body] of [
      ['PATCH', pathOf(small.id), { stock: 1 }],
      ['DELETE', pathOf(small.id), undefined],
      ['POST', `${pathOf(small.id)}/stock`, { change: 1 }],
      ['POST', `${path}/variants`, { sku: 'NEW-L', values: ['L'] }],
    ] as const)
      expect((await catalog.call('admin', method, at, body, old)).status).toBe(412);
  });

  it.each([
    ['anonymous', 401],
    ['retail', 403],
    ['trade', 403],
  ] as const)('is not for %s', async (who, status) => {
    const { pathOf, path, small } = await shirt();
    for (const [method, at, body] of [
      ['POST', `${path}/variants`, { sku: 'NEW-L', values: ['L'] }],
      ['PATCH', pathOf(small.id), { stock: 1 }],
      ['DELETE', pathOf(small.id), undefined],
      ['POST', `${pathOf(small.id)}/stock`, { change: 1 }],
    ] as const)
      expect((await catalog.call(who, method, at, body)).status).toBe(status);
  });

  it('makes one variant of an SKU that many products are created with at once', async () => {
    const create = (index: number) =>
      catalog.call('admin', 'POST', '/v1/products', {
        sku: `RACE-${index}`,
        name: 'Race',
        price: eur(1),
        options: [sizes],
        variants: [{ sku: index % 2 === 0 ? 'Race-S' : 'RACE-s', values: ['S'] }],
      });
    expect(statuses(await times(10, create))).toEqual({ 201: 1, 409: 9 });
    expect(await catalog.collection('product_skus').countDocuments({ _id: /^RACE-/ })).toBe(2);
  });
});

describe('the stock of a variant', () => {
  it('lets 100 of 1,000 through that take one of 100 at once', async () => {
    const { product, path, pathOf, small } = await shirt();
    await catalog.call('admin', 'PATCH', pathOf(small.id), { stock: 100 });
    const takes = await times(1000, () => catalog.call('admin', 'POST', `${pathOf(small.id)}/stock`, { change: -1 }));
    expect(statuses(takes)).toEqual({ 200: 100, 422: 900 });
    expect(await read(path)).toMatchObject({ stock: 7, variants: [{ stock: 0 }, { stock: 7 }] });
    const events = await eventually(() => {
      const found = catalog.eventsOf(product.id).filter(({ type }) => type === 'catalog.stock-changed');
      return found.length >= 101 && found;
    }, 'the events of a hundred takes');
    const left = (events || []).slice(1).map(({ data }) => data as { stock: number; variantId: string });
    expect(left.map(({ stock }) => stock).toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 7),
    );
    expect(new Set(left.map(({ variantId }) => variantId))).toEqual(new Set([small.id]));
  });

  it('changes once for one Idempotency-Key, also where the first answer was lost', async () => {
    const { pathOf, small, medium } = await shirt();
    const take = (id: string) =>
      catalog.call('admin', 'POST', `${pathOf(id)}/stock`, { change: -2 }, { 'idempotency-key': `take-${small.id}` });
    const stocksOf = async (id: string) => (await take(id)).body.variants.map(({ stock }: { stock: number }) => stock);
    expect(await stocksOf(small.id)).toEqual([3, 7]);
    await loseAnswers();
    expect(await stocksOf(small.id)).toEqual([3, 7]);
    expect(await stocksOf(medium.id)).toEqual([3, 5]);
  });

  it('is that of the product where it is the only one', async () => {
    const plain = await catalog.product({ stock: 3 });
    const path = `/v1/products/${plain.id}/variants/${plain.variants[0]?.id}/stock`;
    expect((await catalog.call('admin', 'POST', path, { change: -1 })).body).toMatchObject({
      stock: 2,
      variants: [{ stock: 2 }],
    });
  });
});
