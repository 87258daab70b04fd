import { newId, type ordersHttp } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { expectStatus, type Person } from '../system/people.ts';
import { readyCart } from './carts.ts';
import type { Fixtures } from './fixtures.ts';
import { id, type Id, type RowsOf } from './row.ts';

const shippingAddress = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  company: null,
  homeAddress: 'Keizersgracht 1',
  city: 'Amsterdam',
  state: null,
  country: 'NL',
  phone: null,
};

/**
 * An order of the person that waits for its payment: one that is read and paid, and one that is cancelled. All come from one
 * network, which may have few of them.
 */
const sent = new Map<string, Promise<string>>();
const orderFor = (use: string) =>
  id('ord', (fixtures, who) => {
    const key = `${use} ${who.id}`;
    const known = sent.get(key) ?? send(fixtures, who);
    sent.set(key, known);
    return known;
  });

async function send(fixtures: Fixtures, who: Person): Promise<string> {
  const { system } = fixtures;
  const { token } = who;
  const cartId = String(await readyCart.own(fixtures, who));
  const quote = await expectStatus(system.call('POST', `/v1/carts/${cartId}/quote`, { token, body: {} }), 200);
  const body = {
    cartId,
    shippingOptionId: quote.shipping.optionId,
    shippingAddress,
    payment: { method: 'card' },
    expectedTotal: quote.expectedTotal,
  };
  const made = await system.call('POST', '/v1/orders', { token, body });
  const orderId = made.body.id as string;
  await eventually(async () => {
    const { status } = (await system.call('GET', `/v1/orders/${orderId}`, { token })).body;
    return status === 'awaiting-payment' || undefined;
  }, 'the order to wait for its payment');
  return orderId;
}

/** The order is not placed: who may, is told so. */
const ofStaff = {
  access: 'staff',
  roles: ['sales'],
  ok: [409, 'invalid_transition'],
  id: orderFor('read'),
} as const;

/** An order of the person that is paid and shipped, and comes back. */
const orderAndReturn: Id = {
  async own(fixtures, who) {
    const { system, admin } = fixtures;
    const orderId = await send(fixtures, who);
    const until = <Found>(find: (order: any) => Found | undefined, what: string) =>
      eventually(
        async () => find((await system.call('GET', `/v1/orders/${orderId}`, { token: who.token })).body),
        what,
      );
    const page = await until(({ payment }) => payment.redirectUrl as string | undefined, 'a page to pay on');
    await fetch(page, { method: 'POST', body: new URLSearchParams({ action: 'pay' }), redirect: 'manual' });
    await until(({ status }) => status === 'placed' || undefined, 'the order to be placed');
    const { token } = admin;
    await expectStatus(system.call('POST', `/v1/orders/${orderId}/shipments`, { token, body: {} }), 201);
    const body = { lines: [{ lineId: '1', quantity: 1 }], reason: 'It is too small.' };
    const asked = system.call('POST', `/v1/orders/${orderId}/returns`, { token: who.token, body });
    const { returns } = await expectStatus(asked, 201);
    return [orderId, returns[0].id as string];
  },
  random: () => [newId('ord'), newId('ret')],
  missing: 'not_found',
};

export const orderRows: RowsOf<typeof ordersHttp.orderOperations> = {
  createOrder: {
    access: 'public',
    // There is no such cart: its id would be a secret.
    ok: [400, 'validation_failed'],
    body: () => ({
      cartId: 'cart_01h455vb4pex5vsknk084sn02q',
      shippingOptionId: 'shopt_01h455vb4pex5vsknk084sn02q',
      shippingAddress,
      billingAddress: shippingAddress,
      addressId: 'addr_01h455vb4pex5vsknk084sn02q',
      customerId: 'cust_01h455vb4pex5vsknk084sn02q',
      recipient: { firstName: 'Ada', lastName: 'Lovelace', company: null },
      email: 'guest@example.com',
      payment: { method: 'card' },
      returnUrl: 'https://shop.example/',
      reference: 'PO-1',
      note: 'Ring twice.',
      expectedTotal: { amount: 1999, currency: 'EUR' },
    }),
  },
  listOrders: { access: 'user', roles: ['sales', 'support'], ok: 200 },
  getOrder: { access: 'public', roles: ['sales', 'support'], ok: 200, id: orderFor('keep'), ownersAlone: true },
  getOrderConfirmation: {
    access: 'public',
    roles: ['sales', 'support'],
    ok: [409, 'order_not_placed'],
    id: orderFor('keep'),
    ownersAlone: true,
  },
  getPackingSlip: {
    access: 'staff',
    roles: ['sales', 'support'],
    ok: [409, 'order_not_placed'],
    id: orderFor('read'),
    query: `shipmentId=${newId('shpm')}`,
  },
  exportOrders: {
    access: 'staff',
    roles: ['sales', 'support'],
    ok: 200,
    query: 'from=2026-01-01&to=2026-02-01&dialect=excel-de',
  },
  payOrder: { access: 'public', ok: 200, id: orderFor('keep'), ownersAlone: true },
  cancelOrder: {
    access: 'public',
    roles: ['sales'],
    ok: 200,
    id: orderFor('cancel'),
    ownersAlone: true,
    body: () => ({ reason: 'Ordered twice.' }),
  },
  // It is theirs already. That its secret is needed otherwise is a test of orders.
  claimOrder: { access: 'user', ok: 200, id: orderFor('keep') },
  changeOrder: {
    ...ofStaff,
    ok: 200,
    body: () => ({ staffNote: 'Calls back on Monday.', shippingAddress }),
  },
  mailOrder: { ...ofStaff, body: () => ({ mail: 'last' }) },
  createShipment: {
    ...ofStaff,
    body: () => ({
      lines: [{ lineId: '1', quantity: 1 }],
      carrier: 'DHL',
      trackingNumber: '00340434161094042557',
      trackingUrl: 'https://parcels.example/00340434161094042557',
    }),
  },
  requestReturn: {
    access: 'public',
    roles: ['sales'],
    ok: [409, 'invalid_transition'],
    id: orderFor('keep'),
    ownersAlone: true,
    body: () => ({ lines: [{ lineId: '1', quantity: 1 }], reason: 'It is too small.' }),
  },
  withdrawReturn: { access: 'public', roles: ['sales'], ok: 200, id: orderAndReturn, ownersAlone: true },
  receiveReturn: {
    ...ofStaff,
    ok: 200,
    id: orderAndReturn,
    body: () => ({ lines: [{ lineId: '1', quantity: 1 }], restock: false }),
  },
  deliverOrder: ofStaff,
  refundOrder: {
    ...ofStaff,
    body: () => ({
      lines: [{ lineId: '1', quantity: 1 }],
      shipping: true,
      goodwill: { amount: 1, currency: 'EUR' },
      reason: 'It came late.',
    }),
  },
};
