import {
  accountEvents,
  auditEvents,
  billingEvents,
  catalogEvents,
  engagementEvents,
  identityEvents,
  newId,
  ordersEvents,
  userDataEvents,
  type EventContract,
  type EventOf,
} from '@storefront/contracts';
import { noRelay } from '@storefront/mongo';
import { eventually, newEvent } from '@storefront/testing';
import type { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openOrders } from '../src/checkout/checkout.ts';
import type { Order } from '../src/checkout/domain/order.ts';
import { nextNumber } from '../src/commands/next-number.ts';
import { eur, person, sales, startOrders, wrongFields, type Harness, type Person } from './harness.ts';

let orders: Harness;
let shippingOptionId: string;
beforeAll(async () => {
  orders = await startOrders();
  const option = { name: 'Parcel', price: eur(500) };
  shippingOptionId = (await orders.call(sales, 'POST', '/v1/shipping-options', option)).body.id;
});
afterAll(() => orders.close());

const shippingAddress = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  homeAddress: 'Keizersgracht 1',
  city: 'Berlin',
  country: 'DE',
};

/** Two mugs for 39.98 EUR and a parcel for 5.00 EUR. */
const total = 4498;

async function newCart(who: Person | null, quantity = 2): Promise<string> {
  const line = { ...(await orders.newProduct()), quantity };
  const cart = await orders.call(who, 'POST', '/v1/carts', { lines: [line] });
  expect(cart.status).toBe(201);
  return cart.body.id as string;
}

function send(who: Person | null, cartId: string, given: object = {}, headers = {}) {
  return orders.call(
    who,
    'POST',
    '/v1/orders',
    {
      cartId,
      shippingOptionId,
      shippingAddress,
      payment: { method: 'card' },
      expectedTotal: eur(total),
      ...(who === null && { email: 'guest@example.com' }),
      ...given,
    },
    { 'x-client-ip': nextAddress(), ...headers },
  );
}

let addresses = 0;
/** Another network for each order, so that none of them has too many. */
function nextAddress(): string {
  addresses += 1;
  return `10.${addresses >> 8}.${addresses & 255}.1`;
}

/** Waits for the event about an order that is not yet known to the test, and returns it. */
async function nextRequested(seen: ReadonlySet<string>): Promise<EventOf<typeof ordersEvents.orderRequested>> {
  return eventually(
    () =>
      orders.events.find(({ type, subject }) => type === ordersEvents.orderRequested.type && !seen.has(subject)) as
        | EventOf<typeof ordersEvents.orderRequested>
        | undefined,
    'an order is requested',
  );
}

async function published<Contract extends EventContract>(contract: Contract, id: string): Promise<EventOf<Contract>> {
  return eventually(
    () => orders.eventsOf(id, contract.type).at(-1) as EventOf<Contract> | undefined,
    `${contract.type} of ${id}`,
  );
}

async function answer<Contract extends EventContract>(
  contract: Contract,
  id: string,
  data: z.input<Contract['data']>,
  sequence = 1,
): Promise<void> {
  await orders.publish(newEvent(contract, id, data, sequence));
}

const seen = new Set<string>();

/** Answers as catalog does. `price` is that of a unit, in minor units. */
async function reserve(price = 1999): Promise<string> {
  const { subject: id, data } = await nextRequested(seen);
  seen.add(id);
  await answer(catalogEvents.stockReserved, id, reserved(data.lines, price));
  return id;
}

type Line = Pick<Order['lines'][number], 'productId' | 'variantId' | 'quantity'> & { readonly lineId: string };

function reserved(lines: readonly Line[], unitPrice: number): z.input<typeof catalogEvents.stockReserved.data> {
  const mug = { sku: 'MUG', name: 'Mug', values: [], image: 'https://images.example.com/mug.jpg' };
  const details = { ...mug, backOrdered: 0, unitPrice, taxClass: 'standard', weight: 300 } as const;
  return { currency: 'EUR', lines: lines.map((line) => ({ ...line, ...details })) };
}

/** Answers as catalog does where there is not enough. */
async function refuse(): Promise<void> {
  const { subject: id } = await nextRequested(seen);
  seen.add(id);
  await answer(catalogEvents.stockRefused, id, {
    lines: [{ lineId: '1', reason: 'not_enough_stock', available: 0 }],
  });
}

/** Answers as engagement does. `discount` is that of the only line. */
async function holdDiscounts(id: string, discount = 0): Promise<void> {
  await published(ordersEvents.discountRequested, id);
  await answer(engagementEvents.discountHeld, id, {
    redemptionId: discount === 0 ? null : newId('red'),
    currency: 'EUR',
    lines: [{ lineId: '1', discount }],
    discount,
    shippingDiscount: 0,
    campaigns:
      discount === 0 ? [] : [{ campaignId: newId('camp'), name: 'Spring', code: 'SPRING26', amount: discount }],
    codes: [],
  });
}

async function openPage(id: string, attempt = 1): Promise<void> {
  const requested = await eventually(
    () => orders.eventsOf(id, ordersEvents.paymentRequested.type)[attempt - 1],
    `attempt ${attempt} to pay ${id}`,
  );
  const { paymentId } = requested.data as EventOf<typeof ordersEvents.paymentRequested>['data'];
  await answer(billingEvents.paymentOpened, id, { paymentId, redirectUrl: `https://pay.example/${paymentId}` });
}

/** Sends an order, and answers until it can be paid. */
async function sendToPay(who: Person | null, cartId?: string): Promise<any> {
  const sending = send(who, cartId ?? (await newCart(who)));
  const id = await reserve();
  await holdDiscounts(id);
  await openPage(id);
  const { status, body } = await sending;
  if (status === 201) return body;
  expect(status).toBe(202);
  // On a busy machine that took longer than a buyer is kept waiting.
  const { orderSecret } = body;
  const headers = orderSecret === undefined ? {} : { 'order-secret': orderSecret };
  return eventually(async () => {
    const read = (await orders.call(who, 'GET', `/v1/orders/${id}`, undefined, headers)).body;
    return read.payment.redirectUrl === null ? undefined : { ...read, ...(orderSecret && { orderSecret }) };
  }, `the page of ${id}`);
}

function paid(received: number, refunded = 0) {
  const state = received === 0 ? ('open' as const) : ('paid' as const);
  return { currency: 'EUR', received, refunded, disputed: 0, refundsFailed: 0, state };
}

async function statusOf(id: string, status: string): Promise<any> {
  return eventually(async () => {
    const { body } = await orders.call(sales, 'GET', `/v1/orders/${id}`);
    return body.status === status ? body : undefined;
  }, `${id} is ${status}`);
}

