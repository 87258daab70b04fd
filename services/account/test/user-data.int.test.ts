import { fact, identityEvents, newId, ordersEvents, toEvent } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { person, startAccount, type Harness, type Person } from './harness.ts';

let account: Harness;
beforeAll(async () => {
  account = await startAccount();
});
afterAll(() => account.close());

const address = { contactPhone: '020 123 4567', homeAddress: 'Keizersgracht 1', city: 'Amsterdam', country: 'NL' };
const at = () => ({ sequence: 9, time: new Date() });
const erasure = (who: Person) =>
  toEvent(fact(identityEvents.userErasureRequested, who.id, { email: 'a@example.com', role: 'retail' }), at());
const collections = [
  'address_books',
  'wishlists',
  'customers',
  'wishlist_alerts',
  'recipient_answers',
  'order_turns',
  'counted_orders',
  'erased_users',
];

function order(who: Person) {
  const data = {
    orderId: newId('evt'),
    userId: who.id,
    recipient: { firstName: 'Ada', lastName: 'Lovelace' },
    placedAt: new Date().toISOString(),
    lines: [{ productId: newId('prod'), quantity: 1, unitPrice: { amount: 1999, currency: 'EUR' } }],
  };
  return toEvent(fact(ordersEvents.orderPlaced, data.orderId, data), { sequence: 1, time: new Date() });
}

/** Somebody of whom everything is kept that can be. */
async function customer(): Promise<Person> {
  const who = person();
  const productId = await account.newProduct();
  await account.call(who, 'POST', '/v1/users/me/addresses', address);
  await account.call(who, 'POST', '/v1/wishlist/items', { productId });
  await account.call(who, 'POST', '/v1/wishlist/share');
  await account.call(who, 'POST', '/v1/customers', { firstName: 'Ada', lastName: 'Lovelace' });
  await account.collection('order_turns').insertOne({ _id: who.id as any, orders: 1 });
  await account.product(productId, 2, { price: { amount: 1, currency: 'EUR' } });
  await eventually(() => account.eventsOf(who.id, 'account.wishlist-alert-raised').length === 1, 'the alert');
  await account.publish(recipientRequested(who));
  return who;
}

function recipientRequested(who: Person) {
  const data = { userId: who.id, saved: { kind: 'address' as const, id: newId('addr') } };
  return toEvent(fact(ordersEvents.recipientRequested, newId('ord'), data), { sequence: 1, time: new Date() });
}

async function documentsAbout(who: Person): Promise<number> {
  const found = await Promise.all(collections.map((name) => account.collection(name).find({}).toArray()));
  return found.flat().filter((document) => JSON.stringify(document).includes(who.id)).length;
}

describe('erasure', () => {
  it('leaves nothing about the user, touches nobody else, and is published once', async () => {
    const [who, other] = [await customer(), await customer()];
    await account.idle();
    const kept = await documentsAbout(other);
    expect(kept).toBe(6);
    const requested = erasure(who);
    await account.publish(requested, requested);
    await eventually(() => account.eventsOf(who.id, 'account.user-data-erased').length > 0, 'the answer');
    expect(account.eventsOf(who.id, 'account.user-data-erased')[0]?.data).toEqual({ requestId: requested.id });
    await account.publish(requested);
    await account.idle();
    await eventually(async () => (await documentsAbout(who)) === 0, 'nothing left about the user');
    expect(account.eventsOf(who.id, 'account.user-data-erased')).toHaveLength(1);
    expect(await documentsAbout(other)).toBe(kept);
    expect((await account.call(who, 'GET', '/v1/users/me/addresses')).body.data).toEqual([]);
    expect((await account.call(who, 'GET', '/v1/wishlist')).body.items).toEqual([]);
    expect((await account.call(who, 'GET', '/v1/customers')).body.data).toEqual([]);
  });

  it('lets nothing about the user come back with an order that was late', async () => {
    const [who, other] = [await customer(), await customer()];
    await account.publish(erasure(who));
    await eventually(() => account.eventsOf(who.id, 'account.user-data-erased').length > 0, 'the answer');
    await eventually(async () => (await documentsAbout(who)) === 0, 'nothing left about the user');
    const [late, question] = [order(who), recipientRequested(who)];
    await account.publish(late, question, order(other));
    await account.idle();
    expect(await documentsAbout(who)).toBe(0);
    expect(account.eventsOf(question.subject)).toEqual([]);
    expect(await account.collection('counted_orders').findOne({ _id: late.data.orderId })).toBeNull();
    expect((await account.call(other, 'GET', '/v1/customers')).body.data).toMatchObject([{ orderCount: 1 }]);
  });

  it('leaves nothing of orders that are being counted meanwhile', async () => {
    const who = person();
    await account.another();
    const orders = Array.from({ length: 40 }, () => order(who));
    await account.publish(...orders.slice(0, 20), erasure(who), ...orders.slice(20));
    await account.idle();
    await eventually(async () => (await documentsAbout(who)) === 0, 'nothing left about the user');
    expect((await account.call(who, 'GET', '/v1/customers')).body.data).toEqual([]);
  });

  it('of somebody unknown is published all the same', async () => {
    const who = person();
    const requested = erasure(who);
    await account.publish(requested);
    const published = await eventually(() => account.eventsOf(who.id, 'account.user-data-erased')[0], 'the answer');
    expect(published.data).toEqual({ requestId: requested.id });
  });

  it('still lets out the events that were not published yet', async () => {
    const who = person();
    const pending = toEvent({ ...fact(identityEvents.userErased, who.id, {}), type: 'account.address-changed' }, at());
    await account.collection('address_books').insertOne({
      _id: who.id as any,
      version: 1,
      defaultId: null,
      addresses: [],
      outbox: [{ ...pending, time: new Date(Date.now() + 1500).toISOString() }],
    });
    await account.publish(erasure(who));
    await eventually(async () => (await documentsAbout(who)) === 0, 'nothing left about the user');
    expect(account.eventsOf(who.id, 'account.address-changed')).toHaveLength(1);
  });
});

describe('an export', () => {
  it('hands in all that is kept about the user, once', async () => {
    const who = await customer();
    const requested = toEvent(
      fact(identityEvents.userExportRequested, who.id, { exportId: newId('evt'), email: 'a@example.com' }),
      at(),
    );
    await account.publish(requested, requested);
    const published = await eventually(() => account.eventsOf(who.id, 'account.user-data-exported')[0], 'the answer');
    expect(published.data).toEqual({
      exportId: (requested.data as { exportId: string }).exportId,
      data: {
        addresses: [
          {
            ...address,
            contactPhone: '+31201234567',
            state: null,
            isDefault: true,
            id: expect.stringMatching(/^addr_/),
            createdAt: expect.any(String),
            updatedAt: expect.any(String),
          },
        ],
        wishlist: [expect.objectContaining({ id: expect.stringMatching(/^wli_/) })],
        wishlistSharedAt: expect.any(String),
        customers: [
          {
            id: expect.stringMatching(/^cust_/),
            firstName: 'Ada',
            lastName: 'Lovelace',
            email: null,
            phone: null,
            address: null,
            note: null,
            orderCount: 0,
            lastOrderedAt: null,
            createdAt: expect.any(String),
            updatedAt: expect.any(String),
          },
        ],
      },
    });
    await account.idle();
    expect(account.eventsOf(who.id, 'account.user-data-exported')).toHaveLength(1);
  });
});
