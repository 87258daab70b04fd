import {
  catalogEvents,
  fact,
  identityEvents,
  newId,
  ordersHttp,
  queues,
  toEvent,
  type Event,
} from '@storefront/contracts';
import {
  coverageOf,
  eventually,
  fill,
  findSlow,
  newEvent,
  recordQueries,
  type Answer,
  type RanQuery,
} from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { placedOrder } from './placed-order.ts';
import { anonymous, eur, person, sales, startOrders, tradeAccountEvent, type Harness, type Person } from './harness.ts';

const total = inject('isProof') ? 100_000 : 8000;
// A query may look at so many documents more than it returns, and put so many in order in memory.
const few = 110;

/** Half of all carts are this user's: far more than one can make, so that each query that is slow shows. */
const hoarder = person();

const { cartOperations, shippingOptionOperations, taxRateOperations, orderOperations } = ordersHttp;
const { listOrders, getOrder, getOrderConfirmation, getPackingSlip, exportOrders } = orderOperations;
const readsOfOrders = [listOrders, getOrder, getOrderConfirmation, getPackingSlip, exportOrders];
const { onProductChanged, onProductSnapshot, onTradeAccountChanged, onUserDataRequested } = queues.orders;

let orders: Harness;
const coverage = coverageOf([
  ...[cartOperations, shippingOptionOperations, taxRateOperations].flatMap(Object.values),
  ...readsOfOrders,
]);
const published = new Set<string>();
let queries: readonly RanQuery[];

beforeAll(async () => {
  orders = await startOrders();
  await fillAll();
  const recorded = await recordQueries(orders.connection);
  await everyRoute();
  await everyListOfOrders();
  await everyEvent();
  queries = await recorded();
}, 300_000);
afterAll(() => orders.close());

describe(`each query of carts, settings and lists of orders, at ${total} documents`, () => {
  it('was run: every route, every field of its query, every event', () => {
    expect(coverage.missing()).toEqual([]);
    const handled = [onProductChanged, onProductSnapshot, onTradeAccountChanged, onUserDataRequested].flatMap(
      ({ contracts }) => contracts.map(({ type }): string => type),
    );
    expect([...published].toSorted()).toEqual([...new Set(handled)].toSorted());
    const requested = new Set(queries.map(({ collection }) => collection));
    expect([...requested]).toEqual(
      expect.arrayContaining([
        'cart_budgets',
        'carts',
        'orders',
        'products',
        'shipping_options',
        'tax_rates',
        'trade_accounts',
      ]),
    );
  });

  it('goes by an index, looks at few documents more than it returns, and puts few in order in memory', () => {
    expect(findSlow(queries, few)).toEqual({ byNoIndex: [], readMuch: [], sorted: [] });
  });
});

/** Calls a route, which must do what it is there for. */
async function ask(who: Person | null, method: string, path: string, body?: unknown): Promise<Answer> {
  coverage.called(method, path);
  const answer = await orders.call(who, method, path, body, { 'idempotency-key': newId('evt') });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}

async function everyRoute(): Promise<void> {
  const options = '/v1/shipping-options';
  const parcel = { name: 'Parcel', price: eur(495) };
  const { body: first } = await ask(sales, 'POST', options, parcel);
  const { body: option } = await ask(sales, 'POST', options, parcel);
  await ask(sales, 'GET', `${options}/${first.id}`);
  await ask(sales, 'PATCH', `${options}/${first.id}`, { active: false });
  const { body: page } = await ask(sales, 'GET', `${options}?limit=1`);
  await ask(sales, 'GET', `${options}?limit=1&cursor=${page.nextCursor}`);
  await ask(sales, 'DELETE', `${options}/${first.id}`);
  await ask(sales, 'GET', '/v1/tax-rates');
  await ask(sales, 'PUT', '/v1/tax-rates', { rates: [{ country: 'DE', standard: 19 }] });

  const { productId, variantId } = await orders.newProduct();
  published.add('catalog.product-created');
  const lines = [{ productId, quantity: 1 }];
  const { body: cart } = await ask(anonymous, 'POST', '/v1/carts', { lines });
  const path = `/v1/carts/${cart.id}`;
  await ask(anonymous, 'GET', path);
  await ask(anonymous, 'PATCH', path, { shippingOptionId: option.id, country: 'NL' });
  await ask(anonymous, 'PUT', `${path}/lines/${variantId}`, { quantity: 2 });
  await ask(anonymous, 'GET', `${path}/shipping-options?country=DE`);
  await ask(anonymous, 'POST', `${path}/quote`, {});
  await ask(person('trade'), 'POST', `${path}/quote`, {});
  await ask(anonymous, 'DELETE', `${path}/lines/${variantId}`);
  await ask(hoarder, 'GET', '/v1/carts/mine');
  await ask(hoarder, 'POST', '/v1/carts/mine/merge', { cartId: cart.id });
}

