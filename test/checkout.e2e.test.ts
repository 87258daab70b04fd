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
import { patient } from './patient.ts';
import { expectOk } from './people.ts';

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const shippingAddress = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  homeAddress: 'Torstraße 6',
  city: '10119 Berlin',
  country: 'DE',
};

describe.each(['rabbitmq', 'in-process'] as const)('a shop that sells, on the bus %s', (bus) => {
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

  it('ships one of two pieces, cancels the other, and refunds something more', async () => {
    const email = 'parts@checkout.example';
    const sent = await client.call('POST', '/v1/orders', {
      body: { ...(await ready(2)), email, payment: { method: 'card' } },
    });
    const { id, orderSecret, payment, totals } = sent.body;
    await atProvider(payment, 'pay', totals.total);
    await untilStatus(id, 'placed', { 'order-secret': orderSecret });
    const staff = async (what: string, body: object) =>
      expectOk(await client.call('POST', `/v1/orders/${id}/${what}`, { token: admin, body }));
    const lines = [{ lineId: '1', quantity: 1 }];
    const before = await stockOf();
    const trackingUrl = 'https://parcels.example/JJD-7';
    expect(await staff('shipments', { lines, trackingUrl })).toMatchObject({ fulfilmentStatus: 'partial' });
    const reduced = await staff('cancel', { lines, reason: 'The last one is broken.' });
    // 44.93 less 19.99.
    expect(reduced).toMatchObject({ fulfilmentStatus: 'shipped', totals: { kept: eur(2494) } });
    const refunded = await staff('refunds', { goodwill: eur(500), reason: 'It came late.' });
    expect(refunded).toMatchObject({ totals: { kept: eur(1994) } });
    await eventually(async () => {
      const { body } = await client.call('GET', `/v1/orders/${id}`, { token: admin });
      return body.totals.refunded.amount === 4493 - 1994 || undefined;
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
  });

  it('refuses what is not in stock, and reserves nothing of it', async () => {
    const body = { ...(await ready(5)), email: 'other@checkout.example', payment: { method: 'card' } };
    expect(await client.call('POST', '/v1/orders', { body })).toMatchObject({
      status: 422,
      body: { code: 'out_of_stock', lines: [{ reason: 'not-enough-stock', available: 4 }] },
    });
    expect(await stockOf()).toEqual({ stock: 4, reserved: 0 });
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
  });
});
