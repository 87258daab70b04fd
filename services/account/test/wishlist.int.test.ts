import { newId } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  anonymous,
  mug,
  person,
  startAccount,
  statuses,
  times,
  wrongFields,
  type Harness,
  type Person,
} from './harness.ts';

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let account: Harness;
beforeAll(async () => {
  account = await startAccount();
});
afterAll(() => account.close());

const add = (who: Person, productId: string, headers = {}) =>
  account.call(who, 'POST', '/v1/wishlist/items', { productId }, headers);
const wishlist = async (who: Person) => (await account.call(who, 'GET', '/v1/wishlist')).body;
const insights = async (who: Person) => (await account.call(who, 'GET', '/v1/wishlist/insights')).body.items;

describe('adding to the wishlist', () => {
  it('answers the item, 201 and then 200, and the list has exactly these fields', async () => {
    const who = person();
    const productId = await account.newProduct();
    const first = await add(who, productId);
    expect(first.status).toBe(201);
    expect(first.headers.get('location')).toBe(`/v1/wishlist/items/${first.body.id}`);
    expect(first.body).toEqual({
      id: expect.stringMatching(/^wli_/),
      productId,
      variantId: null,
      variant: null,
      productName: 'Mug',
      unitPrice: 19.99,
      createdAt: expect.stringMatching(time),
      productImage: 'https://images.example.com/mug.jpg',
    });
    const second = await add(who, productId);
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(await wishlist(who)).toEqual({ userId: who.id, items: [first.body] });
    await eventually(() => account.eventsOf(who.id).length === 1, 'the event of the added item');
    expect(account.eventsOf(who.id)[0]).toMatchObject({
      type: 'account.wishlist-item-added',
      data: { itemId: first.body.id, productId, tier: 'retail' },
    });
  });

  it('shows trade accounts their own prices, and yen without decimals', async () => {
    const yen = { amount: 1999, currency: 'JPY' };
    const [cup, bowl, plate] = await Promise.all([
      account.newProduct(),
      account.newProduct({ tradePrice: null }),
      account.newProduct({ price: yen, tradePrice: null }),
    ]);
    const [shop, shopper, admin] = [person('trade'), person(), person('admin')];
    expect((await add(shop, cup)).body.unitPrice).toBe(14.5);
    expect((await add(shop, bowl)).body.unitPrice).toBe(19.99);
    expect((await add(shopper, plate)).body.unitPrice).toBe(1999);
    expect((await add(admin, cup)).body.unitPrice).toBe(19.99);
  });

  it('finds no product that is unknown, not for sale, deleted, or not named rightly', async () => {
    const who = person();
    const draft = await account.newProduct({ status: 'draft' });
    const gone = await account.newProduct();
    await account.product(gone, 2, null);
    for (const productId of [newId('prod'), draft, gone]) {
      const { status, body } = await add(who, productId);
      expect([status, body.code, body.detail]).toEqual([404, 'not_found', 'There is no such product.']);
    }
    const malformed = await add(who, 'prod_1');
    expect([malformed.status, wrongFields(malformed)]).toEqual([400, { '/productId': 'invalid_value' }]);
    const injected = await account.call(who, 'POST', '/v1/wishlist/items', { productId: { $ne: null }, userId: 'x' });
    expect(wrongFields(injected)).toEqual({ '/productId': 'invalid_type', '/userId': 'unknown_field' });
    expect((await account.call(anonymous, 'POST', '/v1/wishlist/items', { productId: draft })).status).toBe(401);
  });

  it('takes what is out of stock', async () => {
    expect((await add(person(), await account.newProduct({ available: false }))).status).toBe(201);
  });

  it('may name a variant, which has an item of its own with its price, options and availability', async () => {
    const who = person();
    const eur = (amount: number) => ({ amount, currency: 'EUR' });
    const [small, medium, archived] = [newId('var'), newId('var'), newId('var')];
    const sizes = (priceOfMedium: number) => {
      const shared = { tradePrice: null, weight: null, status: 'active' as const };
      return [
        { ...shared, id: small, sku: 'SHIRT-S', values: ['S'], price: eur(900), stock: 1 },
        { ...shared, id: medium, sku: 'SHIRT-M', values: ['M'], price: eur(priceOfMedium), stock: 0 },
        {
          ...shared,
          id: archived,
          sku: 'SHIRT-L',
          values: ['L'],
          price: eur(500),
          stock: 1,
          status: 'archived' as const,
        },
      ];
    };
    const options = [{ name: 'Size', values: ['S', 'M', 'L'] }];
    const productId = await account.newProduct({ options, variants: sizes(1200) });
    const wish = (variantId?: string) => account.call(who, 'POST', '/v1/wishlist/items', { productId, variantId });
    for (const variantId of [archived, newId('var')]) {
      const answer = await wish(variantId);
      expect([answer.status, wrongFields(answer)]).toEqual([400, { '/variantId': 'unknown_variant' }]);
    }
    const answers = [await wish(medium), await wish(), await wish(small), await wish(medium), await wish()];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 200, 200]);
    expect(answers[3]?.body).toEqual(answers[0]?.body);
    const ofMedium = {
      id: medium,
      sku: 'SHIRT-M',
      options: [{ name: 'Size', value: 'M' }],
      price: eur(1200),
      available: false,
    };
    expect((await wishlist(who)).items).toMatchObject([
      { variantId: small, unitPrice: 9, variant: { available: true } },
      { variantId: null, unitPrice: 9, variant: null },
      { variantId: medium, unitPrice: 12, variant: ofMedium },
    ]);
    await eventually(() => account.eventsOf(who.id).length === 3, 'an event of each added item');
    expect(account.eventsOf(who.id).map(({ data }) => data)).toMatchObject([
      { productId, variantId: medium },
      { productId },
      { productId, variantId: small },
    ]);

    await account.product(productId, 2, { options, variants: sizes(1000) });
    await account.product(productId, 3, { options, variants: sizes(1500).slice(1) });
    expect(await insights(who)).toMatchObject([
      { variantId: small, variant: null, available: false, price: eur(900), lowestPrice: eur(900) },
      { variantId: null, price: eur(1500), lowestPrice: eur(900) },
      { variantId: medium, available: false, price: eur(1500), lowestPrice: eur(1000), priceAtAdding: eur(1200) },
    ]);
    const { body: link } = await account.call(who, 'POST', '/v1/wishlist/share');
    const shared = await account.call(anonymous, 'GET', link.path);
    expect(shared.body.items[2]).toMatchObject({ productId, variant: { id: medium }, price: eur(1500) });
  });

  it('50 times at once leaves one item, and tells of it once', async () => {
    const who = person();
    const productId = await account.newProduct();
    const answers = await times(50, () => add(who, productId));
    expect(statuses(answers)).toEqual({ 200: 49, 201: 1 });
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect((await wishlist(who)).items).toHaveLength(1);
    await eventually(() => account.eventsOf(who.id).length > 0, 'the event of the added item');
    await account.idle();
    expect(account.eventsOf(who.id)).toHaveLength(1);
  });

  it('50 products at once loses none', async () => {
    const who = person();
    const ids = await times(50, () => account.newProduct());
    expect(statuses(await Promise.all(ids.map((id) => add(who, id))))).toEqual({ 201: 50 });
    expect((await wishlist(who)).items).toHaveLength(50);
  });

  it('ends at 500', async () => {
    const who = person();
    const productId = await account.newProduct();
    await account.collection('wishlists').insertOne({
      _id: who.id,
      version: 1,
      outbox: [],
      tier: 'retail',
      share: null,
      items: Array.from({ length: 500 }, () => ({
        id: newId('wli'),
        productId: newId('prod'),
        createdAt: new Date(),
        priceAtAdding: { price: mug.price, tradePrice: null },
      })),
    });
    const { status, body } = await add(who, productId);
    expect([status, body.code]).toEqual([422, 'wishlist_full']);
    const merged = await account.call(who, 'POST', '/v1/wishlist/merge', { items: [{ productId }] });
    expect(merged.body).toMatchObject({ added: [], noRoom: [{ productId }] });
  });

  it('under one Idempotency-Key answers the same again', async () => {
    const who = person();
    const productId = await account.newProduct();
    const key = { 'idempotency-key': 'wish-once' };
    const answers = [await add(who, productId, key), await add(who, productId, key)];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[1]?.headers.get('idempotency-replayed')).toBe('true');
  });
});