/** Staff and the owner list orders by each value of each filter, and by all filters together in every choice. */
async function everyListOfOrders(): Promise<void> {
  const list = async (who: Person, query: string) => {
    const path = `/v1/orders?limit=50${query}`;
    const { body } = await ask(who, 'GET', path);
    if (body.nextCursor) await ask(who, 'GET', `${path}&cursor=${body.nextCursor}`);
    return body.data.length as number;
  };
  for (const who of [sales, hoarder])
    for (const [name, values] of Object.entries(states))
      for (const value of values) expect(await list(who, `&${name}=${value}`)).toBeGreaterThan(0);
  let choices = [''];
  for (const each of ['status=placed', 'fulfilment=partial', 'payment=paid', period(10), `user=${hoarder.id}`])
    choices = choices.flatMap((query) => [query, `${query}&${each}`]);
  for (const query of choices) expect([query, await list(sales, query)]).toEqual([query, expect.any(Number)]);
  for (const query of choices.filter((each) => !each.includes('user'))) await list(hoarder, query);
  for (const each of seenTo) expect(await list(sales, `&${each}`)).toBeGreaterThan(0);
  for (const q of ['ORD-2026-000100', 'guest-101@example.com'])
    for (const more of ['', '&status=placed', '&payment=paid', period(10)]) await list(sales, `&q=${q}${more}`);
  await list(hoarder, '&q=ORD-2026-000100');

  const { _id: id } = (await orders.collection('orders').findOne({ status: 'placed', fulfilment: 'open' })) ?? {};
  await ask(sales, 'GET', `/v1/orders/${id}`);
  await ask(sales, 'GET', `/v1/orders/${id}/confirmation.pdf`);
  await ask(sales, 'GET', `/v1/orders/${id}/packing-slip.pdf`);
  coverage.called('GET', `/v1/orders/${id}/packing-slip.pdf?shipmentId=`);
  const days = `from=${dayOf(2)}&to=${dayOf(1)}`;
  const { body: exported } = await ask(sales, 'GET', `/v1/orders/export?${days}&dialect=standard`);
  expect(String(exported).split('\r\n').length).toBeGreaterThan(101);
  await ask(sales, 'GET', `/v1/orders/export?${days}&dialect=excel-de`);
}

const begun = Date.now();
const states = {
  status: ordersHttp.orderStatus.options,
  fulfilment: ordersHttp.fulfilmentStatus.options,
  payment: ordersHttp.orderPaymentStatus.options,
};

/** What staff look for, of which there is little in a real shop. */
const seenTo = [
  ...ordersHttp.returnStatus.options.map((status) => `return=${status}`),
  ...ordersHttp.orderAttention.options.map((attention) => `attention=${attention}`),
];