describe('an order that is paid by card', () => {
  it('is reserved, priced and opened, and placed with its money', async () => {
    const ada = person();
    const cartId = await newCart(ada);
    const sent = await sendToPay(ada, cartId);
    const { id } = sent;
    expect(sent).toMatchObject({
      number: null,
      status: 'awaiting-payment',
      paymentStatus: 'open',
      userId: ada.id,
      email: null,
      lines: [{ id: '1', sku: 'MUG', name: 'Mug', quantity: 2, unitPrice: eur(1999), taxRate: 19, total: eur(3998) }],
      shipping: { name: 'Parcel', price: eur(500), taxRate: 19 },
      totals: { subtotal: eur(3998), discount: eur(0), shipping: eur(500), tax: eur(718), total: eur(total) },
      taxIncluded: true,
      payment: { method: 'card', redirectUrl: `https://pay.example/${sent.payment.id}` },
    });
    expect(sent).not.toHaveProperty('orderSecret');
    expect((await orders.call(ada, 'PATCH', `/v1/carts/${cartId}`, { note: 'Ring twice' })).body.code).toBe(
      'cart_frozen',
    );

    await answer(billingEvents.orderPaymentChanged, id, paid(total), 2);
    const placed = await statusOf(id, 'placed');
    expect(placed).toMatchObject({
      number: expect.stringMatching(/^ORD-\d{4}-\d{6}$/),
      paymentStatus: 'paid',
      totals: { paid: eur(total) },
      payment: { redirectUrl: null },
      timeline: [{ what: 'sent' }, { what: 'awaiting-payment' }, { what: 'placed', by: 'system' }],
    });
    expect((await published(ordersEvents.orderPlaced, id)).data).toMatchObject({
      orderId: id,
      number: placed.number,
      userId: ada.id,
      recipient: { firstName: 'Ada', address: { city: 'Berlin', country: 'DE' } },
      totals: { total: eur(total), tax: eur(718) },
      lines: [{ quantity: 2, unitPrice: eur(1999), sku: 'MUG', taxRate: 19 }],
      paymentTerms: 'prepaid',
    });
    expect((await published(ordersEvents.orderProgressed, id)).data).toMatchObject({
      kind: 'confirmed',
      number: placed.number,
      userId: ada.id,
    });
    expect((await published(ordersEvents.checkoutStarted, id)).data).toEqual({ userId: ada.id, tier: 'retail' });
    expect((await orders.call(ada, 'GET', `/v1/carts/${cartId}`)).status).toBe(404);

    await answer(billingEvents.orderPaymentChanged, id, paid(total), 2);
    await orders.idle();
    expect(orders.eventsOf(id, ordersEvents.orderPlaced.type)).toHaveLength(1);
  });

  it('is placed once by money that is known before its page is', async () => {
    const ada = person();
    const sending = send(ada, await newCart(ada));
    const id = await reserve();
    await holdDiscounts(id);
    await published(ordersEvents.paymentRequested, id);
    await answer(billingEvents.orderPaymentChanged, id, paid(total), 2);
    expect((await sending).body).toMatchObject({ id, status: 'placed', payment: { redirectUrl: null } });
    await openPage(id);
    await orders.idle();
    expect(await statusOf(id, 'placed')).toMatchObject({
      payment: { redirectUrl: null },
      totals: { paid: eur(total) },
    });
    for (const { type } of [ordersEvents.orderPlaced, ordersEvents.orderProgressed])
      expect(orders.eventsOf(id, type)).toHaveLength(1);
  });

  it('is the same however often its cart is sent, one after the other and at once', async () => {
    const ada = person();
    const cartId = await newCart(ada);
    const first = await sendToPay(ada, cartId);
    const again = await Promise.all(Array.from({ length: 5 }, () => send(ada, cartId)));
    expect(again.map(({ body }) => body.id)).toEqual(Array(5).fill(first.id));
    expect(wrongFields(await send(person(), cartId))).toEqual({ '/cartId': 'not_found' });
    const atOnce = await newCart(ada);
    const sending = Array.from({ length: 5 }, () => send(ada, atOnce));
    const id = await reserve();
    await holdDiscounts(id);
    await openPage(id);
    expect((await Promise.all(sending)).map(({ body }) => body.id)).toEqual(Array(5).fill(id));
    expect(orders.eventsOf(id, ordersEvents.orderRequested.type)).toHaveLength(1);
  });

  it('is answered 202 while the others are away, and goes on when they are back', async () => {
    const ada = person();
    const { status, body } = await send(ada, await newCart(ada));
    expect(status).toBe(202);
    expect(body).toMatchObject({ status: 'pending', totals: { total: eur(0) }, payment: { redirectUrl: null } });
    const id = await reserve();
    await holdDiscounts(id);
    await openPage(id);
    await eventually(
      async () => (await statusOf(id, 'awaiting-payment')).payment.redirectUrl !== null || undefined,
      'the page of the order',
    );
  });

  it('gets another page, and forgets the one before', async () => {
    const ada = person();
    const { id, payment } = await sendToPay(ada);
    const paying = orders.call(ada, 'POST', `/v1/orders/${id}/pay`);
    await openPage(id, 2);
    const { status, body } = await paying;
    expect(status).toBe(200);
    expect(body.payment.id).not.toBe(payment.id);
    await answer(billingEvents.paymentOpenFailed, id, { paymentId: payment.id, reason: 'late' });
    await orders.idle();
    expect((await statusOf(id, 'awaiting-payment')).payment.id).toBe(body.payment.id);
    await orders
      .collection('orders')
      .updateOne({ _id: id }, { $set: { 'payment.attempts': 10 }, $inc: { version: 1 } });
    expect((await orders.call(ada, 'POST', `/v1/orders/${id}/pay`)).body.code).toBe('too_many_attempts');
  });
});

describe('an order to what its buyer has saved', () => {
  const place = {
    homeAddress: 'Keizersgracht 1',
    state: null,
    city: 'Amsterdam',
    country: 'NL',
    phone: '+31201234567',
  };
  const recipient = { firstName: 'Grace', lastName: 'Hopper' };

  it('goes where account says, and only then are others asked', async () => {
    const ada = person();
    const addressId = newId('addr');
    const sending = send(ada, await newCart(ada), { shippingAddress: undefined, addressId, recipient });
    const { subject: id, data } = await eventually(
      () =>
        orders.events.find(
          ({ type, data: { userId } }) => type === ordersEvents.recipientRequested.type && userId === ada.id,
        ),
      'account to be asked',
    );
    expect(data).toEqual({ userId: ada.id, saved: { kind: 'address', id: addressId } });
    expect((await orders.call(ada, 'GET', `/v1/orders/${id}`)).body).toMatchObject({
      status: 'pending',
      shippingAddress: null,
      billingAddress: null,
      timeline: [{ what: 'sent' }],
    });
    expect(orders.eventsOf(id, ordersEvents.orderRequested.type)).toEqual([]);
    const found = { firstName: null, lastName: null, ...place };
    await answer(accountEvents.recipientFound, id, found);
    expect(await reserve()).toBe(id);
    await answer(accountEvents.recipientFound, id, { ...found, city: 'Utrecht' });
    await holdDiscounts(id);
    await openPage(id);
    const address = { ...recipient, company: null, ...place };
    await sending;
    const sent = await statusOf(id, 'awaiting-payment');
    expect(sent).toMatchObject({ shippingAddress: address, billingAddress: address });
  });

  it('goes where another instance has heard from account, of which this one remembers nothing', async () => {
    const ada = person();
    const saved = { shippingAddress: undefined, addressId: newId('addr'), recipient };
    const sending = send(ada, await newCart(ada), saved);
    const stored = orders.collection('orders');
    const found = await eventually(() => stored.findOne({ userId: ada.id }), 'the order to be stored');
    const { _id: id, lines }: Pick<Order, 'lines'> & { readonly _id: string } = found;
    const shippingAddress = { ...recipient, company: null, ...place };
    await stored.updateOne({ _id: id }, { $set: { saved: null, shippingAddress }, $inc: { version: 1 } });
    const asked = lines.map(({ id: lineId, productId, variantId, quantity }) => ({
      lineId,
      productId,
      variantId,
      quantity,
    }));
    await answer(catalogEvents.stockReserved, id, reserved(asked, 1999));
    await published(ordersEvents.discountRequested, id);
    expect(orders.lines.filter((line) => line.includes(`${id} has no address`))).toEqual([]);
    await sending;
  });

  it('is refused where there is no such thing, or no address', async () => {
    for (const [reason, code] of [
      ['unknown', 'recipient_unknown'],
      ['no-address', 'recipient_without_address'],
    ] as const) {
      const ada = person();
      const sending = send(ada, await newCart(ada), { shippingAddress: undefined, customerId: newId('cust') });
      const { subject: id } = await eventually(
        () =>
          orders.events.find(
            ({ type, data: { userId } }) => type === ordersEvents.recipientRequested.type && userId === ada.id,
          ),
        'account to be asked',
      );
      await answer(accountEvents.recipientRefused, id, { reason });
      await sending;
      expect(await statusOf(id, 'refused')).toMatchObject({ refusal: { code }, shippingAddress: null });
    }
  });

  it('names one of them, with who receives it, and needs a login', async () => {
    const [addressId, customerId] = [newId('addr'), newId('cust')];
    const faults = async (who: Person | null, given: object) => wrongFields(await send(who, newId('cart'), given));
    const ada = person();
    const nothing = { shippingAddress: undefined };
    expect(await faults(ada, nothing)).toMatchObject({ '/shippingAddress': 'required' });
    expect(await faults(ada, { addressId, customerId })).toMatchObject({
      '/addressId': 'one_of',
      '/customerId': 'one_of',
      '/recipient': 'required',
    });
    expect(await faults(ada, { ...nothing, addressId, customerId, recipient })).toMatchObject({
      '/customerId': 'one_of',
    });
    expect(await faults(ada, { recipient })).toMatchObject({ '/recipient': 'not_taken' });
    expect(await faults(null, { ...nothing, customerId })).toMatchObject({ '/customerId': 'login_required' });
  });
});

