import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startStack, type Stack } from '@storefront/stack';
import { eventually, freshVhost, memoryLogger, plainEnv } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { clientOf, codeIn, mailTo, type Client } from './client.ts';
import { shiftDate } from './faults/system/shifted-date.ts';
import { patient } from './patient.ts';
import { expectOk } from './people.ts';

const shiftClock = shiftDate();
const [minute, day] = [60_000, 24 * 60 * 60_000];
const eur = (amount: number) => ({ amount, currency: 'EUR' });
const shippingAddress = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  homeAddress: 'Torstraße 6',
  city: '10119 Berlin',
  country: 'DE',
};

/** `npm run proof` takes both; the orders of the faults go over RabbitMQ in `npm test`. */
const buses =
  process.env['CHECKOUT_BUSES'] === 'all' ? (['rabbitmq', 'in-process'] as const) : (['in-process'] as const);

describe.each(buses)('a shop that sells, on the bus %s', (bus) => {
  let vhost: { url: string; drop(): Promise<void> };
  let dataDir: string;
  let stack: Stack;
  let client: Client;
  let admin: string;
  let productId: string;

  beforeAll(async () => {
    vhost = await freshVhost('checkout');
    dataDir = await mkdtemp(join(tmpdir(), 'storefront-checkout-'));
    const { logger } = memoryLogger();
    stack = await startStack({
      env: {
        PORT: '0',
        ...patient,
        MONGODB_URL: inject('mongodbUrl'),
        ...(bus === 'rabbitmq' && { AMQP_URL: vhost.url }),
      },
      dataDir,
      bus,
      empty: true,
      databasePrefix: `checkout_${randomBytes(4).toString('hex')}_`,
      loggerOf: (name) => logger.child({ name }),
    });
    client = clientOf(stack.gateways[0] ?? '');
    admin = expectOk(await client.call('POST', '/v1/auth/login', { body: stack.accounts.admin })).accessToken;
    const product = { sku: 'MUG', name: 'Mug', price: eur(1999), tradePrice: eur(1450), stock: 5, status: 'active' };
    productId = expectOk(await client.call('POST', '/v1/products', { token: admin, body: product })).id;
    const option = { name: 'Parcel', price: eur(495) };
    expectOk(await client.call('POST', '/v1/shipping-options', { token: admin, body: option }));
    const cart = { lines: [{ productId, quantity: 1 }] };
    await eventually(
      async () => (await client.call('POST', '/v1/discounts/evaluate', { body: cart })).status === 200 || undefined,
      'the product to be known to discounts',
    );
  });
  afterAll(async () => {
    await stack?.close();
    await vhost.drop();
    await rm(dataDir, { recursive: true, force: true });
    shiftClock(0);
  });

  /** Puts mugs into a cart and works out what an order of it costs. */
  async function ready(quantity: number, token?: string): Promise<any> {
    const { id: cartId } = await eventually(async () => {
      const body = { lines: [{ productId, quantity }] };
      const made = await client.call('POST', '/v1/carts', { ...(token && { token }), body });
      return made.status === 201 ? made.body : undefined;
    }, 'the product to be known to carts');
    const { data } = expectOk(await client.call('GET', `/v1/carts/${cartId}/shipping-options?country=DE`));
    const shippingOptionId = data[0].id;
    const body = { shippingOptionId, country: 'DE' };
    const { expectedTotal } = expectOk(
      await client.call('POST', `/v1/carts/${cartId}/quote`, { ...(token && { token }), body }),
    );
    return { cartId, shippingOptionId, shippingAddress, expectedTotal };
  }

  async function stockOf(): Promise<any> {
    const { stock, reserved } = expectOk(await client.call('GET', `/v1/products/${productId}`, { token: admin }));
    return { stock, reserved };
  }

  async function untilStatus(id: string, status: string, headers = {}, token?: string): Promise<any> {
    return eventually(async () => {
      const { body } = await client.call('GET', `/v1/orders/${id}`, { headers, ...(token && { token }) });
      return body.status === status ? body : undefined;
    }, `the order to be ${status}`);
  }

  async function atProvider(payment: any, what: string, body: object): Promise<void> {
    const { origin } = new URL(payment.redirectUrl);
    const answer = await fetch(`${origin}/api/payments/${payment.id}/${what}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${stack.payments.demo?.secret}` },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(202);
  }

  /** Has the provider send a callback, as it is. */
  async function atProviderCallback(payment: any, callback: object): Promise<void> {
    const { origin } = new URL(payment.redirectUrl);
    const answer = await fetch(`${origin}/api/callbacks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${stack.payments.demo?.secret}` },
      body: JSON.stringify(callback),
    });
    expect(answer.status).toBe(202);
  }

  it('sells to a guest by card: reserved, paid on the page, placed, and confirmed by mail', async () => {
    const email = 'guest@checkout.example';
    const sent = await client.call('POST', '/v1/orders', {
      body: { ...(await ready(2)), email, payment: { method: 'card' } },
    });
    expect(sent.status).toBe(201);
    const { id, orderSecret, payment, totals } = sent.body;
    expect(sent.body).toMatchObject({ status: 'awaiting-payment', totals: { total: eur(4493) } });
    expect(await stockOf()).toEqual({ stock: 5, reserved: 2 });
    expect((await client.call('GET', `/v1/orders/${id}`)).status).toBe(404);

    const page = await fetch(payment.redirectUrl);
    expect(await page.text()).toContain('44.93');
    await atProvider(payment, 'pay', totals.total);
    const placed = await untilStatus(id, 'placed', { 'order-secret': orderSecret });
    expect(placed).toMatchObject({ paymentStatus: 'paid', totals: { paid: eur(4493) } });
    const mail = await mailTo(stack.mailbox ?? '', email, new RegExp(placed.number));
    expect(mail.Text).toContain('44.93');
    expect(mail.Text).toContain(orderSecret);

    // Cancelled before it is shipped: the pieces are back, and so is the money.
    expectOk(await client.call('POST', `/v1/orders/${id}/cancel`, { headers: { 'order-secret': orderSecret } }));
    await eventually(async () => {
      const { body } = await client.call('GET', `/v1/orders/${id}`, { headers: { 'order-secret': orderSecret } });
      return body.totals.refunded.amount === 4493 || undefined;
    }, 'the refund');
    await eventually(async () => (await stockOf()).reserved === 0 || undefined, 'the pieces to be free again');
  });

  it('ships one of two pieces, cancels the other, refunds something more, and takes the first one back', async () => {
    const email = 'parts@checkout.example';
    const sent = await client.call('POST', '/v1/orders', {
      body: { ...(await ready(2)), email, payment: { method: 'card' } },
    });
    const { id, orderSecret } = sent.body;
    const headers = { 'order-secret': orderSecret };
    await atProvider(await pageOf(id, headers), 'pay', eur(4493));
    await untilStatus(id, 'placed', headers);
    const staff = async (what: string, body: object) =>
      expectOk(await client.call('POST', `/v1/orders/${id}/${what}`, { token: admin, body }));
    const lines = [{ lineId: '1', quantity: 1 }];
    const before = await stockOf();
    const trackingUrl = 'https://parcels.example/JJD-7';
    expect(await staff('shipments', { lines, trackingUrl })).toMatchObject({ fulfilmentStatus: 'partial' });
    const reduced = await staff('cancel', { lines, reason: 'The last one is broken.' });
    // 44.93 less 19.99.
    expect(reduced).toMatchObject({ fulfilmentStatus: 'shipped', totals: { kept: eur(2494) } });
    const refunded = await staff('refunds', { goodwill: eur(400), reason: 'It came late.' });
    expect(refunded).toMatchObject({ totals: { kept: eur(2094) } });
    await eventually(async () => {
      const { body } = await client.call('GET', `/v1/orders/${id}`, { token: admin });
      return body.totals.refunded.amount === 4493 - 2094 || undefined;
    }, 'the refund of both');
    await eventually(
      async () =>
        ((await stockOf()).stock === before.stock - 1 && (await stockOf()).reserved === before.reserved - 2) ||
        undefined,
      'one piece to be gone, and the other one to be free again',
    );
    const mail = await mailTo(stack.mailbox ?? '', email, /on its way/);
    expect(mail.Text).toContain(trackingUrl);
    await mailTo(stack.mailbox ?? '', email, /A refund for/);

    const announced = await client.call('POST', `/v1/orders/${id}/returns`, {
      headers: { 'order-secret': orderSecret },
      body: { lines, reason: 'It is too small.' },
    });
    const [sentBack] = expectOk(announced).returns;
    expect(await staff(`returns/${sentBack.id}/receive`, {})).toMatchObject({ lines: [{ returned: 1 }] });
    // Shipping is left, less what was refunded before.
    expect(await staff('refunds', { lines, reason: 'It came back.' })).toMatchObject({ totals: { kept: eur(95) } });
    const { stock } = before;
    await eventually(async () => (await stockOf()).stock === stock || undefined, 'the piece to be counted again');
    await mailTo(stack.mailbox ?? '', email, /Your return of order/);
  });

  /** The payment of an order, once it has a page. */
  async function pageOf(id: string, headers: object): Promise<any> {
    return eventually(async () => {
      const { payment } = await untilStatus(id, 'awaiting-payment', headers);
      return payment.redirectUrl === null ? undefined : payment;
    }, 'the page of the order');
  }

  /** Sends an order of one mug as a guest, which costs 24.94 EUR. */
  async function sendMug(email: string): Promise<any> {
    const body = { ...(await ready(1)), email, payment: { method: 'card' } };
    const { id, orderSecret } = expectOk(await client.call('POST', '/v1/orders', { body }));
    const headers = { 'order-secret': orderSecret };
    return { id, payment: await pageOf(id, headers), headers };
  }

  /** Waits until the provider has sent what it had to, and returns what it says of the money of a payment. */
  async function statedOf(payment: any): Promise<string[]> {
    const { origin } = new URL(payment.redirectUrl);
    const headers = { authorization: `Bearer ${stack.payments.demo?.secret}` };
    const callbacks = await eventually(async () => {
      const answer = await fetch(`${origin}/api/callbacks?payment=${payment.id}`, { headers });
      const { callbacks: all } = (await answer.json()) as { callbacks: { state: string; body: string }[] };
      return all.every(({ state }) => state === 'delivered') ? all : undefined;
    }, 'the callbacks to be delivered');
    return callbacks.map(({ body }) => `${JSON.parse(body).type} ${JSON.parse(body).data.amount.amount}`);
  }

  it('is placed once by two payments, of which one goes back', async () => {
    const before = await stockOf();
    const email = 'twice@checkout.example';
    const { id, payment, headers } = await sendMug(email);
    await Promise.all([
      atProvider(payment, 'pay', { ...eur(2494), twice: true }),
      atProvider(payment, 'pay', { ...eur(2494), late: 1 }),
    ]);
    const { number } = await untilStatus(id, 'placed', headers);
    await eventually(async () => {
      const { body } = await client.call('GET', `/v1/orders/${id}`, { headers });
      return body.totals.paid.amount === 2 * 2494 && body.totals.refunded.amount === 2494;
    }, 'the second payment to go back');
    const stated = await statedOf(payment);
    expect(stated.filter((each) => each.startsWith('payment.refunded'))).toEqual(['payment.refunded 2494']);
    expect(await untilStatus(id, 'placed', headers)).toMatchObject({ number, totals: { kept: eur(2494) } });
    expect(await stockOf()).toEqual({ ...before, reserved: before.reserved + 1 });
    expectOk(await client.call('POST', `/v1/orders/${id}/cancel`, { headers }));
    await eventually(async () => (await stockOf()).reserved === before.reserved, 'the mug to be free again');
  });

  it('refuses what is not in stock, and reserves nothing of it', async () => {
    const body = { ...(await ready(6)), email: 'other@checkout.example', payment: { method: 'card' } };
    expect(await client.call('POST', '/v1/orders', { body })).toMatchObject({
      status: 422,
      body: { code: 'out_of_stock', lines: [{ reason: 'not-enough-stock', available: 5 }] },
    });
    expect(await stockOf()).toEqual({ stock: 5, reserved: 0 });
  });

  it('sells to whoever uses the command, who pays at once', async () => {
    const cli = fileURLToPath(new URL('../services/orders/src/cli.ts', import.meta.url));
    const run = (...args: readonly string[]) =>
      promisify(execFile)(process.execPath, ['--conditions=source', cli, 'place', ...args], {
        env: { ...plainEnv, DATA_DIR: dataDir },
      });
    const email = 'command@checkout.example';
    const { stdout, stderr } = await run(
      '--sku=MUG:2',
      `--email=${email}`,
      '--code=NOSUCH',
      '--reference=PO-1',
      '--pay',
    );
    const printed = JSON.parse(stdout);
    expect(printed).toMatchObject({
      status: 'placed',
      email,
      reference: 'PO-1',
      totals: { total: eur(4493), paid: eur(4493) },
      orderSecret: expect.any(String),
    });
    expect(stderr).toContain('2 × MUG Mug, 19.99 EUR each');
    expect(stderr).toContain('The code NOSUCH does not apply: unknown');
    expect(stderr).toContain(`It is placed as ${printed.number}.`);

    const refused = await run('--sku=MUG:2', '--sku=CUP').then(
      () => 'bought',
      ({ code, stderr: said }: { code: number; stderr: string }) => `${code} ${said}`,
    );
    expect(refused).toContain(
      '1 guest@example.com buys as a guest.\nThe search for CUP is refused (unknown_sku): nothing is for sale under it',
    );
    const secret = { 'order-secret': printed.orderSecret };
    expectOk(await client.call('POST', `/v1/orders/${printed.id}/cancel`, { headers: secret }));
  });

  it('sells to a trade account by invoice, to an address that it saved just now', async () => {
    const [email, password] = ['toni@checkout.example', 'a quiet lake in the morning'];
    const named = { email, password, firstName: 'Toni', lastName: 'Trade', phone: '+49 30 901820' };
    const applied = { ...named, businessName: 'Quay', businessAddress: 'Pier 4, Berlin', vatNumber: 'DE123456789' };
    const { registrationId } = expectOk(await client.call('POST', '/v1/auth/trade/register', { body: applied }));
    const code = codeIn(await mailTo(stack.mailbox ?? '', email, /code/i));
    await client.call('POST', '/v1/auth/verify', { body: { registrationId, code } });
    const { data } = expectOk(await client.call('GET', '/v1/trade-accounts', { token: admin }));
    const account = `/v1/trade-accounts/${data[0].id}`;
    expectOk(await client.call('POST', `${account}/approve`, { token: admin, body: {} }));
    const token = expectOk(await client.call('POST', '/v1/auth/login', { body: { email, password } })).accessToken;
    await eventually(
      async () => (await client.call('GET', '/v1/invoices/credit', { token })).status === 200 || undefined,
      'billing to know the account',
    );
    const home = { contactPhone: '+49 30 901820', homeAddress: 'Pier 4', city: '10115 Berlin', country: 'DE' };
    const { shippingAddress: _none, ...priced } = await ready(2, token);
    const recipient = { firstName: 'Toni', lastName: 'Trade', company: 'Quay' };
    const { id: addressId } = expectOk(await client.call('POST', '/v1/users/me/addresses', { token, body: home }));
    const to = { addressId, recipient };
    const body = { ...priced, ...to, payment: { method: 'invoice' }, reference: 'PO-7781' };
    const { status, body: sent } = await client.call('POST', '/v1/orders', { token, body });
    expect(status, JSON.stringify(sent)).toBeLessThan(203);
    const placed = await untilStatus(sent.id, 'placed', {}, token);
    expect(placed.shippingAddress).toMatchObject({ ...recipient, homeAddress: 'Pier 4', phone: '+4930901820' });
    // To somebody else there is no such address.
    const { shippingAddress: _neither, ...adminsCart } = await ready(1, admin);
    const elsewhere = { ...adminsCart, ...to, payment: { method: 'card' } };
    const { body: refused } = await client.call('POST', '/v1/orders', { token: admin, body: elsewhere });
    expect(refused.code ?? (await untilStatus(refused.id, 'refused', {}, admin)).refusal.code).toBe(
      'recipient_unknown',
    );
    const invoice = await eventually(async () => {
      const { data: invoices } = expectOk(await client.call('GET', '/v1/invoices', { token }));
      return invoices[0];
    }, 'the invoice');
    expect(invoice).toMatchObject({ orderRef: sent.id, reference: 'PO-7781', total: placed.totals.total });
    await mailTo(stack.mailbox ?? '', email, new RegExp(placed.number));

    // A part is credited of the invoice, and then the rest: as billing says, to the cent of what the order has kept.
    const until = (id: string, refunded: number) =>
      eventually(async () => {
        const { totals } = expectOk(await client.call('GET', `/v1/orders/${id}`, { token }));
        return totals.refunded.amount === refunded || undefined;
      }, 'what is credited');
    const total = placed.totals.total.amount;
    const part = { lines: [{ lineId: '1', quantity: 1 }], goodwill: eur(101), reason: 'It came late.' };
    const reduced = expectOk(await client.call('POST', `/v1/orders/${sent.id}/refunds`, { token: admin, body: part }));
    await until(sent.id, total - reduced.totals.kept.amount);
    expectOk(await client.call('POST', `/v1/orders/${sent.id}/cancel`, { token }));
    await until(sent.id, total);
    const credited = expectOk(await client.call('GET', `/v1/invoices/${invoice.id}`, { token }));
    expect(credited).toMatchObject({ credited: eur(total), balance: eur(0) });
    expect(credited.creditNotes.map((note: any) => note.total.amount)).toEqual([
      total - reduced.totals.kept.amount,
      reduced.totals.kept.amount,
    ]);

    const byCard = { ...(await ready(1, token)), payment: { method: 'card' } };
    const { body: other } = await client.call('POST', '/v1/orders', { token, body: byCard });
    await atProvider(other.payment, 'pay', other.totals.total);
    const paid = await eventually(async () => {
      const { data: invoices } = expectOk(await client.call('GET', '/v1/invoices?status=paid', { token }));
      return invoices.find(({ orderRef }: { orderRef: string }) => orderRef === other.id);
    }, 'the invoice of the order by card');
    expect(paid).toMatchObject({
      total: other.totals.total,
      balance: eur(0),
      payments: [{ paymentId: other.payment.id }],
    });
    const mail = await mailTo(stack.mailbox ?? '', email, new RegExp(paid.number));
    expect(mail.Text).toContain('paid with your order');
  });

  it.each([
    ['a minute', minute],
    ['a day', day],
  ])('refunds once what comes %s after its order was cancelled', async (_, later) => {
    const before = await stockOf();
    const { id, payment, headers } = await sendMug('late@checkout.example');
    // The provider tells of it only before the next callback of the payment.
    await atProvider(payment, 'pay', { ...eur(2494), outOfOrder: true });
    expectOk(await client.call('POST', `/v1/orders/${id}/cancel`, { headers }));
    await untilStatus(id, 'cancelled', headers);
    await eventually(async () => (await stockOf()).reserved === before.reserved, 'the mug to be free again');
    // It does not go back: nothing may happen before what has happened.
    shiftClock(later);
    admin = expectOk(await client.call('POST', '/v1/auth/login', { body: stack.accounts.admin })).accessToken;
    const [type, createdAt] = ['payment.failed', new Date().toISOString()];
    const data = { paymentId: payment.id, amount: eur(2494), providerReference: `dpr_${id}` };
    await atProviderCallback(payment, { id: `evt_${id}`, type, createdAt, data });
    await eventually(async () => {
      const { body } = await client.call('GET', `/v1/orders/${id}`, { headers });
      return body.totals.refunded.amount === 2494 && body;
    }, 'the refund');
    expect((await statedOf(payment)).toSorted()).toEqual([
      'payment.failed 2494',
      'payment.refunded 2494',
      'payment.succeeded 2494',
    ]);
    expect(await untilStatus(id, 'cancelled', headers)).toMatchObject({
      number: null,
      totals: { paid: eur(2494), refunded: eur(2494) },
    });
    expect(await stockOf()).toEqual(before);
  });

  // Nothing of it depends on the bus. The carts that were left are looked for every 15 s.
  it.runIf(bus === 'in-process')('reminds whoever wants offers of a cart that was left for a day', async () => {
    const [email, password] = ['robin@checkout.example', 'a quiet lake in the morning'];
    const person = { email, password, firstName: 'Robin', lastName: 'Retail' };
    const { registrationId } = expectOk(await client.call('POST', '/v1/auth/register', { body: person }));
    const code = codeIn(await mailTo(stack.mailbox ?? '', email, /code/i));
    const proved = await client.call('POST', '/v1/auth/verify', { body: { registrationId, code } });
    const token = expectOk(proved).accessToken;
    const wanted = { types: { offers: { EMAIL: true } } };
    expectOk(await client.call('PUT', '/v1/notifications/preferences', { token, body: wanted }));
    await ready(2, token);

    shiftClock(2 * day + minute);
    const mail = await mailTo(stack.mailbox ?? '', email, /You left Mug in your cart/);
    expect(mail.Text).toContain('39.98');
    const again = expectOk(await client.call('POST', '/v1/auth/login', { body: { email, password } })).accessToken;
    const { data } = expectOk(await client.call('GET', '/v1/notifications?type=cart-left', { token: again }));
    expect(data).toMatchObject([{ type: 'cart-left', title: 'You left Mug in your cart' }]);
  });
});
