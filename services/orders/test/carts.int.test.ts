import { newId, ordersEvents } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  anonymous,
  eur,
  person,
  sales,
  startOrders,
  statuses,
  times,
  wrongFields,
  type Harness,
  type NewProduct,
  type Person,
} from './harness.ts';

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let orders: Harness;
beforeAll(async () => {
  orders = await startOrders({ settings: { CARTS_PER_ADDRESS: '60' } });
});
afterAll(() => orders.close());

const carts = '/v1/carts';
const create = (who: Person | null, lines: readonly object[] = [], headers = {}) =>
  orders.call(who, 'POST', carts, { lines }, headers);
const setLine = (who: Person | null, id: string, variantId: string, quantity: number, headers = {}) =>
  orders.call(who, 'PUT', `${carts}/${id}/lines/${variantId}`, { quantity }, headers);
const read = (who: Person | null, id: string) => orders.call(who, 'GET', `${carts}/${id}`);
const quantities = ({ lines }: { lines: { variantId: string; quantity: number }[] }) =>
  lines.map(({ variantId, quantity }) => [variantId, quantity]);

/** A cart with some units of a new product, and the product. */
async function cartWith(who: Person | null, quantity: number): Promise<NewProduct & { readonly id: string }> {
  const product = await orders.newProduct();
  const { body } = await create(who, [{ productId: product.productId, quantity }]);
  return { ...product, id: body.id };
}

it('a cart of a user says once in a quarter of an hour that its lines were changed', async () => {
  const ada = person('trade');
  const { id, variantId } = await cartWith(ada, 2);
  for (const quantity of [3, 4]) expect((await setLine(ada, id, variantId, quantity)).status).toBe(200);
  await orders.idle();
  const { _id: key } = (await orders.collection('carts').findOne({ userId: ada.id })) ?? {};
  const published = orders.eventsOf(String(key), ordersEvents.cartUpdated.type);
  // A test that runs past the end of a quarter of an hour has a second one.
  const quarters = new Set(published.map(({ time }) => Math.floor(Date.parse(time) / 900_000)));
  expect(published.length).toBe(quarters.size);
  expect(published[0]?.data).toEqual({ userId: ada.id, tier: 'trade' });
});

it('a cart that its owner has left for a day is published, for a user of several carts once in 7 days', async () => {
  const [ada, ben] = [person('trade'), person()];
  const first = await cartWith(ada, 2);
  const others = [await cartWith(ada, 1), await cartWith(ben, 3)];
  // Somebody else has the id of the cart.
  await setLine(person(), others[1]?.id ?? '', others[1]?.variantId ?? '', 4);
  const stored = orders.collection('carts');
  const [dayAgo, longer] = [24, 25].map((hours) => new Date(Date.now() - hours * 60 * 60 * 1000));
  await stored.updateMany({ userId: { $in: [ada.id, ben.id] } }, { $set: { updatedAt: dayAgo } });
  await stored.updateOne({ 'lines.productId': first.productId }, { $set: { updatedAt: longer } });
  await eventually(
    async () => (await stored.countDocuments({ userId: ada.id, remindAs: null })) === 2,
    'both carts to be noted as left',
    120_000,
  );
  await orders.idle();
  expect(orders.eventsOf(ada.id, ordersEvents.cartLeft.type).map(({ data }) => data)).toEqual([
    {
      currency: 'EUR',
      lines: [
        {
          productId: first.productId,
          variantId: first.variantId,
          name: 'Mug',
          sku: 'MUG',
          quantity: 2,
          unitPrice: 1450,
        },
      ],
      subtotal: 2900,
    },
  ]);
  expect(orders.eventsOf(ben.id, ordersEvents.cartLeft.type)).toEqual([]);
});