describe('an order is refused', () => {
  it('where the stock is not enough, by variant; its cart can be changed and sent again', async () => {
    const ada = person();
    const cartId = await newCart(ada);
    const sending = send(ada, cartId);
    const { subject: id, data } = await nextRequested(seen);
    seen.add(id);
    const { variantId } = data.lines[0] ?? {};
    await answer(catalogEvents.stockRefused, id, {
      lines: [{ lineId: '1', reason: 'not_enough_stock', available: 1 }],
    });
    expect(await sending).toMatchObject({
      status: 422,
      body: { code: 'out_of_stock', lines: [{ variantId, reason: 'not_enough_stock', available: 1 }] },
    });
    expect(await statusOf(id, 'refused')).toMatchObject({ refusal: { code: 'out_of_stock' } });
    expect((await published(ordersEvents.orderCancelled, id)).data).toMatchObject({
      from: 'pending',
      reason: 'out_of_stock',
    });
    expect((await orders.call(ada, 'PATCH', `/v1/carts/${cartId}`, { note: 'One, then' })).status).toBe(200);
    expect((await sendToPay(ada, cartId)).id).not.toBe(id);
  });

  it('and its request that comes again, as after a crash before the answer was stored, is refused as before; its cart stays free', async () => {
    const ada = person();
    const cartId = await newCart(ada);
    const key = { 'idempotency-key': newId('evt') };
    const sending = send(ada, cartId, {}, key);
    await refuse();
    expect((await sending).body.code).toBe('out_of_stock');
    await orders.connection.collection('idempotency_keys').updateMany({}, { $set: { answer: null, holder: '' } });
    const again = await send(ada, cartId, {}, key);
    expect(again).toMatchObject({ status: 422, body: { code: 'out_of_stock' } });
    expect(again.headers.get('idempotency-replayed')).toBeNull();
    const cart = `/v1/carts/${cartId}`;
    expect((await orders.call(ada, 'PATCH', cart, { note: 'Still mine' })).body).toMatchObject({ orderId: null });
    expect(await orders.connection.collection('unpaid_orders').countDocuments({ _id: ada.id as never })).toBe(0);
  });

  it('where it costs another amount: because of a price, or of all the rest', async () => {
    const ada = person();
    const dearer = send(ada, await newCart(ada));
    await holdDiscounts(await reserve(2099));
    expect(await dearer).toMatchObject({
      status: 422,
      body: { code: 'price_changed', expectedTotal: eur(total), total: eur(4698) },
    });
    const withoutDiscount = send(ada, await newCart(ada), { expectedTotal: eur(total - 400) });
    await holdDiscounts(await reserve());
    expect(await withoutDiscount).toMatchObject({
      status: 422,
      body: { code: 'discount_changed', expectedTotal: eur(total - 400), total: eur(total) },
    });
    const withDiscount = send(ada, await newCart(ada), { expectedTotal: eur(total - 400) });
    const id = await reserve();
    await holdDiscounts(id, 400);
    await openPage(id);
    expect((await withDiscount).body).toMatchObject({
      discounts: [{ name: 'Spring', code: 'SPRING26', amount: eur(400) }],
      totals: { discount: eur(400), total: eur(total - 400) },
    });
  });

  it('where nobody answers for two minutes, after they were asked again', async () => {
    const ada = person();
    const { body } = await send(ada, await newCart(ada));
    const { id } = body;
    seen.add(id);
    const times = (count: number) =>
      eventually(
        () => orders.eventsOf(id, ordersEvents.orderRequested.type).length === count || undefined,
        `${count} requests`,
      );
    await times(1);
    orders.advance(11);
    await times(2);
    orders.advance(50);
    await times(3);
    orders.advance(60);
    expect(await statusOf(id, 'refused')).toMatchObject({ refusal: { code: 'order_not_answered' } });
  });

  it('with all fields that are wrong', async () => {
    const cartId = await newCart(null);
    const refused = await send(null, cartId, {
      email: undefined,
      payment: { method: 'invoice' },
      returnUrl: 'https://shop.example.org/',
      expectedTotal: { amount: 1, currency: 'USD' },
      shippingOptionId: newId('shopt'),
    });
    expect(refused.status).toBe(400);
    expect(wrongFields(refused)).toEqual({
      '/email': 'required',
      '/payment/method': 'trade_account_required',
      '/expectedTotal/currency': 'other_currency',
      '/returnUrl': 'not_allowed',
      '/shippingOptionId': 'not_found',
    });
    expect(wrongFields(await send(person(), newId('cart')))).toEqual({ '/cartId': 'not_found' });
    const returnsTo = async (returnUrl: string) =>
      wrongFields(await send(null, cartId, { returnUrl, shippingOptionId: newId('shopt') }));
    expect(await returnsTo('http://localhost:5173/thanks')).toEqual({ '/shippingOptionId': 'not_found' });
    expect(await returnsTo('http://localhost.example:5173/')).toHaveProperty('/returnUrl');
    expect(await returnsTo('https://localhost:5173/')).toHaveProperty('/returnUrl');
  });

  it('where the buyer has three that are not paid', async () => {
    const ada = person();
    for (let count = 0; count < 3; count += 1) await sendToPay(ada);
    const fourth = await newCart(ada);
    expect(await send(ada, fourth)).toMatchObject({ status: 422, body: { code: 'too_many_unpaid_orders' } });
    expect((await orders.call(ada, 'PATCH', `/v1/carts/${fourth}`, { note: 'Still open' })).status).toBe(200);
    const [first] = (await orders.call(ada, 'GET', '/v1/orders')).body.data;
    await orders.call(ada, 'POST', `/v1/orders/${first.id}/cancel`);
    await answer(billingEvents.paymentClosed, first.id, { currency: 'EUR', received: 0, refunded: 0 });
    await statusOf(first.id, 'cancelled');
    await sendToPay(ada, fourth);
  });

  it('where a user sends many with codes, which would tell who exists', async () => {
    const ada = person();
    const outcomes: number[] = [];
    for (let count = 0; count < 21; count += 1) {
      const cartId = await newCart(ada, 1);
      await orders.call(ada, 'PATCH', `/v1/carts/${cartId}`, { codes: [`GUESS${count}`] });
      const sending = send(ada, cartId);
      if (count < 20) await refuse();
      outcomes.push((await sending).status);
    }
    expect(outcomes).toEqual([...Array(20).fill(422), 429]);
  });

  it('where a network has ten that are not paid', async () => {
    const from = { 'x-client-ip': '192.0.2.1' };
    const guests = Array.from({ length: 11 }, (_, index) => ({ email: `guest-${index}@example.com` }));
    const sent = await Promise.all(guests.map(async (guest) => send(null, await newCart(null), guest, from)));
    expect(sent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([...Array(10).fill(202), 422]);
    for (const { body } of sent) if (body.id) seen.add(body.id);
  });
});

describe('an order on account', () => {
  const onAccount = { payment: { method: 'invoice' } };

  it('is placed once its credit is reserved, and refused without', async () => {
    const toni = await orders.newTradeAccount('DE123456789');
    // Two mugs at 14.50 and a parcel at 5.00, with 19 % on top.
    const given = { ...onAccount, expectedTotal: eur(4046), reference: 'PO-1' };
    const sending = send(toni, await newCart(toni), given);
    const id = await reserve(1450);
    await holdDiscounts(id);
    const { data } = await published(ordersEvents.paymentRequested, id);
    expect(data).toMatchObject({ method: 'invoice', userId: toni.id, amount: 4046 });
    await answer(billingEvents.creditReserved, id, { paymentId: data.paymentId });
    expect(await sending).toMatchObject({
      status: 201,
      body: { status: 'placed', paymentStatus: 'on-account', taxIncluded: false, totals: { tax: eur(646) } },
    });
    expect((await published(ordersEvents.orderPlaced, id)).data).toMatchObject({
      tier: 'trade',
      paymentTerms: 'invoice',
      reference: 'PO-1',
      lines: [{ quantity: 2, unitPrice: eur(1450), discount: eur(0), taxRate: 19, tax: eur(551) }],
      shipping: { discount: eur(0), taxRate: 19, tax: eur(95) },
      reverseCharge: false,
    });

    // A part is credited of the invoice, and then the rest of it.
    const part = { lines: [{ lineId: '1', quantity: 1 }], reason: 'Broken.' };
    expect((await orders.call(sales, 'POST', `/v1/orders/${id}/cancel`, part)).body).toMatchObject({
      status: 'placed',
      totals: { kept: eur(2321) },
    });
    const goodwill = { goodwill: eur(320), shipping: true, reason: 'It came late.' };
    expect((await orders.call(sales, 'POST', `/v1/orders/${id}/refunds`, goodwill)).status).toBe(200);
    await orders.idle();
    expect(
      orders.eventsOf(id, ordersEvents.orderReduced.type).map((each) => [each.data.keep, each.data.charged]),
    ).toEqual([
      [2321, { quantities: [1], shipping: true }],
      [1406, { quantities: [1], shipping: false }],
    ]);
    const credited = { currency: 'EUR', received: 0, refunded: 2640, disputed: 0, refundsFailed: 0 };
    await answer(billingEvents.orderPaymentChanged, id, { ...credited, state: 'on-account' as const }, 3);
    await eventually(
      async () => (await statusOf(id, 'placed')).totals.refunded.amount === 2640 || undefined,
      'what was credited',
    );
    expect((await orders.call(toni, 'POST', `/v1/orders/${id}/cancel`)).body).toMatchObject({
      status: 'cancelled',
      paymentStatus: 'on-account',
    });
    expect((await published(ordersEvents.orderCancelled, id)).data).toMatchObject({ from: 'placed', segment: 'trade' });

    const refused = send(toni, await newCart(toni), given);
    const other = await reserve(1450);
    await holdDiscounts(other);
    const { paymentId } = (await published(ordersEvents.paymentRequested, other)).data;
    await answer(billingEvents.creditRefused, other, { paymentId, reason: 'limit', available: 100 });
    expect(await refused).toMatchObject({ status: 422, body: { code: 'credit_exceeded', available: eur(100) } });
  });
});

describe('an order ends', () => {
  it('unpaid after 35 minutes, once its page is closed; with the money that came before', async () => {
    const ada = person();
    const [unpaid, late] = [await sendToPay(ada), await sendToPay(ada)];
    orders.advance(36 * 60);
    for (const { id } of [unpaid, late]) await published(ordersEvents.paymentClosingRequested, id);
    await answer(billingEvents.paymentClosed, unpaid.id, { currency: 'EUR', received: 0, refunded: 0 });
    await answer(billingEvents.paymentClosed, late.id, { currency: 'EUR', received: total, refunded: 0 });
    await statusOf(unpaid.id, 'cancelled');
    expect((await published(ordersEvents.orderCancelled, unpaid.id)).data).toMatchObject({ from: 'closing' });
    expect((await statusOf(late.id, 'placed')).totals.paid).toEqual(eur(total));
  });

  it('by its buyer, and its money goes back', async () => {
    const ada = person();
    const { id } = await sendToPay(ada);
    const cancel = () => orders.call(ada, 'POST', `/v1/orders/${id}/cancel`, { reason: 'Twice' });
    expect((await cancel()).body.status).toBe('closing');
    expect((await cancel()).status).toBe(200);
    await answer(billingEvents.orderPaymentChanged, id, paid(total), 3);
    await answer(billingEvents.paymentClosed, id, { currency: 'EUR', received: total, refunded: 0 }, 4);
    await statusOf(id, 'cancelled');
    await answer(billingEvents.orderPaymentChanged, id, paid(total, total), 5);
    await eventually(
      async () => (await statusOf(id, 'cancelled')).totals.refunded.amount === total || undefined,
      'the refund',
    );
    expect((await cancel()).body.status).toBe('cancelled');
    expect((await published(ordersEvents.orderRefunded, id)).data).toEqual({
      userId: ada.id,
      segment: 'retail',
      currency: 'EUR',
      amount: total,
    });
    expect((await published(ordersEvents.orderCancelled, id)).data).toMatchObject({ segment: 'retail', sold: null });
    expect((await orders.call(ada, 'POST', `/v1/orders/${id}/pay`)).body.code).toBe('invalid_transition');
    expect(orders.eventsOf(id, ordersEvents.orderProgressed.type)).toEqual([]);
  });
});

/** Sends an order of two mugs that is paid. */
async function sendAndPay(who: Person | null): Promise<any> {
  const { id } = await sendToPay(who);
  await answer(billingEvents.orderPaymentChanged, id, paid(total), 2);
  return statusOf(id, 'placed');
}

describe('what is shipped of an order', () => {
  it('is shipped once for a key, never more than there is, and then delivered', async () => {
    const ada = person();
    const { id, lines } = await sendAndPay(ada);
    const [{ productId, variantId }] = lines;
    const ship = (given: object, key = newId('evt')) =>
      orders.call(sales, 'POST', `/v1/orders/${id}/shipments`, given, { 'idempotency-key': key });
    const parcel = {
      lines: [{ lineId: '1', quantity: 1 }],
      carrier: 'DHL',
      trackingNumber: 'JJD-7',
      trackingUrl: 'https://parcels.example/JJD-7',
    };
    const key = newId('evt');
    const [first, again] = [await ship(parcel, key), await ship(parcel, key)];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(first.body).toMatchObject({
      status: 'placed',
      fulfilmentStatus: 'partial',
      lines: [{ quantity: 2, shipped: 1 }],
      shipments: [{ ...parcel, id: expect.stringMatching(/^shpm_/) }],
    });
    expect(first.body.timeline.at(-1)).toMatchObject({ what: 'shipped', by: 'shop', lines: parcel.lines });
    expect((await published(ordersEvents.orderShipped, id)).data).toEqual({
      shipmentId: first.body.shipments[0].id,
      userId: ada.id,
      segment: 'retail',
      lines: [{ lineId: '1', productId, variantId, quantity: 1 }],
    });
    expect((await orders.call(ada, 'POST', `/v1/orders/${id}/cancel`)).body.code).toBe('invalid_transition');
    expect((await orders.call(sales, 'POST', `/v1/orders/${id}/deliver`)).body.code).toBe('invalid_transition');

    const more = await Promise.all(Array.from({ length: 4 }, () => ship(parcel)));
    expect(more.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422, 422, 422]);
    expect(more.find(({ status }) => status === 422)?.body).toMatchObject({
      code: 'not_enough_left',
      lines: [{ lineId: '1', left: 0 }],
    });
    const delivered = await orders.call(sales, 'POST', `/v1/orders/${id}/deliver`);
    expect(delivered.body).toMatchObject({ fulfilmentStatus: 'delivered', lines: [{ shipped: 2 }] });
    expect((await orders.call(sales, 'POST', `/v1/orders/${id}/deliver`)).status).toBe(200);
    expect((await ship({})).body.code).toBe('invalid_transition');
    await orders.idle();
    expect(orders.eventsOf(id, ordersEvents.orderShipped.type)).toHaveLength(2);
    expect(orders.eventsOf(id, ordersEvents.orderDelivered.type)).toMatchObject([
      { data: { userId: ada.id, segment: 'retail' } },
    ]);
    expect(orders.eventsOf(id, ordersEvents.orderProgressed.type).map(({ data }) => data)).toMatchObject([
      { kind: 'confirmed', tracking: null },
      {
        kind: 'shipped',
        lines: [{ sku: 'MUG', quantity: 1 }],
        tracking: { carrier: 'DHL', number: 'JJD-7', url: parcel.trackingUrl },
      },
      { kind: 'shipped' },
      { kind: 'delivered', lines: [{ quantity: 2 }] },
    ]);
  });

  it('is refused for what is not placed, and to whoever is not of the staff', async () => {
    const ada = person();
    const { id } = await sendToPay(ada);
    expect((await orders.call(sales, 'POST', `/v1/orders/${id}/shipments`)).body.code).toBe('invalid_transition');
    expect((await orders.call(ada, 'POST', `/v1/orders/${id}/shipments`)).status).toBe(403);
    expect((await orders.call(sales, 'POST', `/v1/orders/${newId('ord')}/shipments`)).status).toBe(404);
  });
});