describe('taking an item off', () => {
  it('by its own id answers the list that is left', async () => {
    const who = person();
    const [cup, bowl] = await Promise.all([account.newProduct({ name: 'Cup' }), account.newProduct({ name: 'Bowl' })]);
    const first = (await add(who, cup)).body;
    const second = (await add(who, bowl)).body;
    const { status, body } = await account.call(who, 'DELETE', `/v1/wishlist/items/${first.id}`);
    expect(status).toBe(200);
    expect(body).toEqual({ userId: who.id, items: [second] });
    expect((await account.call(who, 'DELETE', `/v1/wishlist/items/${first.id}`)).status).toBe(404);
    await eventually(() => account.eventsOf(who.id, 'account.wishlist-item-removed').length === 1, 'the removal');
  });

  it("by a product's id, somebody else's item, an unknown or malformed one is 404 and changes nothing", async () => {
    const [who, other] = [person(), person()];
    const productId = await account.newProduct();
    const { id } = (await add(other, productId)).body;
    await add(who, productId);
    const answers = await Promise.all(
      [productId, id, newId('wli'), 'wli_x', '%24ne'].map((wanted) =>
        account.call(who, 'DELETE', `/v1/wishlist/items/${wanted}`),
      ),
    );
    expect(statuses(answers)).toEqual({ 404: 5 });
    expect((await wishlist(who)).items).toHaveLength(1);
    expect((await wishlist(other)).items).toHaveLength(1);
    expect((await account.call(anonymous, 'DELETE', `/v1/wishlist/items/${id}`)).status).toBe(401);
  });

  it('is refused where the list is another one by now', async () => {
    const who = person();
    const { id } = (await add(who, await account.newProduct())).body;
    const seen = (await account.call(who, 'GET', '/v1/wishlist')).headers.get('etag') ?? '';
    await add(who, await account.newProduct());
    const stale = { 'if-match': seen };
    expect((await account.call(who, 'DELETE', `/v1/wishlist/items/${id}`, undefined, stale)).status).toBe(412);
    expect((await account.call(who, 'DELETE', '/v1/wishlist', undefined, stale)).status).toBe(412);
  });

  it('by product and variant removes that one, and by product all of it', async () => {
    const who = person();
    const [small, medium] = [newId('var'), newId('var')];
    const shared = { sku: 'S', values: [], price: mug.price, tradePrice: null, stock: 1, weight: null };
    const variants = [small, medium].map((id) => ({ ...shared, id, status: 'active' as const }));
    const [productId, other] = [await account.newProduct({ variants }), await account.newProduct()];
    for (const wish of [
      { productId },
      { productId, variantId: small },
      { productId, variantId: medium },
      { productId: other },
    ])
      await account.call(who, 'POST', '/v1/wishlist/items', wish);
    const remove = (query: string, headers = {}) =>
      account.call(who, 'DELETE', `/v1/wishlist/items?${query}`, undefined, headers);
    const left = ({ body }: { body: any }) =>
      body.items.map((item: { productId: string; variantId: string | null }) => [item.productId, item.variantId]);
    const tag = (await account.call(who, 'GET', '/v1/wishlist')).headers.get('etag') ?? '';
    const first = await remove(`productId=${productId}&variantId=${small}`, { 'if-match': tag });
    expect([first.status, left(first)]).toEqual([
      200,
      [
        [other, null],
        [productId, medium],
        [productId, null],
      ],
    ]);
    expect((await remove(`productId=${productId}`, { 'if-match': tag })).status).toBe(412);
    expect(left(await remove(`productId=${productId}`))).toEqual([[other, null]]);
    const again = await remove(`productId=${productId}`);
    expect([again.status, left(again)]).toEqual([200, [[other, null]]]);
    expect(wrongFields(await remove(`variantId=${small}`))).toEqual({ '/productId': 'required' });
    const removed = 'account.wishlist-item-removed';
    await eventually(() => account.eventsOf(who.id, removed).length === 3, 'an event of each removed item');
  });

  it('altogether empties the list and answers it', async () => {
    const who = person();
    await add(who, await account.newProduct());
    await add(who, await account.newProduct());
    const { status, body } = await account.call(who, 'DELETE', '/v1/wishlist');
    expect([status, body]).toEqual([200, { userId: who.id, items: [] }]);
    expect((await account.call(who, 'DELETE', '/v1/wishlist')).body).toEqual({ userId: who.id, items: [] });
    expect((await account.call(anonymous, 'DELETE', '/v1/wishlist')).status).toBe(401);
  });
});