describe('a cart', () => {
  it('has exactly these fields, with the names and prices of the catalog', async () => {
    const availableFrom = '2026-12-01T00:00:00.000Z';
    const backOrders = { allowed: true, text: 'Ships in two weeks' };
    const { productId, variantId } = await orders.newProduct({ availableFrom, backOrders, image: null });
    const made = await create(anonymous, [{ productId, quantity: 2 }]);
    expect(made.status).toBe(201);
    const { id } = made.body;
    expect(made.headers.get('location')).toBe(`/v1/carts/${id}`);
    expect(made.headers.get('etag')).toBe('W/"1"');
    expect(made.body).toEqual({
      id: expect.stringMatching(/^cart_/),
      lines: [
        {
          productId,
          variantId,
          sku: 'MUG',
          name: 'Mug',
          values: [],
          image: null,
          quantity: 2,
          unitPrice: eur(1999),
          subtotal: eur(3998),
          available: 10,
          backOrders,
          availableFrom,
          problem: null,
        },
      ],
      subtotal: eur(3998),
      taxIncluded: true,
      codes: [],
      note: null,
      shippingOptionId: null,
      country: null,
      orderId: null,
      createdAt: expect.stringMatching(time),
      updatedAt: expect.stringMatching(time),
      expiresAt: expect.stringMatching(time),
    });
    const { createdAt, expiresAt } = made.body;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * 24 * 60 * 60 * 1000);
    expect((await read(anonymous, id)).body).toEqual(made.body);
    // What is stored does not say the id.
    const stored = await orders.collection('carts').find({ 'lines.productId': productId }).toArray();
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain(id);
  });

  it('shows trade accounts their prices, by quantity, without tax', async () => {
    const { productId } = await orders.newProduct({
      image: '/v1/products/images/mug.svg',
      quantityPrices: [{ from: 5, price: eur(1200) }],
    });
    const trade = person('trade');
    const { body } = await create(trade, [{ productId, quantity: 5 }]);
    expect(body).toMatchObject({ subtotal: eur(6000), taxIncluded: false });
    expect(body.lines[0]).toMatchObject({
      unitPrice: eur(1200),
      image: 'https://api.example/v1/products/images/mug.svg',
    });
    expect((await read(anonymous, body.id)).body.subtotal).toEqual(eur(9995));
  });

  it('says what is wrong with a line, until it is set again', async () => {
    const { id, productId, variantId } = await cartWith(anonymous, 3);
    const problem = async () => (await read(anonymous, id)).body.lines[0].problem;
    await orders.product(productId, 2, { price: eur(2100) });
    expect(await problem()).toBe('price_changed');
    expect((await setLine(anonymous, id, variantId, 3)).body.lines[0]).toMatchObject({
      unitPrice: eur(2100),
      problem: null,
    });
    await orders.product(productId, 3, { price: eur(2100), stock: 2 });
    expect((await read(anonymous, id)).body.lines[0]).toMatchObject({ problem: 'not_enough_stock', available: 2 });
    await orders.product(productId, 4, { price: eur(2100), status: 'archived' });
    expect((await read(anonymous, id)).body).toMatchObject({
      lines: [{ problem: 'unavailable', available: 0, unitPrice: eur(2100) }],
      subtotal: eur(0),
    });
    expect((await setLine(anonymous, id, variantId, 1)).body.code).toBe('not_found');
    expect((await orders.call(anonymous, 'DELETE', `${carts}/${id}/lines/${variantId}`)).body.lines).toEqual([]);
    expect((await orders.call(anonymous, 'DELETE', `${carts}/${id}/lines/${variantId}`)).status).toBe(404);
  });

  it('names every line that is not for sale, and every wrong field', async () => {
    const shirt = newId('prod');
    const [small, large] = [newId('var'), newId('var')];
    const options = [{ name: 'Size', values: ['S', 'L'] }];
    await orders.product(shirt, 1, {
      options,
      variants: [
        { id: small, values: ['S'] },
        { id: large, values: ['L'] },
      ],
    });
    const { productId } = await orders.newProduct();
    const wrong = await create(anonymous, [
      { productId: newId('prod'), quantity: 1 },
      { productId: shirt, quantity: 1 },
      { productId, variantId: small, quantity: 1 },
      { productId: shirt, variantId: large, quantity: 1 },
    ]);
    expect([wrong.status, wrongFields(wrong)]).toEqual([
      400,
      {
        '/lines/0/productId': 'unknown_product',
        '/lines/1/variantId': 'variant_required',
        '/lines/2/variantId': 'unknown_variant',
      },
    ]);
    const malformed = await orders.call(anonymous, 'POST', carts, {
      lines: [
        { productId: { $ne: null }, quantity: 0 },
        { productId, quantity: 1000, price: 1 },
      ],
      userId: 'me',
    });
    expect(wrongFields(malformed)).toEqual({
      '/lines/0/productId': 'invalid_type',
      '/lines/0/quantity': 'too_small',
      '/lines/1/quantity': 'too_big',
      '/lines/1/price': 'unknown_field',
      '/userId': 'unknown_field',
    });
    const twice = await create(anonymous, [
      { productId: shirt, variantId: small, quantity: 600 },
      { productId: shirt, variantId: small, quantity: 600 },
    ]);
    expect(quantities(twice.body)).toEqual([[small, 999]]);
    expect(twice.body.lines[0].values).toEqual(['S']);
  });

  it('has codes, a note, a country and a shipping option', async () => {
    const option = await orders.call(sales, 'POST', '/v1/shipping-options', { name: 'Parcel', price: eur(495) });
    const { body } = await create(anonymous);
    const path = `${carts}/${body.id}`;
    const change = { codes: ['spring26'], note: 'Ring twice.', country: 'nl', shippingOptionId: option.body.id };
    const changed = await orders.call(anonymous, 'PATCH', path, change, { 'if-match': 'W/"1"' });
    expect([changed.status, changed.body]).toMatchObject([200, { ...change, codes: ['SPRING26'], country: 'NL' }]);
    const stale = await orders.call(anonymous, 'PATCH', path, { note: null }, { 'if-match': 'W/"1"' });
    expect(stale.status).toBe(412);
    expect((await orders.call(anonymous, 'PATCH', path, { note: null, country: null })).body).toMatchObject({
      codes: ['SPRING26'],
      note: null,
      country: null,
    });
    const wrong = await orders.call(anonymous, 'PATCH', path, { shippingOptionId: newId('shopt') });
    expect(wrongFields(wrong)).toEqual({ '/shippingOptionId': 'not_found' });
    expect((await orders.call(anonymous, 'PATCH', path, {})).status).toBe(400);
  });

  it('is absent without its id, for every operation', async () => {
    const id = newId('cart');
    const { variantId } = await orders.newProduct();
    const answers = [
      await read(anonymous, id),
      await orders.call(anonymous, 'PATCH', `${carts}/${id}`, { note: 'x' }),
      await setLine(anonymous, id, variantId, 1),
      await orders.call(anonymous, 'DELETE', `${carts}/${id}/lines/${variantId}`),
      await orders.call(anonymous, 'GET', `${carts}/${id}/shipping-options`),
      await orders.call(anonymous, 'POST', `${carts}/${id}/quote`, {}),
    ];
    expect(statuses(answers)).toEqual({ 404: answers.length });
  });

  it('has a hundred lines at most', async () => {
    const variants = Array.from({ length: 100 }, (_, index) => ({ id: newId('var'), values: [`${index}`] }));
    const productId = newId('prod');
    await orders.product(productId, 1, { variants });
    const full = await create(
      anonymous,
      variants.map(({ id }) => ({ productId, variantId: id, quantity: 1 })),
    );
    expect(full.body.lines).toHaveLength(100);
    const other = await orders.newProduct();
    const refused = await setLine(anonymous, full.body.id, other.variantId, 1);
    expect([refused.status, refused.body.code]).toEqual([422, 'cart_full']);
    const again = await setLine(anonymous, full.body.id, variants[0]?.id ?? '', 5);
    expect(again.status).toBe(200);
    // A cart of the user's own has room for none of the guest's other lines.
    const who = person();
    await create(who, [{ productId: other.productId, quantity: 1 }]);
    const merged = await orders.call(who, 'POST', `${carts}/mine/merge`, { cartId: full.body.id });
    expect(merged.body.cart.lines).toHaveLength(100);
    expect(merged.body.noRoom).toEqual([variants[99]?.id]);
  });

  it('is made once under a key, however long its answer is', async () => {
    const { productId } = await orders.newProduct();
    const variants = Array.from({ length: 20 }, (_, index) => ({ id: newId('var'), values: [`${index}`] }));
    const shirt = newId('prod');
    await orders.product(shirt, 1, { variants });
    const lines = [productId, ...variants].map((each) =>
      typeof each === 'string' ? { productId, quantity: 1 } : { productId: shirt, variantId: each.id, quantity: 1 },
    );
    const key = { 'idempotency-key': newId('evt') };
    const first = await create(anonymous, lines, key);
    const again = await create(anonymous, lines, key);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });
});

