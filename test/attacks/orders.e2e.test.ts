import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newProduct } from './matrix/fixtures.ts';
import type { Call } from './system/caller.ts';
import type { Seen } from './system/leaks.ts';
import { applyForTrade, expectStatus, hireStaff, judge, logIn, signUp, type Person } from './system/people.ts';
import { startSystem, type System } from './system/system.ts';

// Few orders of a network may be unpaid, so each guest has an address of their own, which the load balancer names.
const loadBalancer = '127.0.0.1';
const price = 1999;
const stock = 50;
const euros = (amount: number) => ({ amount, currency: 'EUR' });
const shippingAddress = {
  firstName: 'Gwen',
  lastName: 'Guest',
  homeAddress: 'Torstraße 6',
  city: '10119 Berlin',
  country: 'DE',
};

let system: System;
let admin: Person;
let productId: string;
let shippingOptionId: string;
let guests = 0;

beforeAll(async () => {
  system = await startSystem('orders', { TRUST_PROXY: loadBalancer });
  admin = await logIn(system, system.admin);
  const { token } = admin;
  const body = { ...newProduct(), stock, status: 'active' };
  productId = (await expectStatus(system.call('POST', '/v1/products', { token, body }), 201)).id;
  const option = { name: 'Parcel', price: euros(495) };
  shippingOptionId = (await expectStatus(system.call('POST', '/v1/shipping-options', { token, body: option }), 201)).id;
  await eventually(
    async () => (await newCart(aGuest(), 1)).status === 201 || undefined,
    'the product to be known to carts',
  );
});
afterAll(() => system?.close());

type Ask = (method: string, path: string, call?: Call) => Promise<Seen>;

function aGuest(): Ask {
  guests += 1;
  const network = { 'x-forwarded-for': `198.51.${guests}.1` };
  return (method, path, call) => system.call(method, path, { ...call, headers: { ...network, ...call?.headers } });
}

const newCart = (ask: Ask, quantity: unknown) =>
  ask('POST', '/v1/carts', { body: { lines: [{ productId, quantity }] } });

/** Sends an order of one piece by card, with what is stated in place of the right values. */
async function send(ask: Ask, stated: object = {}): Promise<Seen> {
  const cart = await expectStatus(newCart(ask, 1), 201);
  const body = {
    cartId: cart.id,
    shippingOptionId,
    shippingAddress,
    email: `guest-${guests}@example.com`,
    payment: { method: 'card' },
    expectedTotal: euros(price + 495),
    ...stated,
  };
  return ask('POST', '/v1/orders', { body });
}

interface Placed {
  readonly id: string;
  readonly secret: string;
  readonly ask: Ask;
}

/** An order of a guest that is paid. */
async function placedOrder(): Promise<Placed> {
  const ask = aGuest();
  const sent = await send(ask);
  const { id, orderSecret: secret } = sent.body;
  system.leaks.keepSecret(secret);
  const until = <Found>(find: (order: any) => Found | undefined, what: string) =>
    eventually(
      async () => find((await ask('GET', `/v1/orders/${id}`, { headers: { 'order-secret': secret } })).body),
      what,
    );
  const page = await until(({ payment }) => (payment.redirectUrl as string | null) ?? undefined, 'a page to pay on');
  await fetch(page, { method: 'POST', body: new URLSearchParams({ action: 'pay' }), redirect: 'manual' });
  await until(({ status }) => status === 'placed' || undefined, 'the order to be placed');
  return { id, secret, ask };
}

/** Spellings near a secret, and what stands for none. */
function nearlyRight(secret: string): readonly (string | undefined)[] {
  const other = (letter: string) => (letter === 'A' ? 'B' : 'A');
  return [
    undefined,
    '',
    'null',
    '*',
    '{"$ne":null}',
    secret.slice(0, -1),
    `${secret}A`,
    secret.toLowerCase(),
    secret.toUpperCase(),
    // As a list of several headers is read.
    `${secret}, ${secret}`,
    'A'.repeat(secret.length),
    ...[0, 20, 41].map((at) => secret.slice(0, at) + other(secret.charAt(at)) + secret.slice(at + 1)),
  ];
}