describe('a product on wishlists', () => {
  it('shows its new name, price and picture, whatever order its events arrive in, however often', async () => {
    const who = person();
    const id = await account.newProduct();
    await add(who, id);
    const renamed = account.productEvent(id, 4, {
      name: 'Big mug',
      price: { amount: 2500, currency: 'EUR' },
      image: null,
    });
    const older = account.productEvent(id, 3, { name: 'Small mug' });
    await account.publish(renamed, older, renamed, account.productEvent(id, 2, { name: 'Tiny mug' }), older);
    await account.idle();
    expect((await wishlist(who)).items).toMatchObject([{ productName: 'Big mug', unitPrice: 25, productImage: null }]);
    await account.product(id, 5, { name: 'Mug again', image: '/v1/products/images/mug.svg' });
    expect((await wishlist(who)).items).toMatchObject([
      {
        productName: 'Mug again',
        unitPrice: 19.99,
        productImage: 'https://api.example/v1/products/images/mug.svg',
      },
    ]);
  });

  it('stays there when it is deleted, and insights say that it can not be bought', async () => {
    const who = person();
    const id = await account.newProduct();
    await add(who, id);
    await account.product(id, 3, null);
    await account.publish(account.productEvent(id, 2, { name: 'Too late' }));
    await account.idle();
    expect((await wishlist(who)).items).toMatchObject([{ productId: id, productName: 'Mug', unitPrice: 19.99 }]);
    expect(await insights(who)).toMatchObject([{ productId: id, available: false, productName: 'Mug' }]);
  });

  it('has its price at adding, now and the lowest since in the insights', async () => {
    const [who, shop] = [person(), person('trade')];
    const euros = (amount: number) => ({ amount, currency: 'EUR' });
    const id = await account.newProduct({ price: euros(500), tradePrice: null });
    await account.product(id, 2, { price: euros(2000), tradePrice: null });
    await add(who, id);
    await account.product(id, 3, { price: euros(1500), tradePrice: euros(1000) });
    await account.product(id, 4, { price: euros(3000), tradePrice: euros(2900) });
    await add(shop, id);
    expect(await insights(who)).toEqual([
      {
        id: expect.stringMatching(/^wli_/),
        productId: id,
        variantId: null,
        variant: null,
        productName: 'Mug',
        productImage: mug.image,
        available: true,
        priceAtAdding: euros(2000),
        price: euros(3000),
        lowestPrice: euros(1500),
        createdAt: expect.stringMatching(time),
      },
    ]);
    expect(await insights(shop)).toMatchObject([{ priceAtAdding: euros(2900), lowestPrice: euros(2900) }]);
    expect((await account.call(anonymous, 'GET', '/v1/wishlist/insights')).status).toBe(401);
  });

  it('takes no price from an event about the stock: one that changes has an event of its own', async () => {
    const euros = (amount: number) => ({ amount, currency: 'EUR' });
    const who = person();
    const id = await account.newProduct({ price: euros(2000), tradePrice: null });
    await add(who, id);
    const seen = async () => {
      const history = await account.collection('price_history').findOne({ _id: id });
      const [{ price, lowestPrice }] = await insights(who);
      return [history?.retail.map(({ sequence }: { sequence: number }) => sequence), price, lowestPrice];
    };
    const reserved = { price: euros(2000), tradePrice: null, available: false };
    await account.publish(account.stockEvent(id, 2, reserved));
    await eventually(async () => (await insights(who))[0].available === false, 'the product that is sold out');
    expect(await seen()).toEqual([[1], euros(2000), euros(2000)]);
    // Price and stock change together, and the event about the stock comes first.
    await account.publish(account.stockEvent(id, 3, { price: euros(1500), tradePrice: null }));
    await eventually(async () => (await insights(who))[0].available === true, 'the product that is in stock again');
    await account.product(id, 3, { price: euros(1500), tradePrice: null });
    await account.product(id, 4, { price: euros(3000), tradePrice: null });
    expect(await seen()).toEqual([[3, 4], euros(3000), euros(1500)]);
  });
});