describe('the cart of a user', () => {
  it('is the newest one, and found without its id', async () => {
    const who = person();
    expect((await orders.call(who, 'GET', `${carts}/mine`)).body.code).toBe('not_found');
    expect((await orders.call(anonymous, 'GET', `${carts}/mine`)).status).toBe(401);
    await cartWith(who, 1);
    const { id } = await cartWith(who, 2);
    const mine = await orders.call(who, 'GET', `${carts}/mine`);
    expect([mine.body.id, mine.body.lines[0].quantity]).toEqual([id, 2]);
    expect((await orders.call(person(), 'GET', `${carts}/mine`)).status).toBe(404);
  });

  it('takes in what was filled before the login, and that cart is gone', async () => {
    const who = person();
    const own = await cartWith(who, 600);
    const guests = await cartWith(anonymous, 3);
    await setLine(anonymous, guests.id, own.variantId, 600);
    await orders.call(anonymous, 'PATCH', `${carts}/${guests.id}`, { codes: ['SPRING26'], country: 'NL' });
    const key = { 'idempotency-key': newId('evt') };
    const merge = () => orders.call(who, 'POST', `${carts}/mine/merge`, { cartId: guests.id }, key);
    const [merged, again] = [await merge(), await merge()];
    expect([merged.status, merged.body.noRoom, merged.body.cart.id]).toEqual([200, [], own.id]);
    expect(again.body).toEqual(merged.body);
    expect(quantities(merged.body.cart)).toEqual([
      [own.variantId, 999],
      [guests.variantId, 3],
    ]);
    expect(merged.body.cart).toMatchObject({ codes: ['SPRING26'], country: 'NL' });
    expect((await read(anonymous, guests.id)).status).toBe(404);
    const once = await orders.call(who, 'POST', `${carts}/mine/merge`, { cartId: guests.id });
    expect(wrongFields(once)).toEqual({ '/cartId': 'not_found' });
  });

  it("is a guest's one where the user has none, but never another user's", async () => {
    const [who, other] = [person(), person()];
    const guests = await cartWith(anonymous, 2);
    const merge = (by: Person) => orders.call(by, 'POST', `${carts}/mine/merge`, { cartId: guests.id });
    expect((await merge(who)).body.cart).toMatchObject({ id: guests.id, lines: [{ quantity: 2 }] });
    expect((await orders.call(who, 'GET', `${carts}/mine`)).body.id).toBe(guests.id);
    // It is the user's own cart already.
    expect((await merge(who)).body.cart.lines[0].quantity).toBe(2);
    expect(wrongFields(await merge(other))).toEqual({ '/cartId': 'not_found' });
  });

  it('has each line of carts that are merged at the same time once', async () => {
    const who = person();
    const own = await cartWith(who, 1);
    const guests = await times(5, () => create(anonymous, [{ productId: own.productId, quantity: 2 }]));
    const answers = await Promise.all(
      guests.flatMap(({ body: { id } }) =>
        [1, 2].map(() => orders.call(who, 'POST', `${carts}/mine/merge`, { cartId: id })),
      ),
    );
    expect(statuses(answers)).toEqual({ 200: 5, 400: 5 });
    expect(quantities((await read(who, own.id)).body)).toEqual([[own.variantId, 11]]);
  });
});