/** What an answer says, but for the words that name the very request. */
function words({ status, body }: Seen): unknown {
  const { instance: _instance, requestId: _requestId, ...rest } = body ?? {};
  return { status, body: rest };
}

describe("a guest's order", () => {
  it('looks absent to whoever has no secret, another one or nearly the right one, whatever they do with it', async () => {
    const { id, secret, ask } = await placedOrder();
    const elsewhere = await placedOrder();
    const absent = id.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    const lines = [{ lineId: '1', quantity: 1 }];
    const moves: [method: string, path: string, body?: object][] = [
      ['GET', ''],
      ['GET', '/confirmation.pdf'],
      ['POST', '/pay'],
      ['POST', '/cancel', { reason: 'No.' }],
      ['POST', '/returns', { lines, reason: 'No.' }],
    ];
    const stranger = aGuest();
    for (const [method, path, body] of moves) {
      const tried = async (orderId: string, guess: string | undefined) =>
        words(
          await stranger(method, `/v1/orders/${orderId}${path}`, {
            ...(body && { body }),
            headers: guess === undefined ? {} : { 'order-secret': guess },
          }),
        );
      const right = await tried(absent, secret);
      expect(right).toMatchObject({ status: 404 });
      for (const guess of [...nearlyRight(secret), elsewhere.secret])
        expect(await tried(id, guess), `${method} ${path} with ${guess}`).toEqual(right);
    }
    const order = await ask('GET', `/v1/orders/${id}`, { headers: { 'order-secret': secret } });
    expect(order.body).toMatchObject({ status: 'placed', returns: [] });
  });

  it('is claimed by nobody without its secret: no user, no staff, no trade account, not even with it', async () => {
    const { id, secret, ask } = await placedOrder();
    const claim = (who: Person | null, guess?: string) =>
      system.call('POST', `/v1/orders/${id}/claim`, {
        token: who?.token,
        headers: guess === undefined ? {} : { 'order-secret': guess },
      });
    const [owner, stranger] = await Promise.all([signUp(system, 'claimer'), signUp(system, 'stranger')]);
    const applied = await applyForTrade(system, admin, 'claiming');
    await judge(system, admin, applied.id, 'approve');
    const trade = await logIn(system, applied);
    const staff = await hireStaff(system);
    const show = async () => (await system.call('GET', `/v1/orders/${id}`, { token: admin.token })).body;
    const before = await show();

    for (const who of [stranger, trade, admin, ...Object.values(staff)])
      for (const guess of nearlyRight(secret))
        expect((await claim(who, guess)).status, `${who.email} with ${guess}`).toBe(404);
    for (const guess of [undefined, secret]) expect((await claim(null, guess)).status).toBe(401);
    expect((await claim(trade, secret)).body.code).toBe('retail_account_required');
    const made = { name: 'Everything about orders', scopes: ['orders:read', 'orders:write'] };
    const program = await expectStatus(system.call('POST', '/v1/api-tokens', { token: admin.token, body: made }), 201);
    system.leaks.keepSecret(program.token);
    expect((await claim({ ...stranger, token: program.token }, secret)).body.code).toBe('scope_required');
    expect(await show()).toEqual(before);

    // Only once, however many have the secret at the same moment.
    const both = await Promise.all([claim(owner, secret), claim(stranger, secret)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
    const [won, lost] = both[0].status === 200 ? [owner, stranger] : [stranger, owner];
    expect((await claim(lost, secret)).status).toBe(404);
    const read = (who: Person | null) =>
      ask('GET', `/v1/orders/${id}`, { token: who?.token, headers: { 'order-secret': secret } });
    expect([(await read(null)).status, (await read(lost)).status, (await read(won)).status]).toEqual([404, 404, 200]);
  });
});

describe('what a client states of an order', () => {
  const free = async () => {
    const { body } = await system.call('GET', `/v1/products/${productId}`, { token: admin.token });
    return { stock: body.stock as number, reserved: body.reserved as number };
  };

  it('is no quantity below one or beyond what a cart holds, and no price', async () => {
    const ask = aGuest();
    const cart = await expectStatus(newCart(ask, 1), 201);
    const [{ variantId }] = cart.lines;
    const odd = [0, -1, -999, 0.5, 1000, 2 ** 31, 2 ** 53, 1e308, '2', '1e2', null, [1], { $gt: 0 }];
    for (const quantity of odd) {
      expect((await newCart(ask, quantity)).status, `a cart with ${JSON.stringify(quantity)}`).toBe(400);
      const set = await ask('PUT', `/v1/carts/${cart.id}/lines/${variantId}`, { body: { quantity } });
      expect(set.status, `a line with ${JSON.stringify(quantity)}`).toBe(400);
    }
    const many = { productId, quantity: 999 };
    const added = await ask('POST', '/v1/carts', { body: { lines: [many, many] } });
    expect(added.body).toMatchObject({ lines: [{ quantity: 999 }] });
    for (const line of [
      { ...many, unitPrice: euros(1) },
      { ...many, discount: euros(-1) },
    ])
      expect((await ask('POST', '/v1/carts', { body: { lines: [line] } })).status).toBe(400);
    expect((await ask('GET', `/v1/carts/${cart.id}`)).body).toMatchObject({ lines: [{ quantity: 1 }] });
  });

  it('is no total but the right one, in no other currency; nothing stays reserved', async () => {
    const before = await free();
    const right = price + 495;
    const refused: [unknown, number][] = [
      [euros(0), 422],
      [euros(1), 422],
      [euros(right - 1), 422],
      [euros(right + 1), 422],
      [{ amount: right, currency: 'USD' }, 400],
      [{ amount: right, currency: 'JPY' }, 400],
      [{ amount: right, currency: 'eur' }, 400],
      [{ amount: right, currency: 'EUR ' }, 400],
      [{ amount: right, currency: '€' }, 400],
      [{ amount: -right, currency: 'EUR' }, 400],
      [{ amount: right + 0.5, currency: 'EUR' }, 400],
      [{ amount: String(right), currency: 'EUR' }, 400],
      [{ amount: 2 ** 53, currency: 'EUR' }, 400],
      [right, 400],
    ];
    for (const [expectedTotal, status] of refused) {
      const answer = await send(aGuest(), { expectedTotal });
      expect(answer.status, `${JSON.stringify(expectedTotal)}: ${answer.text}`).toBe(status);
    }
    for (const stated of [{ totals: { total: euros(1) } }, { lines: [{ total: euros(1) }] }, { currency: 'JPY' }])
      expect((await send(aGuest(), stated)).status, JSON.stringify(stated)).toBe(400);
    await eventually(async () => (await free()).reserved === before.reserved || undefined, 'all to be given back');
    expect(await free()).toEqual(before);
  });

  it('is no discount: an evaluation that was made up changes what is shown, and nothing that is paid', async () => {
    const ask = aGuest();
    const cart = await expectStatus(newCart(ask, 1), 201);
    const [{ variantId }] = cart.lines;
    const evaluation = { lines: [{ productId, variantId, discount: euros(price) }], shippingDiscount: euros(495) };
    const quote = await ask('POST', `/v1/carts/${cart.id}/quote`, {
      body: { shippingOptionId, country: 'DE', evaluation },
    });
    const { expectedTotal } = await expectStatus(Promise.resolve(quote), 200);
    expect(expectedTotal).toEqual(euros(0));
    const answer = await send(ask, { cartId: cart.id, expectedTotal });
    expect(answer).toMatchObject({ status: 422, body: { code: 'discount_changed', total: euros(price + 495) } });
  });

  it('is no refund in another currency, below one or beyond what was paid', async () => {
    const { id } = await placedOrder();
    const refund = (goodwill: object) =>
      system.call('POST', `/v1/orders/${id}/refunds`, { token: admin.token, body: { goodwill, reason: 'So.' } });
    const odd = [euros(-1), euros(0), euros(1.5), { amount: 100, currency: 'JPY' }, euros(price + 496)];
    for (const goodwill of odd) {
      const { status, text } = await refund(goodwill);
      expect([400, 422], `${JSON.stringify(goodwill)}: ${text}`).toContain(status);
    }
    const { body } = await system.call('GET', `/v1/orders/${id}`, { token: admin.token });
    expect(body.totals).toMatchObject({ kept: euros(price + 495), refunded: euros(0) });
  });
});

it('no answer and no log line holds a secret', () => {
  expect(system.leaks.findings()).toEqual([]);
});