describe('what goes back of a placed order', () => {
  it('is what a part has cost, and what staff refund: once for a key, and never more than was paid', async () => {
    const ada = person();
    const { id, lines } = await sendAndPay(ada);
    const { productId, variantId } = lines[0];
    const staff = (what: string, given: object, key = newId('evt')) =>
      orders.call(sales, 'POST', `/v1/orders/${id}/${what}`, given, { 'idempotency-key': key });
    const part = { lines: [{ lineId: '1', quantity: 1 }], reason: 'Broken.' };
    expect((await orders.call(ada, 'POST', `/v1/orders/${id}/cancel`, part)).body.code).toBe('role_required');
    const key = newId('evt');
    const [first, again] = [await staff('cancel', part, key), await staff('cancel', part, key)];
    expect(again.body).toEqual(first.body);
    expect(first.body).toMatchObject({
      status: 'placed',
      fulfilmentStatus: 'open',
      lines: [{ quantity: 2, cancelled: 1 }],
      totals: { total: eur(total), kept: eur(2499) },
    });
    const entry = { what: 'part-cancelled', by: 'shop', lines: part.lines, amount: eur(1999) };
    expect(first.body.timeline.at(-1)).toMatchObject({ ...entry, reason: 'Broken.' });
    const seenByBuyer = (await orders.call(ada, 'GET', `/v1/orders/${id}`)).body;
    expect(seenByBuyer.timeline.at(-1)).toMatchObject({ ...entry, reason: null });
    expect((await published(ordersEvents.orderReduced, id)).data).toMatchObject({
      lines: [{ lineId: '1', productId, variantId, quantity: 1 }],
      currency: 'EUR',
      keep: 2499,
    });

    // 24.99 are left: of ten refunds of 5.00 at once four are possible.
    const refund = { goodwill: eur(500), reason: 'It came late.' };
    const refunds = await Promise.all(Array.from({ length: 10 }, () => staff('refunds', refund)));
    expect(refunds.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(refunds.find(({ status }) => status === 422)?.body.code).toBe('refund_too_large');
    expect((await staff('refunds', { shipping: true, lines: part.lines, reason: 'Lost.' })).body).toMatchObject({
      code: 'refund_too_large',
      left: eur(499),
    });
    await orders.idle();
    const keeps = orders.eventsOf(id, ordersEvents.orderReduced.type).map(({ data }) => data.keep);
    expect(keeps.toSorted((a, b) => b - a)).toEqual([2499, 1999, 1499, 999, 499]);
    expect(orders.eventsOf(id, ordersEvents.orderProgressed.type).map(({ data }) => [data.kind, data.refund])).toEqual([
      ['confirmed', null],
      ['reduced', 1999],
      ...Array.from({ length: 4 }, () => ['refunded', 500]),
    ]);
    await answer(billingEvents.orderPaymentChanged, id, paid(total, 3999), 3);
    await eventually(
      async () => (await statusOf(id, 'placed')).totals.refunded.amount === 3999 || undefined,
      'what went back',
    );

    // The last piece: nothing is left of the order.
    const rest = await staff('cancel', part);
    expect(rest.body).toMatchObject({ status: 'cancelled', totals: { kept: eur(0) } });
    await published(ordersEvents.orderCancelled, id);
    expect((await staff('refunds', refund)).body.code).toBe('invalid_transition');
  });
});

describe('what comes back of an order', () => {
  it('is announced by its owner and received by staff, once each, and is in events, mails and lists', async () => {
    const ada = person();
    const { id, lines } = await sendAndPay(ada);
    const { productId, variantId } = lines[0];
    const path = `/v1/orders/${id}`;
    const given = { lines: [{ lineId: '1', quantity: 1 }], reason: 'Ada wants a blue one.' };
    const announce = (who: Person | null, key = newId('evt'), headers = {}) =>
      orders.call(who, 'POST', `${path}/returns`, given, { 'idempotency-key': key, ...headers });
    expect((await announce(ada)).body).toMatchObject({ code: 'not_enough_left', lines: [{ lineId: '1', left: 0 }] });
    expect((await orders.call(sales, 'POST', `${path}/shipments`)).status).toBe(201);
    expect([(await announce(person())).status, (await announce(null)).status]).toEqual([404, 404]);

    // Three windows, each of which sends its request twice: of two pieces.
    const keys = [newId('evt'), newId('evt'), newId('evt')];
    const first = await Promise.all(keys.map((key) => announce(ada, key)));
    const again = await Promise.all(keys.map((key) => announce(ada, key)));
    expect(first.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 422]);
    expect(again.map(({ status }) => status)).toEqual(first.map(({ status }) => status));
    const { body: sent } = await orders.call(ada, 'GET', path);
    expect(sent).toMatchObject({
      lines: [{ shipped: 2, returned: 0 }],
      returns: [
        { ...given, id: expect.stringMatching(/^ret_/), status: 'requested', receivedAt: null },
        { ...given, status: 'requested' },
      ],
    });
    expect(sent.timeline.at(-1)).toMatchObject({ what: 'return-requested', by: 'buyer', lines: given.lines });
    const listed = async (query: string) =>
      (await orders.call(sales, 'GET', `/v1/orders?${query}`)).body.data.map((each: any) => each.id);
    expect([await listed('return=requested'), await listed('return=received')]).toEqual([[id], []]);

    const [one, other] = sent.returns;
    const receive = (returnId: string, receipt?: object, who = sales) =>
      orders.call(who, 'POST', `${path}/returns/${returnId}/receive`, receipt);
    expect((await receive(one.id, undefined, ada)).status).toBe(403);
    expect((await receive(newId('ret'))).status).toBe(404);
    const receipts = await Promise.all([receive(one.id), receive(one.id)]);
    for (const { status, body } of receipts) {
      expect(status).toBe(200);
      expect(body).toMatchObject({
        fulfilmentStatus: 'shipped',
        lines: [{ shipped: 2, returned: 1 }],
        returns: [{ status: 'received', receivedAt: expect.any(String) }, { status: 'requested' }],
      });
    }
    expect((await receive(other.id, { lines: [{ lineId: '1', quantity: 2 }] })).body.code).toBe('not_enough_left');
    expect((await receive(other.id, { restock: false })).body.lines).toMatchObject([{ returned: 2 }]);
    expect([await listed('return=requested'), await listed('return=received')]).toEqual([[], [id]]);
    await orders.idle();
    const common = { userId: ada.id, segment: 'retail', currency: 'EUR' };
    const piece = { lineId: '1', productId, variantId, quantity: 1 };
    expect(orders.eventsOf(id, ordersEvents.orderReturned.type).map(({ data }) => data)).toEqual([
      { ...common, returnId: one.id, lines: [piece], restocked: true },
      { ...common, returnId: other.id, lines: [piece], restocked: false },
    ]);
    const mails = () => orders.eventsOf(id, ordersEvents.orderProgressed.type).map(({ data }) => data);
    expect(mails().map(({ kind }) => kind)).toEqual(['confirmed', 'shipped', 'returned', 'returned']);
    const key = { 'idempotency-key': newId('evt') };
    expect((await orders.call(sales, 'POST', `${path}/mails`, { mail: 'last' }, key)).status).toBe(200);
    await orders.idle();
    expect(mails()).toHaveLength(5);
    expect(mails().at(-1)).toEqual(mails().at(-2));

    await orders.publish(
      newEvent(identityEvents.userExportRequested, ada.id, { exportId: newId('exp'), email: 'a@b.c' }),
    );
    expect(JSON.stringify((await published(userDataEvents.orders.exported, ada.id)).data)).toContain(given.reason);
  });

  it('is announced by a guest with the secret, or by staff, and withdrawn by either before it has come', async () => {
    const { id, orderSecret } = await sendToPay(null);
    await answer(billingEvents.orderPaymentChanged, id, paid(total), 2);
    await statusOf(id, 'placed');
    expect((await orders.call(sales, 'POST', `/v1/orders/${id}/shipments`)).status).toBe(201);
    const given = { lines: [{ lineId: '1', quantity: 1 }], reason: 'It is too small.' };
    const announce = (who: Person | null, headers: object) =>
      orders.call(who, 'POST', `/v1/orders/${id}/returns`, given, { 'idempotency-key': newId('evt'), ...headers });
    expect((await announce(null, {})).status).toBe(404);
    expect((await announce(null, { 'order-secret': orderSecret })).status).toBe(201);
    const { body } = await announce(sales, {});
    expect(body.timeline.slice(-2)).toMatchObject([
      { what: 'return-requested', by: 'buyer' },
      { what: 'return-requested', by: 'shop' },
    ]);

    const [guests, shops] = body.returns.map((each: any) => each.id as string);
    const withdraw = (who: Person | null, returnId: string, headers: object = {}) =>
      orders.call(who, 'DELETE', `/v1/orders/${id}/returns/${returnId}`, undefined, headers);
    const secret = { 'order-secret': orderSecret };
    expect([(await withdraw(null, guests)).status, (await withdraw(person(), guests)).status]).toEqual([404, 404]);
    expect((await withdraw(null, newId('ret'), secret)).status).toBe(404);
    const both = await Promise.all([withdraw(null, guests, secret), withdraw(null, guests, secret)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const { body: after } = await withdraw(sales, shops);
    expect(after.returns.map((each: any) => each.status)).toEqual(['withdrawn', 'withdrawn']);
    expect(after.timeline.slice(-2)).toMatchObject([
      { what: 'return-withdrawn', by: 'buyer', lines: given.lines },
      { what: 'return-withdrawn', by: 'shop' },
    ]);
    const receive = (returnId: string) => orders.call(sales, 'POST', `/v1/orders/${id}/returns/${returnId}/receive`);
    expect((await receive(shops)).body.code).toBe('invalid_transition');
    const { body: announcedAgain } = await announce(sales, {});
    const last = announcedAgain.returns.at(-1).id as string;
    expect((await receive(last)).body.lines).toMatchObject([{ returned: 1 }]);
    expect((await withdraw(null, last, secret)).body.code).toBe('invalid_transition');
  });
});

it('an order that was placed by a guest and is cancelled by the shop says what is taken back, and what went back so far', async () => {
  const { id } = await sendToPay(null);
  await answer(billingEvents.orderPaymentChanged, id, paid(total), 2);
  await published(ordersEvents.guestOrderPlaced, id);
  expect((await orders.call(sales, 'POST', `/v1/orders/${id}/cancel`, { reason: 'Broken' })).status).toBe(200);
  expect((await published(ordersEvents.orderCancelled, id)).data).toMatchObject({
    from: 'placed',
    segment: 'guest',
    currency: 'EUR',
    sold: { subtotal: 3998, discount: 0, total, lines: [{ quantity: 2, unitPrice: 1999 }] },
  });
  await answer(billingEvents.orderPaymentChanged, id, paid(total, 1000), 3);
  await answer(billingEvents.orderPaymentChanged, id, paid(total, total), 4);
  await eventually(
    async () => (await statusOf(id, 'cancelled')).totals.refunded.amount === total || undefined,
    'all of the refund',
  );
  await orders.idle();
  const amounts = orders.eventsOf(id, ordersEvents.orderRefunded.type).map(({ data }) => data.amount);
  expect(amounts).toEqual([1000, total - 1000]);
  expect(orders.eventsOf(id, ordersEvents.checkoutStarted.type)).toEqual([]);
});

describe('who sees an order', () => {
  it('a guest with its secret, its owner, and staff; to all others it looks absent', async () => {
    const guests = await sendToPay(null);
    const { id, orderSecret } = guests;
    expect(guests).toMatchObject({ userId: null, email: 'guest@example.com', orderSecret: expect.any(String) });
    const read = async (who: Person | null, secret?: string, of = id) =>
      (await orders.call(who, 'GET', `/v1/orders/${of}`, undefined, secret ? { 'order-secret': secret } : {})).status;
    expect(await read(null, orderSecret)).toBe(200);
    expect(await read(sales)).toBe(200);
    expect([await read(null), await read(null, 'x'.repeat(43)), await read(person())]).toEqual([404, 404, 404]);
    const ada = person();
    const adas = await sendToPay(ada);
    expect([await read(ada, undefined, adas.id), await read(null, orderSecret, adas.id)]).toEqual([200, 404]);
    expect((await orders.call(person(), 'GET', '/v1/orders')).body.data).toEqual([]);
    const nobody: Person | null = null;
    expect((await orders.call(nobody, 'POST', `/v1/orders/${id}/cancel`)).status).toBe(404);
    expect((await orders.call(person(), 'GET', `/v1/orders?user=${ada.id}`)).status).toBe(403);
    const listed = await orders.call(sales, 'GET', `/v1/orders?user=${ada.id}&status=awaiting-payment`);
    expect(listed.body.data.map((each: any) => each.id)).toEqual([adas.id]);
  });

  it('staff by what is to be done: by fulfilment, payment, time, number, and email of a guest', async () => {
    const email = 'Found@Example.com';
    const sending = send(null, await newCart(null), { email });
    const of = await reserve();
    await holdDiscounts(of);
    await openPage(of);
    const guests = (await sending).body;
    await answer(billingEvents.orderPaymentChanged, guests.id, paid(total), 2);
    const { number, createdAt } = await statusOf(guests.id, 'placed');
    await answer(billingEvents.orderPaymentChanged, guests.id, { ...paid(total), disputed: 1, state: 'disputed' }, 3);
    await eventually(
      async () => (await statusOf(guests.id, 'placed')).paymentStatus === 'disputed' || undefined,
      'the dispute',
    );
    const ada = person();
    const [open, part] = [await sendAndPay(ada), await sendAndPay(ada)];
    const lines = [{ lineId: '1', quantity: 1 }];
    expect((await orders.call(sales, 'POST', `/v1/orders/${part.id}/shipments`, { lines })).status).toBe(201);
    const waiting = await sendToPay(ada);

    const ids = async (query: string, who = sales) =>
      (await orders.call(who, 'GET', `/v1/orders?limit=100&${query}`)).body.data.map((each: any) => each.id);
    expect(await ids(`q=${number.toLowerCase()}`)).toEqual([guests.id]);
    expect(await ids(`q=${encodeURIComponent(email)}`)).toEqual([guests.id]);
    expect(await ids(`q=${number}&status=cancelled`)).toEqual([]);
    expect(await ids('payment=disputed')).toEqual([guests.id]);
    expect(await ids('payment=disputed&fulfilment=delivered')).toEqual([]);
    expect(await ids('fulfilment=open&payment=disputed')).toEqual([guests.id]);
    expect(await ids('fulfilment=partial')).toEqual([part.id]);
    expect((await ids(`fulfilment=open&from=${createdAt}`)).slice(0, 2)).toEqual([open.id, guests.id]);
    expect(await ids(`fulfilment=open&from=${createdAt}`)).not.toContain(waiting.id);
    expect(await ids(`from=${createdAt}&to=${open.createdAt}`)).toEqual([guests.id]);
    expect(await ids('fulfilment=partial', ada)).toEqual([part.id]);
    expect(await ids(`q=${number}`, ada)).toEqual([]);
  });
});

describe('papers of an order', () => {
  const read = (who: Person | null, path: string, headers = {}) => orders.call(who, 'GET', path, undefined, headers);
  /** Of a PDF: its begin, and the name of the file. */
  const paperOf = ({ status, headers, body }: Awaited<ReturnType<typeof read>>) => [
    status,
    headers.get('content-type'),
    headers.get('content-disposition'),
    String(body).slice(0, 5),
  ];

  it('confirm it to its buyer and to staff, and are packed by staff, once it is placed', async () => {
    const sending = send(null, await newCart(null));
    const id = await reserve();
    await holdDiscounts(id);
    await openPage(id);
    const { orderSecret } = (await sending).body;
    const asGuest = { 'order-secret': orderSecret };
    const [confirmation, slip] = [`/v1/orders/${id}/confirmation.pdf`, `/v1/orders/${id}/packing-slip.pdf`];
    for (const [who, path] of [
      [null, confirmation],
      [sales, confirmation],
      [sales, slip],
    ] as const)
      expect((await read(who, path, who === null ? asGuest : {})).body).toMatchObject({
        status: 409,
        code: 'order_not_placed',
        detail: 'This order is awaiting-payment: only one that is placed has papers.',
      });
    await answer(billingEvents.orderPaymentChanged, id, paid(total), 2);
    const { number } = await statusOf(id, 'placed');
    const pdf = (name: string) => [200, 'application/pdf', `inline; filename="${name}.pdf"`, '%PDF-'];
    for (const [who, headers] of [
      [null, asGuest],
      [sales, {}],
    ] as const)
      expect(paperOf(await read(who, confirmation, headers))).toEqual(pdf(number));
    expect(paperOf(await read(sales, slip))).toEqual(pdf(`packing-slip-${number}`));
    const others = [read(null, confirmation), read(person(), confirmation), read(person(), slip), read(null, slip)];
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([404, 404, 403, 401]);
    expect((await read(sales, `${slip}?shipmentId=${newId('shpm')}`)).status).toBe(404);

    const shipped = await orders.call(sales, 'POST', `/v1/orders/${id}/shipments`, { carrier: 'DHL' });
    const [shipment] = shipped.body.shipments;
    expect((await read(sales, slip)).body.code).toBe('nothing_to_ship');
    expect(paperOf(await read(sales, `${slip}?shipmentId=${shipment.id}`))).toEqual(pdf(`packing-slip-${shipment.id}`));
    const ada = person();
    const adas = await sendAndPay(ada);
    expect(paperOf(await read(ada, `/v1/orders/${adas.id}/confirmation.pdf`))).toEqual(pdf(adas.number));
  });

  it('are exported for a bookkeeper: all that were placed in a period, the oldest first', async () => {
    const ada = person();
    const [first, second, unpaid] = [await sendAndPay(ada), await sendAndPay(ada), await sendToPay(ada)];
    const placed = (id: string, at: string) =>
      orders.collection('orders').updateOne({ _id: id }, { $set: { placedAt: new Date(at) }, $inc: { version: 1 } });
    await placed(first.id, '2001-03-02T10:00:00Z');
    await placed(second.id, '2001-02-28T23:30:00Z');
    const of = async (from: string, to: string, dialect = 'standard') =>
      read(sales, `/v1/orders/export?from=${from}&to=${to}&dialect=${dialect}`);
    const march = await of('2001-03-01', '2001-04-01');
    expect(march.status).toBe(200);
    expect(march.headers.get('content-type')).toMatch(/^text\/csv; charset=utf-8/);
    expect(march.headers.get('content-disposition')).toBe('attachment; filename="orders-2001-03-01-2001-04-01.csv"');
    const rows = String(march.body).trimEnd().split('\r\n');
    expect(rows.slice(1)).toEqual(
      [
        [second, '2001-03-01', '2001-02-28T23:30:00.000Z'],
        [first, '2001-03-02', '2001-03-02T10:00:00.000Z'],
      ].map(
        ([{ number, id }, day, at]) =>
          `${number},${id},${day},${at},placed,retail,DE,,card,false,EUR,19,37.80,7.18,44.98,5.00,0.00,44.98,0.00`,
      ),
    );
    expect(String((await of('2001-03-02', '2001-04-01', 'excel-de')).body)).toContain(';37,80;7,18;44,98;');
    const none = String((await of('2001-02-01', '2001-03-01')).body);
    expect(none.trimEnd().split('\r\n')).toEqual([rows[0]]);
    expect(String((await of('1900-01-01', '2100-01-01')).body)).not.toContain(unpaid.id);
    expect((await read(ada, '/v1/orders/export?from=2001-03-01&to=2001-04-01')).status).toBe(403);
    expect((await of('2001-02-30', '2001-04-01')).body.code).toBe('validation_failed');
  });
});

it('lists for staff what they have to see to: stuck, disputed, or with a refund that has failed', async () => {
  const ada = person();
  const ids = async (attention: string) =>
    (await orders.call(sales, 'GET', `/v1/orders?limit=100&user=${ada.id}&attention=${attention}`)).body.data.map(
      ({ id, attention: why }: any) => [id, why],
    );
  const { id } = await sendToPay(ada);
  await orders.call(ada, 'POST', `/v1/orders/${id}/cancel`);
  orders.advance(14 * 60);
  expect(await ids('stuck')).toEqual([]);
  orders.advance(2 * 60);
  expect(await ids('stuck')).toEqual([[id, ['stuck']]]);
  await answer(billingEvents.paymentClosed, id, { currency: 'EUR', received: total, refunded: 0 });
  await statusOf(id, 'cancelled');
  expect(await ids('stuck')).toEqual([]);

  const failed = { ...paid(total), refundsFailed: total };
  await answer(billingEvents.orderPaymentChanged, id, { ...failed, disputed: 100, state: 'disputed' }, 5);
  await eventually(async () => (await ids('disputed')).length > 0, 'the dispute');
  expect(await ids('disputed')).toEqual([[id, ['disputed', 'refund-failed']]]);
  await answer(billingEvents.orderPaymentChanged, id, failed, 6);
  await eventually(async () => (await ids('disputed')).length === 0, 'the dispute to be over');
  expect(await ids('refund-failed')).toEqual([[id, ['refund-failed']]]);
  await answer(billingEvents.orderPaymentChanged, id, paid(total, total), 7);
  await eventually(async () => (await ids('refund-failed')).length === 0, 'the refund');
  expect((await orders.call(ada, 'GET', '/v1/orders?attention=stuck')).body.code).toBe('role_required');
  expect((await orders.call(ada, 'GET', `/v1/orders/${id}`)).body).not.toHaveProperty('attention');
});

it('exports the orders of a user, and erases them: unpaid ones end', async () => {
  const ada = person();
  const { id } = await sendToPay(ada);
  const placed = await sendToPay(ada);
  await answer(billingEvents.orderPaymentChanged, placed.id, paid(total), 2);
  await statusOf(placed.id, 'placed');
  const refund = { goodwill: { amount: 1, currency: 'EUR' }, reason: 'Complains a lot.' };
  expect((await orders.call(sales, 'POST', `/v1/orders/${placed.id}/refunds`, refund)).status).toBe(200);
  const exportId = newId('exp');
  await orders.publish(newEvent(identityEvents.userExportRequested, ada.id, { exportId, email: 'a@b.c' }));
  const exported = await published(userDataEvents.orders.exported, ada.id);
  const text = JSON.stringify(exported.data);
  expect(text).toContain('Keizersgracht 1');
  expect(text).toContain('"refunded"');
  expect(text).not.toContain(refund.reason);
  await orders.publish(newEvent(identityEvents.userErasureRequested, ada.id, { email: 'a@b.c', role: 'retail' }));
  await published(userDataEvents.orders.erased, ada.id);
  expect((await statusOf(id, 'closing')).status).toBe('closing');
  await answer(billingEvents.paymentClosed, id, { currency: 'EUR', received: 0, refunded: 0 });
  expect(await statusOf(id, 'cancelled')).toMatchObject({ userId: null, shippingAddress: { lastName: '' } });
  expect((await statusOf(placed.id, 'placed')).shippingAddress.lastName).toBe('Lovelace');
});

describe('what staff change of an order', () => {
  it('is its note, which its buyer never sees, and its address until something is shipped', async () => {
    const ada = person();
    const { id } = await sendAndPay(ada);
    const change = (given: object) => orders.call(sales, 'PATCH', `/v1/orders/${id}`, given);
    expect((await change({ staffNote: 'Calls back.' })).body).toMatchObject({ staffNote: 'Calls back.' });
    const moved = await change({ shippingAddress: { ...shippingAddress, city: 'Potsdam' } });
    expect(moved.body).toMatchObject({ staffNote: 'Calls back.', shippingAddress: { city: 'Potsdam' } });
    expect(moved.body.timeline.at(-1)).toMatchObject({ what: 'address-changed', by: 'shop' });
    expect(moved.body.billingAddress.city).toBe('Berlin');
    const { body: seenByBuyer } = await orders.call(ada, 'GET', `/v1/orders/${id}`);
    expect(seenByBuyer.shippingAddress.city).toBe('Potsdam');
    expect(JSON.stringify(seenByBuyer)).not.toContain('Calls back.');
    // After that of the note.
    await eventually(() => {
      const audited = orders.eventsOf(id, auditEvents.orders.type).map(({ data }) => data);
      expect(audited.at(-1)).toMatchObject({ action: 'order-changed', details: { fields: 'shippingAddress' } });
      return true;
    }, 'the entry about the address');

    const abroad = await change({ shippingAddress: { ...shippingAddress, country: 'NL' } });
    expect(wrongFields(abroad)).toEqual({ '/shippingAddress/country': 'other_country' });
    expect((await change({})).status).toBe(400);
    expect((await orders.call(ada, 'PATCH', `/v1/orders/${id}`, { staffNote: null })).status).toBe(403);
    const lines = [{ lineId: '1', quantity: 1 }];
    expect((await orders.call(sales, 'POST', `/v1/orders/${id}/shipments`, { lines })).status).toBe(201);
    expect((await change({ shippingAddress })).body.code).toBe('invalid_transition');
    expect((await change({ staffNote: null })).body).toMatchObject({ staffNote: null });
  });

  it('may be a mail that is sent again: the confirmation, or the last one, and five a day to one buyer', async () => {
    const ada = person();
    const { id } = await sendAndPay(ada);
    const again = (mail?: string, key = newId('evt'), of = id) =>
      orders.call(sales, 'POST', `/v1/orders/${of}/mails`, mail && { mail }, { 'idempotency-key': key });
    const mails = async () => {
      await orders.idle();
      return orders.eventsOf(id, ordersEvents.orderProgressed.type).map(({ data }) => data);
    };
    const unpaid = await sendToPay(ada);
    expect((await again('last', newId('evt'), unpaid.id)).body.code).toBe('invalid_transition');
    const key = newId('evt');
    const [first, same] = [await again(undefined, key), await again(undefined, key)];
    expect([first.status, same.status]).toEqual([200, 200]);
    expect(first.body.timeline.at(-1)).toMatchObject({ what: 'mailed-again', by: 'shop' });
    const [confirmed, repeated, ...none] = await mails();
    expect(confirmed.kind).toBe('confirmed');
    expect(repeated).toEqual(confirmed);
    expect(none).toEqual([]);
    const parcel = { lines: [{ lineId: '1', quantity: 1 }], trackingNumber: 'JJD-7' };
    await orders.call(sales, 'POST', `/v1/orders/${id}/shipments`, parcel);
    expect((await again('last')).status).toBe(200);
    const [, , shipped, shippedAgain] = await mails();
    expect(shipped).toMatchObject({ kind: 'shipped', tracking: { number: 'JJD-7' }, lines: [{ quantity: 1 }] });
    expect(shippedAgain).toEqual(shipped);
    const more = await Promise.all(Array.from({ length: 5 }, () => again('last')));
    expect(more.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 429, 429]);
    const other = await sendAndPay(ada);
    expect((await again('last', newId('evt'), other.id)).body.code).toBe('too_many_mails');
  });
});

describe("a guest's order", () => {
  it('becomes that of a user with its secret, which ends; of nobody else, and not before it is placed', async () => {
    const { id, orderSecret } = await sendToPay(null);
    const [ada, other] = [person(), person()];
    const claim = (who: Person | null, secret = orderSecret) =>
      orders.call(who, 'POST', `/v1/orders/${id}/claim`, undefined, { 'order-secret': secret });
    expect((await claim(ada)).body.code).toBe('invalid_transition');
    await answer(billingEvents.orderPaymentChanged, id, paid(total), 2);
    await statusOf(id, 'placed');
    expect((await claim(ada, 'x'.repeat(43))).status).toBe(404);
    expect((await claim(person('trade'))).body.code).toBe('retail_account_required');
    expect((await claim(null)).status).toBe(401);

    const claimed = await claim(ada);
    expect(claimed).toMatchObject({ status: 200, body: { id, userId: ada.id } });
    expect(claimed.body.timeline.at(-1)).toMatchObject({ what: 'claimed', by: 'buyer' });
    expect([(await claim(ada)).status, (await claim(other)).status]).toEqual([200, 404]);
    const secret = { 'order-secret': orderSecret };
    const nobody: Person | null = null;
    expect((await orders.call(nobody, 'GET', `/v1/orders/${id}`, undefined, secret)).status).toBe(404);
    expect((await orders.call(ada, 'GET', '/v1/orders')).body.data.map((each: any) => each.id)).toEqual([id]);
    // It was counted as that of a guest when it was placed.
    await orders.call(sales, 'POST', `/v1/orders/${id}/cancel`);
    expect((await published(ordersEvents.orderCancelled, id)).data).toMatchObject({ userId: ada.id, segment: 'guest' });
  });

  it('is claimed by one of two at once, and by nobody who is erased', async () => {
    const { id, orderSecret } = await sendAndPayAsGuest();
    const claim = (who: Person) =>
      orders.call(who, 'POST', `/v1/orders/${id}/claim`, undefined, { 'order-secret': orderSecret });
    const gone = person();
    await orders.publish(newEvent(identityEvents.userErasureRequested, gone.id, { email: 'a@b.c', role: 'retail' }));
    await published(userDataEvents.orders.erased, gone.id);
    expect((await claim(gone)).status).toBe(404);
    const both = await Promise.all([claim(person()), claim(person())]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
  });
});

async function sendAndPayAsGuest(): Promise<any> {
  const sent = await sendToPay(null);
  await answer(billingEvents.orderPaymentChanged, sent.id, paid(total), 2);
  await statusOf(sent.id, 'placed');
  return sent;
}

it('deletes orders after the years of retention, and gives no number twice after a restore', async () => {
  const ada = person();
  const [old, kept] = [await sendAndPay(ada), await sendAndPay(ada)];
  const year = new Date().getUTCFullYear();
  const sentAt = (id: string, at: string) =>
    orders.collection('orders').updateOne({ _id: id }, { $set: { createdAt: new Date(at) }, $inc: { version: 1 } });
  await sentAt(old.id, `${year - 11}-12-31T23:59:59Z`);
  await sentAt(kept.id, `${year - 10}-01-01T00:00:00Z`);
  await orders.another();
  await eventually(
    async () => (await orders.collection('orders').countDocuments({ _id: old.id })) === 0,
    'the old order to be deleted',
  );
  expect((await statusOf(kept.id, 'placed')).number).toBe(kept.number);

  const store = openOrders({ database: orders.connection, relay: noRelay, now: () => new Date() });
  const last = Number(kept.number.split('-')[2]);
  // The counter of an older backup.
  await orders.collection('order_numbers').updateOne({ _id: `ORD-${year}` }, { $set: { last: 1 } });
  expect(await nextNumber({ number: '1' }, store)).toContain(`-${String(last + 1).padStart(6, '0')} is`);
  expect(await nextNumber({ number: '4712' }, store)).toBe(`ORD-${year}-004712 is given next.`);
  expect((await sendAndPay(ada)).number).toBe(`ORD-${year}-004712`);
  await expect(nextNumber({ number: '0' }, store)).rejects.toThrow('--number must be a whole number above 0');
});