describe('a cart that is sent as an order', () => {
  it('stands still, and names the order', async () => {
    const who = person();
    const { id, variantId } = await cartWith(who, 1);
    const option = await orders.call(sales, 'POST', '/v1/shipping-options', { name: 'Parcel', price: eur(495) });
    const shippingAddress = {
      firstName: 'Ada',
      lastName: 'Lovelace',
      homeAddress: 'Keizersgracht 1',
      city: 'Amsterdam',
      country: 'NL',
    };
    const order = {
      cartId: id,
      shippingOptionId: option.body.id,
      shippingAddress,
      payment: { method: 'card' },
      expectedTotal: eur(2494),
    };
    const sent = await orders.call(who, 'POST', '/v1/orders', order);
    expect(sent.status).toBe(202);
    const orderId = sent.body.id;
    expect((await read(who, id)).body.orderId).toBe(orderId);
    const refused = await Promise.all([
      setLine(who, id, variantId, 2),
      orders.call(who, 'DELETE', `${carts}/${id}/lines/${variantId}`),
      orders.call(who, 'PATCH', `${carts}/${id}`, { note: 'x' }),
      orders.call(who, 'POST', `${carts}/mine/merge`, { cartId: id }),
    ]);
    for (const { status, body } of refused)
      expect([status, body.code, body.orderId]).toEqual([409, 'cart_frozen', orderId]);
    expect((await orders.call(who, 'GET', `${carts}/mine`)).status).toBe(404);
    await orders.call(who, 'POST', `/v1/orders/${orderId}/cancel`);
    await eventually(async () => (await setLine(who, id, variantId, 2)).status === 200, 'the cart to be free again');
  });
});

