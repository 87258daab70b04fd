import { once } from 'node:events';
import { newId } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mug, person, startAccount, type Harness } from './harness.ts';

const raised = 'account.wishlist-alert-raised';
const euros = (amount: number) => ({ amount, currency: 'EUR' });

let account: Harness;
beforeAll(async () => {
  account = await startAccount('rabbitmq');
});
afterAll(() => account.close());

/** Wishlists of as many users that hold the product, every second of them a trade account's. */
async function wished(productId: string, count: number): Promise<string[]> {
  const lists = Array.from({ length: count }, (_, index) => ({
    _id: newId('user'),
    version: 1,
    outbox: [],
    tier: index % 2 === 0 ? 'retail' : 'trade',
    share: null,
    items: [
      {
        id: newId('wli'),
        productId,
        createdAt: new Date(Date.now() - 60_000),
        priceAtAdding: { price: mug.price, tradePrice: mug.tradePrice },
      },
    ],
  }));
  await account.collection('wishlists').insertMany(lists);
  return lists.map(({ _id }) => _id);
}

const alertsOf = (productId: string) =>
  account.events.filter((event) => event.type === raised && event.data.productId === productId);

describe('an alert', () => {
  it('are about a lower price, in the prices that the user sees', async () => {
    const [shopper, shop, nobody] = [person(), person('trade'), person()];
    const productId = await account.newProduct();
    for (const who of [shopper, shop]) await account.call(who, 'POST', '/v1/wishlist/items', { productId });
    await account.call(nobody, 'POST', '/v1/wishlist/items', { productId: await account.newProduct() });
    await account.product(productId, 2, { name: 'Fine mug', price: euros(1500), tradePrice: euros(1200) });
    await eventually(() => alertsOf(productId).length === 2, 'an alert for each of the two');
    const about = { kind: 'price-drop', productId, productName: 'Fine mug' };
    expect(account.eventsOf(shopper.id, raised)[0]).toMatchObject({
      sequence: 2,
      data: { ...about, userId: shopper.id, tier: 'retail', was: euros(1999), now: euros(1500) },
    });
    expect(account.eventsOf(shop.id, raised)[0]).toMatchObject({
      data: { ...about, userId: shop.id, tier: 'trade', was: euros(1450), now: euros(1200) },
    });
    expect(account.eventsOf(nobody.id, raised)).toEqual([]);
  });

  it('are about a product that is there again', async () => {
    const who = person();
    const productId = await account.newProduct({ available: false });
    await account.call(who, 'POST', '/v1/wishlist/items', { productId });
    await account.product(productId, 2, { available: true });
    await eventually(() => account.eventsOf(who.id, raised).length === 1, 'the alert');
    expect(account.eventsOf(who.id, raised)[0]?.data).toMatchObject({ kind: 'back-in-stock', was: null });
  });

  it('are not about pieces that an order had reserved and gives back', async () => {
    const who = person();
    const productId = await account.newProduct({ available: false, counted: 1 });
    await account.call(who, 'POST', '/v1/wishlist/items', { productId });
    await account.product(productId, 2, { available: true, counted: 1 });
    await account.product(productId, 3, { available: false, counted: 1 });
    await account.product(productId, 4, { available: true, counted: 2 });
    await eventually(() => account.eventsOf(who.id, raised).length > 0, 'the alert about the piece that arrived');
    expect(account.eventsOf(who.id, raised).map(({ sequence }) => sequence)).toEqual([4]);
  });

  it('are about the variant that is wished for', async () => {
    const who = person();
    const [small, medium] = [newId('var'), newId('var')];
    const sizes = (stock: number) => {
      const shared = { sku: 'S', price: euros(1999), tradePrice: null, weight: null, status: 'active' as const };
      return [
        { ...shared, id: small, values: ['S'], stock: 1 },
        { ...shared, id: medium, values: ['M'], stock },
      ];
    };
    const productId = await account.newProduct({ variants: sizes(0) });
    for (const wish of [{ productId, variantId: medium }, { productId }])
      await account.call(who, 'POST', '/v1/wishlist/items', wish);
    await account.product(productId, 2, { variants: sizes(3) });
    await eventually(() => account.eventsOf(who.id, raised).length > 0, 'the alert');
    await account.idle();
    expect(account.eventsOf(who.id, raised).map(({ data }) => data)).toMatchObject([
      { kind: 'back-in-stock', productId, variantId: medium, values: ['M'], now: euros(1999) },
    ]);
  });

  it('reaches 2,000 users once each, although the event comes again and again', async () => {
    const productId = await account.newProduct();
    const users = await wished(productId, 2000);
    const drop = account.productEvent(productId, 2, { price: euros(100), tradePrice: euros(90) });
    await account.publish(drop, drop, drop);
    await eventually(() => alertsOf(productId).length >= 2000, 'an alert for each of the 2,000', 90_000);
    await account.idle();
    const published = alertsOf(productId).map(({ subject }) => subject);
    expect(published).toHaveLength(2000);
    expect(new Set(published)).toEqual(new Set(users));
    expect((await account.collection('products').findOne({ _id: productId })).due).toEqual([]);
  });

  it('reaches the rest once each where it stopped half-way', async () => {
    const productId = await account.newProduct();
    const users = (await wished(productId, 1200)).sort();
    const drop = account.productEvent(productId, 2, { price: euros(100), tradePrice: euros(90) });
    // As a process leaves it that is killed after the second batch was written and before that was noted.
    const changes = [
      { kind: 'price-drop', tier: 'retail', variant: null, was: mug.price, now: euros(100) },
      { kind: 'price-drop', tier: 'trade', variant: null, was: mug.tradePrice, now: euros(90) },
    ];
    const due = { sequence: 2, at: new Date(drop.time), productName: 'Mug', changes, toldUpTo: users[499] };
    await account
      .collection('products')
      .updateOne({ _id: productId }, { $set: { sequence: 2, due: [due] }, $inc: { version: 1 } });
    await account.collection('wishlist_alerts').insertMany(
      users.slice(0, 1000).map((userId) => ({
        _id: `${userId}/${productId}/2/price-drop`,
        version: 1,
        outbox: [],
        raisedAt: new Date(),
      })),
    );
    await account.publish(drop);
    await eventually(() => alertsOf(productId).length >= 200, 'the alerts that were left');
    await account.idle();
    expect(
      alertsOf(productId)
        .map(({ subject }) => subject)
        .sort(),
    ).toEqual(users.slice(1000));
  });
});

