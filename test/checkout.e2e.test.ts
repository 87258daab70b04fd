import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, isProblem, type Client, type Money, type Order } from '@storefront/client';
import type { AdminClient } from '@storefront/client/admin';
import { startStack, type Stack } from '@storefront/stack';
import { eventually, freshVhost, memoryLogger, startCommand } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { mailTo } from './client.ts';
import { shiftDate } from './faults/system/shifted-date.ts';
import { patient } from './patient.ts';
import { refusalOf, signUp, signUpTrade, staffAt } from './people.ts';

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
const buses = inject('isProof') ? (['rabbitmq', 'in-process'] as const) : (['in-process'] as const);

describe.each(buses)('a shop that sells, on the bus %s', (bus) => {
  let vhost: { url: string; drop(): Promise<void> };
  let dataDir: string;
  let stack: Stack;
  let mailbox: string;
  let guest: Client;
  let admin: AdminClient;
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
    mailbox = stack.mailbox ?? '';
    guest = createClient({ baseUrl: stack.gateways[0] ?? '' });
    admin = await staffAt(stack.gateways[0], stack.accounts.admin);
    const prices = { price: eur(1999), tradePrice: eur(1450) };
    ({ id: productId } = await admin.products.createProduct({
      body: { sku: 'MUG', name: 'Mug', ...prices, stock: 5, status: 'active' },
    }));
    await admin.shippingAndTax.createShippingOption({ body: { name: 'Parcel', price: eur(495) } });
    await eventually(
      () => guest.discounts.evaluateDiscounts({ body: { lines: [{ productId, quantity: 1 }] } }),
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
  async function ready(quantity: number, { carts }: Pick<Client, 'carts'> = guest) {
    const { id: cartId } = await eventually(
      () => carts.createCart({ body: { lines: [{ productId, quantity }] } }),
      'the product to be known to carts',
    );
    const params = { id: cartId };
    const { data } = await carts.listCartShippingOptions({ params, query: { country: 'DE' } });
    const shippingOptionId = data[0]?.id ?? '';
    const { expectedTotal } = await carts.quoteCart({ params, body: { shippingOptionId, country: 'DE' } });
    return { cartId, shippingOptionId, expectedTotal };
  }

  async function stockOf() {
    const product = await admin.products.getProduct({ params: { id: productId } });
    return { stock: product.stock ?? NaN, reserved: product.reserved ?? NaN };
  }

  /** What a guest shows of an order, and whoever has an account of their own. */
  interface Seen {
    readonly params: { readonly id: string };
    readonly headers?: { readonly 'order-secret': string };
  }

  async function untilStatus(order: Seen, status: string, { orders }: Pick<Client, 'orders'> = guest): Promise<Order> {
    return eventually(async () => {
      const found = await orders.getOrder(order);
      return found.status === status ? found : undefined;
    }, `the order to be ${status}`);
  }

  const untilRefunded = (order: Seen, amount: number, { orders }: Pick<Client, 'orders'> = guest) =>
    eventually(
      async () => (await orders.getOrder(order)).totals.refunded.amount === amount,
      `${amount} to be refunded of the order`,
    );

  /** The page of the provider on which a payment is made. */
  interface Page {
    readonly id: string | null;
    readonly redirectUrl: string | null;
  }

  async function tellProvider({ redirectUrl }: Page, path: string, body: object): Promise<void> {
    const answer = await fetch(new URL(path, redirectUrl ?? ''), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${stack.payments.demo?.secret}` },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(202);
  }

  const pay = (payment: Page, body: Money & { twice?: true; late?: number; outOfOrder?: true }) =>
    tellProvider(payment, `/api/payments/${payment.id}/pay`, body);

  /** Sends an order of mugs as a guest, who pays by card. */
  async function sendAsGuest(quantity: number, email: string) {
    const body = { ...(await ready(quantity)), shippingAddress, email, payment: { method: 'card' } } as const;
    const sent = await guest.orders.createOrder({ body });
    const secret = sent.orderSecret ?? '';
    return { secret, seen: { params: { id: sent.id }, headers: { 'order-secret': secret } } };
  }

  it('sells to a guest by card: reserved, paid on the page, placed, and confirmed by mail', async () => {
    const email = 'guest@checkout.example';
    const { secret, seen } = await sendAsGuest(2, email);
    const { payment, totals } = await payable(seen);
    expect(totals.total).toEqual(eur(4493));
    expect(await stockOf()).toEqual({ stock: 5, reserved: 2 });
    expect(await refusalOf(guest.try.orders.getOrder({ params: seen.params }))).toBe('not_found');

    const page = await fetch(payment.redirectUrl ?? '');
    expect(await page.text()).toContain('44.93');
    await pay(payment, totals.total);
    const placed = await untilStatus(seen, 'placed');
    expect(placed).toMatchObject({ paymentStatus: 'paid', totals: { paid: eur(4493) } });
    const mail = await mailTo(mailbox, email, new RegExp(placed.number ?? ''));
    expect(mail.Text).toContain('44.93');
    expect(mail.Text).toContain(secret);

    // Cancelled before it is shipped: the pieces are back, and so is the money.
    await guest.orders.cancelOrder(seen);
    await untilRefunded(seen, 4493);
    await eventually(async () => (await stockOf()).reserved === 0, 'the pieces to be free again');
  });

  it('ships one of two pieces, cancels the other, refunds something more, and takes the first one back', async () => {
    const email = 'parts@checkout.example';
    const { seen } = await sendAsGuest(2, email);
    const { params } = seen;
    await pay((await payable(seen)).payment, eur(4493));
    await untilStatus(seen, 'placed');
    const lines = [{ lineId: '1', quantity: 1 }];
    const before = await stockOf();
    const trackingUrl = 'https://parcels.example/JJD-7';
    const shipped = await admin.orders.createShipment({ params, body: { lines, trackingUrl } });
    expect(shipped.fulfilmentStatus).toBe('partial');
    const reduced = await admin.orders.cancelOrder({ params, body: { lines, reason: 'The last one is broken.' } });
    // 44.93 less 19.99.
    expect(reduced).toMatchObject({ fulfilmentStatus: 'shipped', totals: { kept: eur(2494) } });
    const goodwill = { goodwill: eur(400), reason: 'It came late.' };
    expect((await admin.orders.refundOrder({ params, body: goodwill })).totals.kept).toEqual(eur(2094));
    await untilRefunded({ params }, 4493 - 2094, admin);
    await eventually(
      async () => (await stockOf()).stock === before.stock - 1 && (await stockOf()).reserved === before.reserved - 2,
      'one piece to be gone, and the other one to be free again',
    );
    const mail = await mailTo(mailbox, email, /on its way/);
    expect(mail.Text).toContain(trackingUrl);
    await mailTo(mailbox, email, /A refund for/);

    const announced = await guest.orders.requestReturn({ ...seen, body: { lines, reason: 'It is too small.' } });
    const returnId = announced.returns[0]?.id ?? '';
    const received = await admin.orders.receiveReturn({ params: { ...params, returnId }, body: {} });
    expect(received).toMatchObject({ lines: [{ returned: 1 }] });
    // Shipping is left, less what was refunded before.
    const back = await admin.orders.refundOrder({ params, body: { lines, reason: 'It came back.' } });
    expect(back.totals.kept).toEqual(eur(95));
    await eventually(async () => (await stockOf()).stock === before.stock, 'the piece to be counted again');
    await mailTo(mailbox, email, /Your return of order/);
  });

  /** The order, once there is a page on which it can be paid. */
  async function payable(seen: Seen, client: Pick<Client, 'orders'> = guest): Promise<Order> {
    return eventually(async () => {
      const order = await untilStatus(seen, 'awaiting-payment', client);
      return order.payment.redirectUrl === null ? undefined : order;
    }, 'the page of the order');
  }

  /** Sends an order of one mug as a guest, which costs 24.94 EUR. */
  async function sendMug(email: string) {
    const { seen } = await sendAsGuest(1, email);
    return { seen, payment: (await payable(seen)).payment };
  }

  /** Waits until the provider has sent what it had to, and returns what it says of the money of a payment. */
  async function statedOf(payment: Page): Promise<string[]> {
    const { origin } = new URL(payment.redirectUrl ?? '');
    const headers = { authorization: `Bearer ${stack.payments.demo?.secret}` };
    const callbacks = await eventually(async () => {
      const answer = await fetch(`${origin}/api/callbacks?payment=${payment.id}`, { headers });
      const { callbacks: all } = (await answer.json()) as { callbacks: { state: string; body: string }[] };
      return all.every(({ state }) => state === 'delivered') ? all : undefined;
    }, 'the callbacks to be delivered');
    return callbacks.map(({ body }) => {
      const { type, data } = JSON.parse(body) as { type: string; data: { amount: Money } };
      return `${type} ${data.amount.amount}`;
    });
  }

  it('is placed once by two payments, of which one goes back', async () => {
    const before = await stockOf();
    const email = 'twice@checkout.example';
    const { seen, payment } = await sendMug(email);
    await Promise.all([pay(payment, { ...eur(2494), twice: true }), pay(payment, { ...eur(2494), late: 1 })]);
    const { number } = await untilStatus(seen, 'placed');
    await eventually(async () => {
      const { totals } = await guest.orders.getOrder(seen);
      return totals.paid.amount === 2 * 2494 && totals.refunded.amount === 2494;
    }, 'the second payment to go back');
    const stated = await statedOf(payment);
    expect(stated.filter((each) => each.startsWith('payment.refunded'))).toEqual(['payment.refunded 2494']);
    expect(await untilStatus(seen, 'placed')).toMatchObject({ number, totals: { kept: eur(2494) } });
    expect(await stockOf()).toEqual({ ...before, reserved: before.reserved + 1 });
    await guest.orders.cancelOrder(seen);
    await eventually(async () => (await stockOf()).reserved === before.reserved, 'the mug to be free again');
  });

  it('refuses what is not in stock, and reserves nothing of it', async () => {
    const who = { shippingAddress, email: 'other@checkout.example', payment: { method: 'card' } } as const;
    const refused = await guest.try.orders.createOrder({ body: { ...(await ready(6)), ...who } });
    if (refused.ok || !isProblem(refused.error, 'out_of_stock'))
      throw new Error('it is not refused', { cause: refused });
    expect(refused.error).toMatchObject({
      status: 422,
      problem: { lines: [{ reason: 'not_enough_stock', available: 5 }] },
    });
    expect(await stockOf()).toEqual({ stock: 5, reserved: 0 });
  });

  it('sells to whoever uses the command, who pays at once', async () => {
    const cli = new URL('../services/orders/src/cli.ts', import.meta.url);
    const run = (...args: readonly string[]) => startCommand(cli, ['place', ...args], { DATA_DIR: dataDir }).outcome;
    const email = 'command@checkout.example';
    const { code, out, err } = await run(
      '--sku=MUG:2',
      `--email=${email}`,
      '--code=NOSUCH',
      '--reference=PO-1',
      '--pay',
    );
    expect(code).toBe(0);
    const printed = JSON.parse(out) as Order;
    expect(printed).toMatchObject({
      status: 'placed',
      email,
      reference: 'PO-1',
      totals: { total: eur(4493), paid: eur(4493) },
      orderSecret: expect.any(String),
    });
    expect(err).toContain('2 × MUG Mug, 19.99 EUR each');
    expect(err).toContain('The code NOSUCH does not apply: unknown');
    expect(err).toContain(`It is placed as ${printed.number}.`);

    const refused = await run('--sku=MUG:2', '--sku=CUP');
    expect(`${refused.code} ${refused.err}`).toContain(
      '1 guest@example.com buys as a guest.\nThe search for CUP is refused (unknown_sku): nothing is for sale under it',
    );
    const headers = { 'order-secret': printed.orderSecret ?? '' };
    await guest.orders.cancelOrder({ params: { id: printed.id }, headers });
  });

  it('sells to a trade account by invoice, to an address that it saved just now', async () => {
    const email = 'toni@checkout.example';
    const toni = createClient({ baseUrl: stack.gateways[0] ?? '' });
    const named = { email, firstName: 'Toni', lastName: 'Trade', phone: '+49 30 901820' };
    const business = { businessName: 'Quay', businessAddress: 'Pier 4, Berlin', vatNumber: 'DE123456789' };
    await signUpTrade(toni, mailbox, admin, { ...named, ...business });
    await eventually(() => toni.invoices.getOwnCredit(), 'billing to know the account');
    const home = { contactPhone: '+49 30 901820', homeAddress: 'Pier 4', city: '10115 Berlin', country: 'DE' };
    const priced = await ready(2, toni);
    const recipient = { firstName: 'Toni', lastName: 'Trade', company: 'Quay' };
    const { id: addressId } = await toni.addresses.addAddress({ body: home });
    const to = { addressId, recipient };
    const sent = await toni.orders.createOrder({
      body: { ...priced, ...to, payment: { method: 'invoice' }, reference: 'PO-7781' },
    });
    const params = { id: sent.id };
    const placed = await untilStatus({ params }, 'placed', toni);
    expect(placed.shippingAddress).toMatchObject({ ...recipient, homeAddress: 'Pier 4', phone: '+4930901820' });
    // To somebody else there is no such address.
    const elsewhere = { ...(await ready(1, admin)), ...to, payment: { method: 'card' } } as const;
    const refused = await admin.try.orders.createOrder({ body: elsewhere });
    const refusal = refused.ok
      ? (await untilStatus({ params: { id: refused.data.id } }, 'refused', admin)).refusal
      : refused.error;
    expect(refusal?.code).toBe('recipient_unknown');
    const invoice = await eventually(async () => (await toni.invoices.listInvoices()).data[0], 'the invoice');
    expect(invoice).toMatchObject({ orderRef: sent.id, reference: 'PO-7781', total: placed.totals.total });
    await mailTo(mailbox, email, new RegExp(placed.number ?? ''));

    // A part is credited of the invoice, and then the rest: as billing says, to the cent of what the order has kept.
    const total = placed.totals.total.amount;
    const part = { lines: [{ lineId: '1', quantity: 1 }], goodwill: eur(101), reason: 'It came late.' };
    const { totals: reduced } = await admin.orders.refundOrder({ params, body: part });
    await untilRefunded({ params }, total - reduced.kept.amount, toni);
    await toni.orders.cancelOrder({ params });
    await untilRefunded({ params }, total, toni);
    const credited = await toni.invoices.getInvoice({ params: { id: invoice.id } });
    expect(credited).toMatchObject({ credited: eur(total), balance: eur(0) });
    expect(credited.creditNotes.map((note) => note.total.amount)).toEqual([
      total - reduced.kept.amount,
      reduced.kept.amount,
    ]);

    const byCard = { ...(await ready(1, toni)), shippingAddress, payment: { method: 'card' } } as const;
    const { id: otherId } = await toni.orders.createOrder({ body: byCard });
    const other = await payable({ params: { id: otherId } }, toni);
    await pay(other.payment, other.totals.total);
    const paid = await eventually(async () => {
      const { data } = await toni.invoices.listInvoices({ query: { status: 'paid' } });
      return data.find(({ orderRef }) => orderRef === other.id);
    }, 'the invoice of the order by card');
    expect(paid).toMatchObject({
      total: other.totals.total,
      balance: eur(0),
      payments: [{ paymentId: other.payment.id }],
    });
    const mail = await mailTo(mailbox, email, new RegExp(paid.number));
    expect(mail.Text).toContain('paid with your order');
  });

  it.each([
    ['a minute', minute],
    ['a day', day],
  ])('refunds once what comes %s after its order was cancelled', async (_, later) => {
    const before = await stockOf();
    const { seen, payment } = await sendMug('late@checkout.example');
    const { id } = seen.params;
    // The provider tells of it only before the next callback of the payment.
    await pay(payment, { ...eur(2494), outOfOrder: true });
    await guest.orders.cancelOrder(seen);
    await untilStatus(seen, 'cancelled');
    await eventually(async () => (await stockOf()).reserved === before.reserved, 'the mug to be free again');
    // It does not go back: nothing may happen before what has happened. The session of the administrator is refreshed.
    shiftClock(later);
    const [type, createdAt] = ['payment.failed', new Date().toISOString()];
    const data = { paymentId: payment.id, amount: eur(2494), providerReference: `dpr_${id}` };
    await tellProvider(payment, '/api/callbacks', { id: `evt_${id}`, type, createdAt, data });
    await untilRefunded(seen, 2494);
    expect((await statedOf(payment)).toSorted()).toEqual([
      'payment.failed 2494',
      'payment.refunded 2494',
      'payment.succeeded 2494',
    ]);
    expect(await untilStatus(seen, 'cancelled')).toMatchObject({
      number: null,
      totals: { paid: eur(2494), refunded: eur(2494) },
    });
    expect(await stockOf()).toEqual(before);
  });

  // Nothing of it depends on the bus. The carts that were left are looked for every 15 s.
  it.runIf(bus === 'in-process')('reminds whoever wants offers of a cart that was left for a day', async () => {
    const email = 'robin@checkout.example';
    const robin = createClient({ baseUrl: stack.gateways[0] ?? '' });
    await signUp(robin, mailbox, email, { firstName: 'Robin', lastName: 'Retail' });
    await robin.notifications.replaceNotificationPreferences({ body: { types: { offers: { EMAIL: true } } } });
    await ready(2, robin);

    shiftClock(2 * day + minute);
    const mail = await mailTo(mailbox, email, /You left Mug in your cart/);
    expect(mail.Text).toContain('39.98');
    const { data } = await robin.notifications.listNotifications({ query: { type: 'cart-left' } });
    expect(data).toMatchObject([{ type: 'cart-left', title: 'You left Mug in your cart' }]);
  });
});