describe('shipping options and quotes of a cart', () => {
  let options: { readonly parcel: string; readonly pallet: string };
  beforeAll(async () => {
    await orders.collection('shipping_options').deleteMany({});
    const make = async (option: object) =>
      (await orders.call(sales, 'POST', '/v1/shipping-options', option)).body.id as string;
    const parcel = { name: 'Parcel', price: eur(495), freeFrom: eur(5000), deliveryDays: { min: 2, max: 4 } };
    await make({ name: 'Express', price: eur(995), countries: ['DE'] });
    options = { parcel: await make(parcel), pallet: await make({ name: 'Pallet', price: eur(99), tiers: ['trade'] }) };
    await make({ name: 'Off', price: eur(1), active: false });
    const rates = [
      { country: 'DE', standard: 19, reduced: 7 },
      { country: 'NL', standard: 21, reduced: 9 },
    ];
    await orders.call(sales, 'PUT', '/v1/tax-rates', { rates });
  });

  it('are those that the caller can choose, at their price for the cart', async () => {
    const { id, variantId } = await cartWith(anonymous, 2);
    const list = async (who: Person | null, query = '') =>
      (await orders.call(who, 'GET', `${carts}/${id}/shipping-options${query}`)).body.data.map(
        ({ name, price }: { name: string; price: { amount: number } }) => [name, price.amount],
      );
    const inGermany = [
      ['Parcel', 495],
      ['Express', 995],
    ];
    expect(await list(anonymous)).toEqual(inGermany);
    expect(await list(person('trade'))).toEqual([['Pallet', 99], ...inGermany]);
    await orders.call(anonymous, 'PATCH', `${carts}/${id}`, { country: 'NL' });
    expect(await list(anonymous)).toEqual([['Parcel', 495]]);
    expect(await list(anonymous, '?country=DE')).toEqual(inGermany);
    await setLine(anonymous, id, variantId, 3);
    const { body } = await orders.call(anonymous, 'GET', `${carts}/${id}/shipping-options`);
    expect(body).toEqual({
      data: [{ id: options.parcel, name: 'Parcel', price: eur(0), deliveryDays: { min: 2, max: 4 } }],
    });
    const wrong = await orders.call(anonymous, 'GET', `${carts}/${id}/shipping-options?country=XX`);
    expect(wrong.status).toBe(400);
  });

  it('follow what another instance has set', async () => {
    const { id } = await cartWith(anonymous, 2);
    const priceOfFirst = async () =>
      (await orders.call(anonymous, 'GET', `${carts}/${id}/shipping-options?country=NL`)).body.data[0].price.amount;
    const setPrice = (price: number) =>
      orders.collection('shipping_options').updateOne(
        { _id: 'all' },
        { $set: { 'options.$[parcel].price': price }, $inc: { version: 1 } },
        {
          arrayFilters: [{ 'parcel.id': options.parcel }],
        },
      );
    expect(await priceOfFirst()).toBe(495);
    await setPrice(795);
    await eventually(async () => (await priceOfFirst()) === 795, 'the new price');
    await setPrice(495);
    await eventually(async () => (await priceOfFirst()) === 495, 'the former price');
  });

  it('say what an order would cost, with the tax within its prices', async () => {
    const mug = await orders.newProduct();
    const book = await orders.newProduct({ taxClass: 'reduced', price: eur(1000), tradePrice: null });
    const { body: cart } = await create(anonymous, [
      { productId: mug.productId, quantity: 2 },
      { productId: book.productId, quantity: 1 },
    ]);
    const quote = await orders.call(anonymous, 'POST', `${carts}/${cart.id}/quote`, {
      shippingOptionId: options.parcel,
      country: 'NL',
      // As it is answered, with more than is read of it.
      evaluation: {
        currency: 'EUR',
        lines: [{ lineId: '1', variantId: mug.variantId, discount: eur(400), discounts: [] }],
        shippingDiscount: eur(100),
      },
    });
    expect(quote.status).toBe(200);
    // 21 % within 3598 + 395 is 693.0; 9 % within 1000 is 82.6.
    expect(quote.body).toEqual({
      lines: [
        {
          variantId: mug.variantId,
          quantity: 2,
          unitPrice: eur(1999),
          subtotal: eur(3998),
          discount: eur(400),
          taxRate: 21,
          tax: eur(624),
          total: eur(3598),
          problem: null,
        },
        {
          variantId: book.variantId,
          quantity: 1,
          unitPrice: eur(1000),
          subtotal: eur(1000),
          discount: eur(0),
          taxRate: 9,
          tax: eur(83),
          total: eur(1000),
          problem: null,
        },
      ],
      shipping: {
        optionId: options.parcel,
        name: 'Parcel',
        price: eur(495),
        discount: eur(100),
        taxRate: 21,
        tax: eur(69),
        total: eur(395),
      },
      totals: { subtotal: eur(4998), discount: eur(500), shipping: eur(495), tax: eur(776), total: eur(4993) },
      taxIncluded: true,
      reverseCharge: false,
      expectedTotal: eur(4993),
      payments: [
        { method: 'card', available: true, reason: null },
        { method: 'invoice', available: false, reason: 'trade_account_required' },
      ],
    });
    const abroad = await orders.call(anonymous, 'POST', `${carts}/${cart.id}/quote`, {
      shippingOptionId: options.parcel,
      country: 'CH',
    });
    expect(abroad.body.totals).toMatchObject({ tax: eur(0), total: eur(4998 + 495) });
  });

  it('tax trade accounts on top, and by their VAT number', async () => {
    const dutch = await orders.newTradeAccount('NL123456789B01');
    const { id } = await cartWith(dutch, 2);
    const quote = async (who: Person, country: string) =>
      (await orders.call(who, 'POST', `${carts}/${id}/quote`, { shippingOptionId: options.pallet, country })).body;
    expect(await quote(dutch, 'NL')).toMatchObject({
      totals: { subtotal: eur(2900), tax: eur(0), total: eur(2999) },
      taxIncluded: false,
      reverseCharge: true,
      payments: [
        { method: 'card', available: true },
        { method: 'invoice', available: true, reason: null },
      ],
    });
    // 19 % of 2999 is 569.8.
    expect(await quote(dutch, 'DE')).toMatchObject({
      totals: { tax: eur(570), total: eur(3569) },
      reverseCharge: false,
    });
    const other = await orders.newTradeAccount(null);
    expect(await quote(other, 'NL')).toMatchObject({ totals: { tax: eur(630) }, reverseCharge: false });
  });

  it('refuse what can not be ordered, and name every wrong field', async () => {
    const { id, variantId, productId } = await cartWith(anonymous, 1);
    const quote = (body: object) => orders.call(anonymous, 'POST', `${carts}/${id}/quote`, body);
    expect(wrongFields(await quote({}))).toEqual({ '/country': 'required', '/shippingOptionId': 'required' });
    const where = { shippingOptionId: options.parcel, country: 'DE' };
    const wrong = await quote({
      ...where,
      evaluation: {
        lines: [
          { variantId, discount: eur(2000) },
          { variantId: newId('var'), discount: eur(1) },
        ],
        shippingDiscount: { amount: 1, currency: 'CHF' },
      },
    });
    expect(wrongFields(wrong)).toEqual({
      '/evaluation/lines/0/discount/amount': 'too_big',
      '/evaluation/lines/1/variantId': 'unknown_variant',
      '/evaluation/shippingDiscount/currency': 'other_currency',
    });
    const pallet = await quote({ ...where, shippingOptionId: options.pallet });
    expect([pallet.status, pallet.body.code]).toEqual([422, 'shipping_not_possible']);
    expect(wrongFields(await quote({ ...where, shippingOptionId: newId('shopt') }))).toEqual({
      '/shippingOptionId': 'not_found',
    });
    await orders.product(productId, 2, { status: 'archived' });
    expect((await quote(where)).body.code).toBe('cart_empty');
    const dear = await orders.newProduct({ price: eur(1_000_000_000_000) });
    await setLine(anonymous, id, dear.variantId, 2);
    expect((await quote(where)).body.code).toBe('cart_too_large');
  });
});

it('refuses too many carts of one address on a day', async () => {
  const answers = await times(61, () => create(anonymous));
  expect(statuses(answers)[429]).toBeGreaterThan(0);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.body.code).toBe('too_many_carts');
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  // Users are counted by themselves.
  expect((await create(person())).status).toBe(201);
});
