import { newId } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anonymous, eur, person, sales, startOrders, statuses, times, wrongFields, type Harness } from './harness.ts';

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let orders: Harness;
beforeAll(async () => {
  orders = await startOrders();
});
afterAll(() => orders.close());

const options = '/v1/shipping-options';

describe('shipping options', () => {
  const parcel = { name: 'Parcel', countries: ['DE', 'AT'], price: eur(495), freeFrom: eur(5000) };

  it('are created, read, changed and deleted by staff, and each change is audited', async () => {
    const made = await orders.call(sales, 'POST', options, { ...parcel, deliveryDays: { min: 2, max: 4 } });
    expect(made.status).toBe(201);
    const { id } = made.body;
    expect(made.body).toEqual({
      ...parcel,
      id: expect.stringMatching(/^shopt_/),
      tiers: ['retail', 'trade'],
      deliveryDays: { min: 2, max: 4 },
      active: true,
      createdAt: expect.stringMatching(time),
      updatedAt: expect.stringMatching(time),
    });
    const path = `${options}/${id}`;
    expect([made.headers.get('location'), made.headers.get('etag')]).toEqual([path, '"1"']);

    const changed = await orders.call(sales, 'PATCH', path, { countries: null, freeFrom: null, price: eur(595) });
    expect(changed.body).toMatchObject({ name: 'Parcel', countries: null, freeFrom: null, price: eur(595) });
    expect(changed.headers.get('etag')).toBe('"2"');
    expect((await orders.call(sales, 'GET', path)).body).toEqual(changed.body);
    const stale = await orders.call(sales, 'PATCH', path, { name: 'Letter' }, { 'if-match': '"1"' });
    expect([stale.status, stale.body.code]).toEqual([412, 'version_mismatch']);
    expect((await orders.call(sales, 'GET', options)).body).toMatchObject({ data: [{ id }], nextCursor: null });

    expect((await orders.call(sales, 'DELETE', path)).status).toBe(204);
    for (const [method, body] of [['GET'], ['PATCH', { name: 'Letter' }], ['DELETE']] as const)
      expect((await orders.call(sales, method, path, body)).status).toBe(404);
    await eventually(() => orders.eventsOf(id).length === 3, 'an entry of the audit log for each change');
    expect(orders.eventsOf(id).map(({ data }) => [data.action, data.actor.userId, data.details])).toEqual([
      ['shipping-option-created', sales.id, { name: 'Parcel' }],
      ['shipping-option-changed', sales.id, { name: 'Parcel', fields: 'countries, price, freeFrom' }],
      ['shipping-option-deleted', sales.id, { name: 'Parcel' }],
    ]);
  });

  it('name every wrong field', async () => {
    const wrong = await orders.call(sales, 'POST', options, {
      name: ' ',
      countries: ['XX'],
      price: { amount: 1, currency: 'CHF' },
      freeFrom: { amount: 1, currency: 'USD' },
      tiers: [],
      deliveryDays: { min: 3, max: 2 },
      active: 'yes',
      colour: 'blue',
    });
    expect([wrong.status, wrongFields(wrong)]).toEqual([
      400,
      {
        '/name': 'too_small',
        '/countries/0': 'invalid_value',
        '/price/currency': 'other_currency',
        '/freeFrom/currency': 'other_currency',
        '/tiers': 'too_small',
        '/deliveryDays': 'invalid_value',
        '/active': 'invalid_type',
        '/colour': 'unknown_field',
      },
    ]);
  });

  it('are a hundred at most, also of requests at once; a repeated request makes one', async () => {
    const key = { 'idempotency-key': newId('evt') };
    const twice = await times(2, () => orders.call(sales, 'POST', options, parcel, key));
    expect(twice[0]?.body.id).toBe(twice[1]?.body.id);
    const answers = await times(110, () => orders.call(sales, 'POST', options, parcel));
    expect(statuses(answers)).toEqual({ 201: 99, 422: 11 });
    expect(answers.find(({ status }) => status === 422)?.body.code).toBe('too_many_shipping_options');
    const seen = new Set<string>();
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: { data: { id: string }[]; nextCursor: string | null } = (
        await orders.call(sales, 'GET', `${options}?limit=40${cursor && `&cursor=${cursor}`}`)
      ).body;
      for (const { id } of page.data) seen.add(id);
      cursor = page.nextCursor;
    }
    expect(seen.size).toBe(100);
  });
});

describe('tax rates', () => {
  const rates = '/v1/tax-rates';

  it('begin with that of the operator, and are replaced as a whole', async () => {
    const fresh = await orders.call(sales, 'GET', rates);
    expect(fresh.body).toEqual({
      rates: [{ country: 'DE', standard: 19, reduced: null, zero: 0 }],
      updatedAt: null,
    });
    const tag = fresh.headers.get('etag') ?? '';
    const body = {
      rates: [
        { country: 'NL', standard: 21, reduced: 9 },
        { country: 'DE', standard: 19.5, reduced: 7.25, zero: 0 },
      ],
    };
    const put = await orders.call(sales, 'PUT', rates, body, { 'if-match': tag });
    expect([put.status, put.body]).toEqual([
      200,
      {
        rates: [
          { country: 'DE', standard: 19.5, reduced: 7.25, zero: 0 },
          { country: 'NL', standard: 21, reduced: 9, zero: 0 },
        ],
        updatedAt: expect.stringMatching(time),
      },
    ]);
    expect((await orders.call(sales, 'GET', rates)).body).toEqual(put.body);
    expect((await orders.call(sales, 'PUT', rates, body, { 'if-match': tag })).status).toBe(412);
    await eventually(() => orders.eventsOf('all').length === 1, 'the entry of the audit log');
    expect(orders.eventsOf('all')[0]?.data).toMatchObject({ action: 'tax-rates-set', details: { countries: 2 } });
  });

  it('name every wrong field, and want the country of the shop', async () => {
    const wrong = await orders.call(sales, 'PUT', rates, {
      rates: [
        { country: 'NL', standard: 21.123, reduced: 101 },
        { country: 'XX', standard: -1 },
      ],
    });
    expect(wrongFields(wrong)).toEqual({
      '/rates/0/standard': 'invalid_value',
      '/rates/0/reduced': 'too_big',
      '/rates/1/country': 'invalid_value',
      '/rates/1/standard': 'too_small',
    });
    const abroad = await orders.call(sales, 'PUT', rates, { rates: [{ country: 'NL', standard: 21 }] });
    expect(wrongFields(abroad)).toEqual({ '/rates': 'seller_country_required' });
    const twice = await orders.call(sales, 'PUT', rates, {
      rates: [
        { country: 'DE', standard: 19 },
        { country: 'DE', standard: 19 },
      ],
    });
    expect(wrongFields(twice)).toEqual({ '/rates': 'invalid_value' });
  });
});

it('keeps the settings from everybody else', async () => {
  const calls = [
    ['GET', options],
    ['POST', options, {}],
    ['GET', '/v1/tax-rates'],
    ['PUT', '/v1/tax-rates', {}],
  ] as const;
  for (const [method, path, body] of calls) {
    expect((await orders.call(anonymous, method, path, body)).status).toBe(401);
    expect((await orders.call(person(), method, path, body)).status).toBe(403);
  }
});
