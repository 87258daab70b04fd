import { auditEvents, type AuditRecord } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCatalog, type Harness } from './harness.ts';

let catalog: Harness;
beforeAll(async () => {
  catalog = await startCatalog({}, [auditEvents.catalog]);
});
afterAll(() => catalog.close());

const headers = { 'x-client-ip': '203.0.113.7', 'user-agent': 'Firefox/148.0' };
const call = (method: string, path: string, body?: unknown, more = {}) =>
  catalog.call('admin', method, path, body, { ...headers, ...more });
const eur = (amount: number) => ({ amount, currency: 'EUR' });

/** The audit log's entries about the object, once there are so many; in their order. */
async function audited(id: string, count: number): Promise<AuditRecord[]> {
  const found = await eventually(() => {
    const events = catalog.eventsOf(id);
    return events.length >= count ? events : null;
  }, `${count} audited actions of ${id}`);
  const sorted = found.toSorted((one, other) => one.sequence - other.sequence);
  return sorted.map(({ data }) => data as AuditRecord);
}
const summaryOf = (records: readonly AuditRecord[]) => records.map(({ action, details }) => [action, details]);

describe('the audit entries of a variant', () => {
  it('name it by its SKU', async () => {
    const options = [{ name: 'Size', values: ['S', 'M'] }];
    const product = {
      sku: 'AUD-V',
      name: 'Shirt',
      price: eur(1000),
      options,
      variants: [{ sku: 'AUD-S', values: ['S'] }],
    };
    const { body } = await call('POST', '/v1/products', product);
    const path = `/v1/products/${body.id}/variants`;
    await call('POST', path, { sku: 'AUD-M', values: ['M'], stock: 2 });
    const small = `${path}/${body.variants[0].id}`;
    await call('PATCH', small, { price: eur(500), stock: 9, status: 'archived' });
    await call('POST', `${small}/stock`, { change: 1 });
    await call('DELETE', small);
    const ofPrice = { tradePrice: null, currency: 'EUR', priceWas: null, tradePriceWas: null, currencyWas: null };
    const summary = summaryOf(await audited(body.id, 7)).slice(1);
    expect(summary).toHaveLength(6);
    expect(summary).toEqual(
      expect.arrayContaining([
        ['variant-created', { sku: 'AUD-M', values: 'M', stock: 2 }],
        ['stock-changed', { sku: 'AUD-S', change: 9, stock: 9 }],
        ['price-changed', { sku: 'AUD-S', price: 500, ...ofPrice }],
        ['variant-changed', { sku: 'AUD-S', fields: 'status' }],
        ['stock-changed', { sku: 'AUD-S', change: 1, stock: 10, reason: null }],
        ['variant-deleted', { sku: 'AUD-S', values: 'S', stock: 10 }],
      ]),
    );
  });
});

describe('the audit entry of a product', () => {
  it('is who did what to it, from where, with the prices before and after', async () => {
    const product = { sku: 'AUD-1', name: 'Mug', price: eur(1999), stock: 5, status: 'active' };
    const { body } = await call('POST', '/v1/products', product);
    const path = `/v1/products/${body.id}`;
    await call('PATCH', path, { price: eur(2499), name: 'Blue mug' });
    await call('PATCH', path, { price: eur(2499) });
    await call('POST', `${path}/stock`, { change: -2, reason: 'broken' });
    await call('DELETE', path);
    const records = await audited(body.id, 5);
    expect(summaryOf(records)).toEqual([
      [
        'product-created',
        { sku: 'AUD-1', name: 'Mug', status: 'active', stock: 5, price: 1999, tradePrice: null, currency: 'EUR' },
      ],
      [
        'price-changed',
        {
          sku: 'AUD-1',
          price: 2499,
          tradePrice: null,
          currency: 'EUR',
          priceWas: 1999,
          tradePriceWas: null,
          currencyWas: 'EUR',
        },
      ],
      ['product-changed', { sku: 'AUD-1', fields: 'name' }],
      ['stock-changed', { sku: 'AUD-1', change: -2, stock: 3, reason: 'broken' }],
      ['product-deleted', { sku: 'AUD-1', name: 'Blue mug' }],
    ]);
    for (const record of records)
      expect(record).toMatchObject({
        actor: {
          userId: catalog.callers.admin.sub,
          role: 'admin',
          ip: headers['x-client-ip'],
          device: headers['user-agent'],
        },
        object: { type: 'product', id: body.id },
        about: null,
        outcome: 'done',
        reason: null,
      });
  });

  it('is one thing for one Idempotency-Key, and nothing where nothing changes', async () => {
    const { id } = await catalog.product();
    const key = { 'idempotency-key': 'stock-once' };
    await call('POST', `/v1/products/${id}/stock`, { change: 3 }, key);
    await call('POST', `/v1/products/${id}/stock`, { change: 3 }, key);
    expect((await call('POST', `/v1/products/${id}/stock`, { change: -30 })).status).toBe(422);
    await call('DELETE', `/v1/products/${id}`);
    const actions = (await audited(id, 3)).map(({ action }) => action);
    expect(actions).toEqual(['product-created', 'stock-changed', 'product-deleted']);
  });
});

it('has an entry for each category that is created, changed, or deleted with another', async () => {
  const above = await catalog.category({ name: 'Above' });
  const below = await catalog.category({ name: 'Below', parentId: above.id });
  await catalog.product({ categoryIds: [below.id] });
  await call('PATCH', `/v1/categories/${above.id}`, { name: 'Over' });
  await call('DELETE', `/v1/categories/${above.id}?strategy=cascade`);
  expect(summaryOf(await audited(above.id, 3))).toEqual([
    ['category-created', { name: 'Above', slug: 'above' }],
    ['category-changed', { name: 'Over', slug: 'above', fields: 'name' }],
    ['category-deleted', { name: 'Over', slug: 'above', requested: above.id }],
  ]);
  expect(summaryOf(await audited(below.id, 2))).toEqual([
    ['category-created', { name: 'Below', slug: 'below' }],
    ['category-deleted', { name: 'Below', slug: 'below', requested: above.id }],
  ]);
});