function dayOf(daysAgo: number): string {
  return new Date(begun - daysAgo * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
}

/** The query for a part of the time in which orders were sent. */
function period(daysAgo: number): string {
  return `from=${dayOf(daysAgo)}T00:00:00Z&to=${dayOf(daysAgo - 1)}T00:00:00Z`;
}

async function everyEvent(): Promise<void> {
  const id = idOf('prod', 1);
  await publish(orders.productEvent(id, 2, {}));
  await publish({ ...orders.productEvent(id, 3, {}), type: 'catalog.stock-changed' });
  const reserved = { products: [{ ...orders.productData(id, { stock: 2 }), sequence: 4 }] };
  await publish(newEvent(catalogEvents.freeStockChanged, idOf('ord', 1), reserved));
  await publish(orders.productEvent(id, 5, null));
  const snapshot = { ...orders.productData(id, {}), deleted: true };
  await publish({ ...orders.productEvent(id, 5, {}), type: 'catalog.product-snapshot', data: snapshot });

  const trade = idOf('user', 1);
  const decided = tradeAccountEvent(trade, 'DE123456789', 2);
  for (const type of ['approved', 'suspended', 'reinstated'])
    await publish({ ...decided, type: `identity.trade-account-${type}` });
  const business = { name: 'Tea House', address: 'Hauptstraße 1', vatNumber: null, country: 'DE' };
  const who = { email: 'buyer@example.com', firstName: 'Bea', lastName: 'Buyer', isApproved: true, business };
  await publish(newEvent(identityEvents.tradeAccountChanged, trade, who, 3));
  await publish(newEvent(identityEvents.userSnapshot, trade, { ...who, role: 'trade' }, 3));

  const exported = { exportId: newId('exp'), email: 'ada@example.com' };
  await publish(toEvent(fact(identityEvents.userExportRequested, trade, exported), at()));
  const erased = { email: 'ada@example.com', role: 'retail' as const };
  await publish(toEvent(fact(identityEvents.userErasureRequested, trade, erased), at()));
  await publish(toEvent(fact(identityEvents.userErased, trade, {}), at()));
  await orders.idle();
  await eventually(
    async () => (await orders.collection('trade_accounts').countDocuments({ _id: trade as any })) === 0,
    'nothing left of who was erased',
  );
}

async function publish(event: Event): Promise<void> {
  published.add(event.type);
  await orders.publish(event);
}

const at = () => ({ sequence: 9, time: new Date() });

async function fillAll(): Promise<void> {
  const time = (index: number) => new Date(begun - (total - index) * 1000);
  const variant = (index: number) => orders.productData(idOf('prod', index), {}).variants?.[0];
  // Only the newest cart of the user can be found by what the service makes of its seed.
  const { body } = await orders.call(hoarder, 'POST', '/v1/carts', {});
  await orders.collection('carts').updateMany({ userId: hoarder.id }, { $set: { createdAt: new Date(begun + 1000) } });
  expect(body.id).toMatch(/^cart_/);

  const makers: Record<string, (index: number) => { _id: string }> = {
    carts: (index) => ({
      _id: `digest-${index}`,
      version: 1,
      outbox: [],
      seed: `seed-${index}`,
      remindAs: null,
      userId: index % 2 === 0 ? hoarder.id : index % 4 === 1 ? idOf('user', index) : null,
      lines: [],
      codes: [],
      note: null,
      shippingOptionId: null,
      country: null,
      orderId: index % 10 === 0 ? idOf('ord', index) : null,
      createdAt: time(index),
      updatedAt: time(index),
    }),
    products: (index) => ({
      _id: idOf('prod', index),
      version: 1,
      sequence: 1,
      deleted: false,
      facts: {
        name: 'Mug',
        image: null,
        listed: true,
        taxClass: 'standard',
        availableFrom: null,
        backOrders: { allowed: false, text: null },
        variants: [{ ...soldVariant, id: variant(index)?.id ?? '' }],
      },
    }),
    orders: (index) => {
      const [status, fulfilment, payment] = statesOf(index);
      const createdAt = new Date(begun - (total - index) * 60_000);
      const isGuest = index % 4 === 1;
      const sentBackAs = index % 7 === 5 ? 'requested' : index % 2 === 0 ? 'received' : 'withdrawn';
      return {
        ...order,
        _id: idOf('ord', index),
        number: status === 'placed' ? `ORD-2026-${String(index).padStart(6, '0')}` : null,
        userId: index % 2 === 0 ? hoarder.id : isGuest ? null : idOf('user', index),
        email: isGuest ? `guest-${index}@example.com` : null,
        status,
        fulfilment,
        payment: {
          ...order.payment,
          status: payment,
          disputed: index % 7 === 0 ? 100 : 0,
          refundsFailed: index % 7 === 1 ? 100 : 0,
        },
        stuckAt: index % 7 === 2 ? createdAt : null,
        returns: index % 7 > 4 ? [{ ...sentBack, status: sentBackAs }] : [],
        placedAt: status === 'placed' ? createdAt : null,
        createdAt,
        updatedAt: createdAt,
      };
    },
    trade_accounts: (index) => ({ _id: idOf('user', index), version: 1, sequence: 1, vatNumber: 'DE123456789' }),
  };
  for (const [name, make] of Object.entries(makers)) await fill(orders.collection(name), total, make);
}

const { id: _id, ...placed } = placedOrder({ quantities: [1] });
const order = { ...placed, version: 1, outbox: [] };

/** Each state as often as the others, and in no order: a list that reads orders of other states reads many. */
function statesOf(index: number) {
  const part = <Value>(values: readonly Value[], every: number) =>
    values[Math.floor(index / every) % values.length] as Value;
  const { status, fulfilment, payment } = states;
  return [part(status, 2), part(fulfilment, 12), part(payment, 48)] as const;
}

const sentBack = {
  id: 'ret_1',
  lines: [],
  reason: 'It is too small.',
  isRestocked: false,
  requestedAt: new Date(begun),
  receivedAt: null,
};

const soldVariant = {
  sku: 'MUG',
  values: [],
  price: eur(1999),
  tradePrice: null,
  quantityPrices: [],
  stock: 1,
  active: true,
};

/** As ids are written, and faster made than new ones. */
function idOf(prefix: 'user' | 'prod' | 'ord', index: number): string {
  return `${prefix}_${String(index).padStart(26, '0')}`;
}
