import { newId, type catalogHttp } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCatalog, wrongFields, type Harness } from './harness.ts';

let catalog: Harness;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.close());

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const create = (fields: object) =>
  catalog.call('admin', 'POST', '/v1/products', { sku: newId('prod'), name: 'Lamp', price: eur(1000), ...fields });

it('how a product is sold is answered, and published', async () => {
  const related = await catalog.product();
  const selling = {
    taxClass: 'reduced',
    weight: 350,
    quantityPrices: [
      { from: 10, price: eur(900) },
      { from: 50, price: eur(800) },
    ],
    availableFrom: '2026-12-01T00:00:00.000Z',
    backOrders: { allowed: true, text: 'Ships in two weeks' },
  };
  const kept = { relatedIds: [related.id], lowStockThreshold: 5 };
  const { body } = await create({ ...selling, availableFrom: '2026-12-01T01:00:00+01:00', ...kept });
  expect(body).toMatchObject({ ...selling, ...kept });
  const path = `/v1/products/${body.id}`;
  const seen = (await catalog.call('anonymous', 'GET', path)).body as catalogHttp.ProductBody;
  expect(seen).toMatchObject({ taxClass: 'reduced', backOrders: selling.backOrders, relatedIds: [related.id] });
  expect([seen.quantityPrices, seen.lowStockThreshold]).toEqual([undefined, undefined]);
  const event = await eventually(() => catalog.eventsOf(body.id)[0], 'the event of the new product');
  expect(event.data).toMatchObject(selling);
  const same = await catalog.call('admin', 'PATCH', path, { ...selling, ...kept }, { 'if-match': '"1"' });
  expect([same.status, same.headers.get('etag')]).toEqual([200, '"1"']);
  const other = await catalog.call('admin', 'PATCH', path, { taxClass: 'zero', quantityPrices: [] });
  expect(other.body).toMatchObject({ ...selling, ...kept, taxClass: 'zero', quantityPrices: [] });
});

it('every wrong field of it is named', async () => {
  const [known, gone] = [await catalog.product(), await catalog.product()];
  await catalog.call('admin', 'DELETE', `/v1/products/${gone.id}`);
  const usd = { amount: 1, currency: 'USD' };
  for (const [fields, pointers] of [
    [{ taxClass: 'none', weight: -1, lowStockThreshold: 1.5 }, ['/lowStockThreshold', '/taxClass', '/weight']],
    [{ quantityPrices: [{ from: 1, price: eur(1) }] }, ['/quantityPrices/0/from']],
    [
      {
        quantityPrices: [
          { from: 9, price: eur(1) },
          { from: 5, price: eur(0) },
        ],
      },
      ['/quantityPrices'],
    ],
    [
      {
        quantityPrices: [
          { from: 5, price: eur(5) },
          { from: 9, price: eur(5) },
        ],
      },
      ['/quantityPrices'],
    ],
    [{ quantityPrices: [{ from: 5, price: usd }] }, ['/quantityPrices/0/price/currency']],
    [{ relatedIds: [known.id, gone.id, newId('prod')] }, ['/relatedIds/1', '/relatedIds/2']],
    [{ relatedIds: [gone.id], categoryIds: [newId('cat')] }, ['/categoryIds/0', '/relatedIds/0']],
    [{ relatedIds: [known.id, known.id] }, ['/relatedIds']],
    [{ availableFrom: 'tomorrow', backOrders: { allowed: 'yes' } }, ['/availableFrom', '/backOrders/allowed']],
  ] as const) {
    const answer = await create(fields);
    expect([answer.status, Object.keys(wrongFields(answer)).toSorted()]).toEqual([400, pointers]);
  }
});

it('a related product that is deleted later stays named, and may be sent back', async () => {
  const [one, two] = [await catalog.product(), await catalog.product()];
  const { body } = await create({ relatedIds: [one.id] });
  const path = `/v1/products/${body.id}`;
  await catalog.call('admin', 'DELETE', `/v1/products/${one.id}`);
  expect((await catalog.call('anonymous', 'GET', path)).body.relatedIds).toEqual([one.id]);
  const change = { relatedIds: [two.id, one.id] };
  expect((await catalog.call('admin', 'PATCH', path, change)).body.relatedIds).toEqual(change.relatedIds);
  const own = await catalog.call('admin', 'PATCH', path, { relatedIds: [body.id] });
  expect([own.status, wrongFields(own)]).toEqual([400, { '/relatedIds/0': 'unknown_product' }]);
});

it('a stock that falls to its threshold is published once', async () => {
  const { body } = await create({ stock: 7, lowStockThreshold: 5 });
  for (const change of [-1, -1, -1]) await catalog.call('admin', 'POST', `/v1/products/${body.id}/stock`, { change });
  const ofType = (type: string) => catalog.eventsOf(body.id).filter((event) => event.type === type);
  await eventually(() => ofType('catalog.stock-changed').length === 3, 'the events of three changes');
  const low = await eventually(() => ofType('catalog.stock-low')[0], 'the event of the low stock');
  expect(low.data).toEqual({
    id: body.id,
    variantId: body.variants[0].id,
    sku: body.sku,
    name: 'Lamp',
    values: [],
    stock: 5,
    threshold: 5,
  });
  expect(ofType('catalog.stock-low')).toHaveLength(1);
});