describe('a shared wishlist', () => {
  it('shows strangers the products at retail prices, and nothing about its owner', async () => {
    const shop = person('trade');
    const id = await account.newProduct();
    const item = (await add(shop, id)).body;
    const { status, headers, body } = await account.call(shop, 'POST', '/v1/wishlist/share');
    expect(status).toBe(201);
    expect(body).toEqual({
      token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      path: `/v1/wishlists/shared/${body.token}`,
      createdAt: expect.stringMatching(time),
    });
    expect(headers.get('location')).toBe(body.path);
    const seen = await account.call(anonymous, 'GET', body.path);
    expect(seen.body).toEqual({
      items: [
        {
          productId: id,
          variant: null,
          productName: 'Mug',
          price: { amount: 1999, currency: 'EUR' },
          productImage: mug.image,
          available: true,
        },
      ],
    });
    expect(JSON.stringify(seen.body)).not.toContain(item.id);
    const stored = await account.collection('wishlists').findOne({ _id: shop.id });
    expect(JSON.stringify(stored)).not.toContain(body.token);
  });

  it('ends with the link, and with a new one', async () => {
    const who = person();
    const first = (await account.call(who, 'POST', '/v1/wishlist/share')).body.path;
    const second = (await account.call(who, 'POST', '/v1/wishlist/share')).body.path;
    expect((await account.call(anonymous, 'GET', first)).status).toBe(404);
    expect((await account.call(anonymous, 'GET', second)).body).toEqual({ items: [] });
    expect((await account.call(who, 'DELETE', '/v1/wishlist/share')).status).toBe(204);
    expect((await account.call(anonymous, 'GET', second)).status).toBe(404);
    expect((await account.call(who, 'DELETE', '/v1/wishlist/share')).status).toBe(204);
  });

  it('is 404 for a link that nobody made', async () => {
    for (const token of ['x', 'A'.repeat(43), '%00', '..%2f..'])
      expect((await account.call(anonymous, 'GET', `/v1/wishlists/shared/${token}`)).status).toBe(404);
    expect((await account.call(anonymous, 'POST', '/v1/wishlist/share')).status).toBe(401);
  });
});