describe('a process that is killed while it raises alerts for 5,000 users', () => {
  it('leaves the rest to the next one: all of them hear of it, once', async () => {
    const productId = await account.newProduct();
    const users = await wished(productId, 5000);
    await account.stop();
    const killed = await account.process();
    await account.publish(account.productEvent(productId, 2, { price: euros(100), tradePrice: euros(90) }));
    const mine = { _id: { $regex: `/${productId}/` } } as object;
    const raisedSoFar = () => account.collection('wishlist_alerts').countDocuments(mine);
    await eventually(async () => (await raisedSoFar()) > 0, 'the first alerts');
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    expect(await raisedSoFar()).toBeLessThan(5000);
    await account.another();
    await eventually(async () => (await raisedSoFar()) >= 5000, 'an alert for each of the 5,000', 90_000);
    // What was published, but not yet noted as published, comes again as the very same event.
    const published = () => new Map(alertsOf(productId).map(({ id, subject }) => [id, subject]));
    await eventually(() => published().size >= 5000, 'the events of all of them', 90_000);
    await account.idle();
    expect([...published().values()].sort()).toEqual(users.sort());
  });
});

describe('a rename', () => {
  it('shows in 10,000 wishlists by one write', async () => {
    const productId = await account.newProduct();
    await wished(productId, 10_000);
    const before = (await account.collection('products').findOne({ _id: productId })).version;
    await account.product(productId, 2, { name: 'New name' });
    await account.idle();
    expect((await account.collection('products').findOne({ _id: productId })).version).toBe(before + 1);
    const holders = await account.collection('wishlists').find({ 'items.productId': productId }).limit(3).toArray();
    for (const { _id } of holders) {
      const { body } = await account.call({ id: _id, role: 'retail' }, 'GET', '/v1/wishlist');
      expect(body.items[0].productName).toBe('New name');
    }
  });
});

describe('an event of a product', () => {
  it('that is not as its contract has it becomes a dead letter and blocks nothing', async () => {
    const productId = await account.newProduct();
    const broken = account.productEvent(productId, 2, { price: { amount: -1, currency: 'EUR' } });
    await account.publish(broken, account.productEvent(productId, 3, { name: 'After it' }));
    const letter = await eventually(
      async () => (await account.bus.deadLetters.list()).find(({ event }) => 'id' in event && event.id === broken.id),
      'the dead letter',
    );
    expect(letter).toMatchObject({
      queue: 'account.on-product-changed',
      reason: expect.stringContaining('price.amount'),
    });
    await eventually(
      async () => (await account.collection('products').findOne({ _id: productId })).facts.name === 'After it',
      'the event after it',
    );
  });
});