const wishesFor = (productIds: readonly string[]) => productIds.map((productId) => ({ productId }));

describe('merging the list of a guest', () => {
  it('adds what is missing, once, and reports what is unknown', async () => {
    const who = person();
    const [cup, bowl] = await Promise.all([account.newProduct({ name: 'Cup' }), account.newProduct({ name: 'Bowl' })]);
    const unknown = newId('prod');
    await add(who, cup);
    const items = wishesFor([bowl, unknown, cup, bowl]);
    const { status, body } = await account.call(who, 'POST', '/v1/wishlist/merge', { items });
    expect(status).toBe(200);
    expect(body).toMatchObject({ added: wishesFor([bowl]), unknown: wishesFor([unknown]), noRoom: [] });
    expect(body.wishlist).toEqual(await wishlist(who));
    expect(body.wishlist.items.map(({ productId }: { productId: string }) => productId)).toEqual([bowl, cup]);
    expect((await account.call(who, 'POST', '/v1/wishlist/merge', { items })).body.added).toEqual([]);
  });

  it('adds variants beside each other and beside their product, and no product of which a variant is there', async () => {
    const who = person();
    const [small, large, other] = [newId('var'), newId('var'), newId('var')];
    const shared = { sku: 'S', values: [], price: mug.price, tradePrice: null, stock: 1, weight: null };
    const variants = [small, large].map((id) => ({ ...shared, id, status: 'active' as const }));
    const productId = await account.newProduct({ variants });
    await account.call(who, 'POST', '/v1/wishlist/items', { productId, variantId: small });
    const items = [{ productId }, { productId, variantId: small }, { productId, variantId: large }];
    const merge = () =>
      account.call(who, 'POST', '/v1/wishlist/merge', { items: [...items, { productId, variantId: other }] });
    const { body } = await merge();
    expect(body).toMatchObject({
      added: [{ productId, variantId: large }],
      unknown: [{ productId, variantId: other }],
      noRoom: [],
    });
    expect(body.wishlist.items.map(({ variantId }: { variantId: string }) => variantId)).toEqual([large, small]);
    expect((await merge()).body.added).toEqual([]);
  });

  it('takes up to 100 well-formed ids', async () => {
    const who = person();
    const merge = (ids: readonly string[]) =>
      account.call(who, 'POST', '/v1/wishlist/merge', { items: wishesFor(ids) });
    expect((await merge(Array.from({ length: 101 }, () => newId('prod')))).status).toBe(400);
    expect((await merge([])).status).toBe(400);
    expect(wrongFields(await merge([newId('prod'), 'prod_x']))).toEqual({ '/items/1/productId': 'invalid_value' });
    expect((await merge(Array.from({ length: 100 }, () => newId('prod')))).body.unknown).toHaveLength(100);
  });

  it('is answered again under one Idempotency-Key without the long answer being kept', async () => {
    const who = person();
    const [mold] = await account
      .collection('products')
      .find({ _id: await account.newProduct() })
      .toArray();
    const copies = Array.from({ length: 400 }, () => ({ ...mold, _id: newId('prod') }));
    await account.collection('products').insertMany(copies);
    const ids = copies.map(({ _id }) => _id);
    const merge = (wished: string[], key?: string) =>
      account.call(
        who,
        'POST',
        '/v1/wishlist/merge',
        { items: wishesFor(wished) },
        key ? { 'idempotency-key': key } : {},
      );
    for (const at of [0, 100, 200]) await merge(ids.slice(at, at + 100));
    const last = [...ids.slice(250, 349), newId('prod')];
    const first = await merge(last, 'merged-once');
    expect(first.body).toMatchObject({
      added: wishesFor(ids.slice(300, 349)),
      unknown: wishesFor(last.slice(99)),
      noRoom: [],
    });
    expect(first.body.wishlist.items).toHaveLength(349);
    const [record] = await account.collection('idempotency_keys').find().sort({ expiresAt: -1 }).limit(1).toArray();
    expect(JSON.stringify(first.body).length).toBeGreaterThan(70_000);
    expect(record?.answer.length).toBeLessThan(600);

    const again = await merge(last, 'merged-once');
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('idempotency-changed')).toBeNull();

    await account.call(who, 'DELETE', `/v1/wishlist/items/${first.body.wishlist.items[0].id}`);
    const later = await merge(last, 'merged-once');
    expect(later.body).toMatchObject({ added: first.body.added, unknown: first.body.unknown });
    expect(later.body.wishlist.items).toEqual(first.body.wishlist.items.slice(1));
    expect(later.headers.get('idempotency-changed')).toBe('true');
    expect((await wishlist(who)).items).toHaveLength(348);
  });
});
