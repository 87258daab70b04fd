import { setTimeout as wait } from 'node:timers/promises';
import {
  CheckoutRefused,
  findVariant,
  payOnDemoPage,
  prepareOrder,
  sendOrder,
  untilAnswered,
  untilOrder,
  type Purchase,
  type Send,
} from '@storefront/checkout-client';
import type { ordersHttp } from '@storefront/contracts';
import { people } from './accounts.ts';
import { eventTimeoutMs, type DemoApi } from './demo-api.ts';
import { StackError } from './error.ts';

/** An order of the demo shop, and how it ends. */
interface DemoOrder {
  /** Names the order, so that a later start finds it. */
  readonly reference: string;
  readonly buyer: 'retail' | 'trade' | 'guest';
  /** Of a guest. */
  readonly email?: string;
  readonly goods: Readonly<Record<string, number>>;
  readonly to: Purchase['shippingAddress'];
  readonly end: 'paid' | 'unpaid' | 'cancelled' | 'out-of-stock' | 'on-account';
  /** How far the shop has come with an order that is placed. */
  readonly fulfilment?: 'partial' | 'shipped' | 'delivered';
  /** What the shop has refunded, in euro cents. */
  readonly refund?: number;
  /** How far a return of a shipped piece has come. */
  readonly comesBack?: 'requested' | 'received';
}

const quay = { ...people.trade, homeAddress: 'Pier 4', city: '1011 AB Amsterdam' };
// A saved recipient of the retail user, so that the orders count for it.
const marijke = {
  firstName: 'Marijke',
  lastName: 'de Vries',
  homeAddress: 'Oudegracht 88',
  city: '3511 AV Utrecht',
  country: 'NL',
};
const gwen = { firstName: 'Gwen', lastName: 'Guest', homeAddress: 'Torstraße 6', city: '10119 Berlin', country: 'DE' };

const firstOrders: readonly DemoOrder[] = [
  {
    reference: 'DEMO-1',
    buyer: 'retail',
    goods: { 'LEAF-003': 2, 'KIT-001': 2 },
    to: marijke,
    end: 'paid',
    fulfilment: 'partial',
  },
  {
    reference: 'DEMO-2',
    buyer: 'guest',
    goods: { 'WARE-003': 1, 'LEAF-005': 1 },
    to: gwen,
    end: 'paid',
    fulfilment: 'delivered',
  },
  { reference: 'DEMO-3', buyer: 'trade', goods: { 'BEAN-002': 12, 'TEX-001': 4 }, to: quay, end: 'on-account' },
  { reference: 'DEMO-4', buyer: 'retail', goods: { 'BREW-003': 1 }, to: marijke, end: 'unpaid' },
  { reference: 'DEMO-5', buyer: 'retail', goods: { 'KIT-004': 3 }, to: marijke, end: 'cancelled' },
  { reference: 'DEMO-6', buyer: 'guest', goods: { 'TEX-004': 50 }, to: gwen, end: 'out-of-stock' },
  {
    reference: 'DEMO-7',
    buyer: 'trade',
    goods: { 'KIT-002': 6 },
    to: quay,
    end: 'paid',
    fulfilment: 'shipped',
    refund: 500,
  },
];

type Kind = Pick<DemoOrder, 'end' | 'fulfilment' | 'comesBack'>;
/**
 * What there are more of, so that each state has ten. Of those that nobody has paid there are four: a network may have ten, and they
 * end after 35 minutes.
 */
const more: readonly (readonly [count: number, kind: Kind])[] = [
  [9, { end: 'paid' }],
  [9, { end: 'paid', fulfilment: 'partial' }],
  [9, { end: 'paid', fulfilment: 'shipped' }],
  [3, { end: 'paid', fulfilment: 'delivered' }],
  [3, { end: 'paid', fulfilment: 'delivered', comesBack: 'requested' }],
  [3, { end: 'paid', fulfilment: 'delivered', comesBack: 'received' }],
  [9, { end: 'cancelled' }],
  [9, { end: 'out-of-stock' }],
  [3, { end: 'unpaid' }],
];
const guests = ['Gwen', 'Noor', 'Luca', 'Mila', 'Jonas', 'Aylin', 'Emil', 'Sofia'];
// Of these there are enough for all of them.
const goods = ['BREW-002', 'LEAF-005', 'BEAN-002', 'KIT-001', 'LEAF-002', 'WARE-004'];
const moreOrders: readonly DemoOrder[] = more
  .flatMap(([count, kind]) => Array.from({ length: count }, (_, nth) => ({ kind, nth })))
  // One of each kind after the other, so that soon there are some of each.
  .toSorted((one, other) => one.nth - other.nth)
  .map(({ kind }, index) => {
    const pick = <Item>(items: readonly Item[], at: number) => items[at % items.length] as Item;
    const firstName = pick(guests, index);
    const name = firstName.toLowerCase();
    return {
      ...kind,
      reference: `DEMO-${firstOrders.length + index + 1}`,
      buyer: 'guest',
      email: `${name}-${index + 1}@example.com`,
      goods:
        kind.end === 'out-of-stock'
          ? { 'TEX-004': 50 }
          : { [pick(goods, index)]: 1 + (index % 2), [pick(goods, index + 1)]: 1 },
      to: { ...gwen, firstName },
    };
  });

/** All orders that are made for the demo shop, with and after its other data. */
export const demoOrders: readonly Pick<DemoOrder, 'reference' | 'end' | 'fulfilment'>[] = [
  ...firstOrders,
  ...moreOrders,
];

// The services share a process with what answers the first requests of whoever has started it.
const moreAtOnce = 2;

/**
 * Makes some orders, so that there is one in each state that lasts. Products, shipping options and campaigns must exist. Of
 * orders from an earlier start that was interrupted, only the missing steps are done. Without the demo provider there are
 * only orders that nobody pays by card.
 */
export async function fillOrders(
  api: DemoApi,
  tokens: { readonly admin: string; readonly retail: string; readonly trade: string },
  { hasDemoProvider }: { readonly hasDemoProvider: boolean },
): Promise<void> {
  const existing = await readOrders(api, tokens.admin);
  const sends = { retail: api.sender(tokens.retail), trade: api.sender(tokens.trade), guest: api.sender() };
  const asStaff = api.sender(tokens.admin);
  await Promise.all(
    firstOrders
      .filter(({ end }) => hasDemoProvider || end === 'on-account' || end === 'out-of-stock')
      .map((demo) => fillOne(demo, { existing, asStaff, asBuyer: sends[demo.buyer] })),
  );
}

/**
 * Makes more orders, all of guests, until there are ten in each state that lasts. Takes some time; `isStopped` is asked before each.
 * Of orders from an earlier start that was interrupted, only the missing steps are done. Returns how many there are, or null where it
 * was stopped. Needs the demo provider.
 */
export async function fillMoreOrders(
  api: DemoApi,
  adminToken: string,
  isStopped: () => boolean,
): Promise<number | null> {
  const existing = await readOrders(api, adminToken);
  const left = [...moreOrders];
  const makeSome = async () => {
    for (let next = left.shift(); next && !isStopped(); next = left.shift())
      await fillOne(next, { existing, asStaff: api.sender(adminToken), asBuyer: api.sender() });
  };
  await Promise.all(Array.from({ length: moreAtOnce }, makeSome));
  return isStopped() ? null : moreOrders.length;
}

async function readOrders(api: DemoApi, adminToken: string): Promise<readonly ordersHttp.OrderBody[]> {
  return (await api.get('/v1/orders?limit=100', adminToken)).data as readonly ordersHttp.OrderBody[];
}

/** Makes the order, or what is missing of it. */
async function fillOne(
  demo: DemoOrder,
  { existing, asStaff, asBuyer }: { existing: readonly ordersHttp.OrderBody[]; asStaff: Send; asBuyer: Send },
): Promise<void> {
  // One that was refused because a service did not know everything yet does not count.
  const found = existing.find(
    ({ reference, status }) => reference === demo.reference && (status !== 'refused' || demo.end === 'out-of-stock'),
  );
  const order = found ?? (await make(asBuyer, demo));
  const placed = order && (await bringToEnd(asStaff, asBuyer, order, demo));
  if (placed?.status === 'placed') await fulfil(asStaff, placed, demo);
}

/**
 * Sends the order. Returns null where it is refused as it should be. Services know products, campaigns and trade accounts
 * only after they have received the events, so an order that is refused otherwise is tried again for a minute.
 */
async function make(send: Send, demo: DemoOrder): Promise<ordersHttp.OrderBody | null> {
  const deadline = Date.now() + eventTimeoutMs;
  for (;;) {
    try {
      return await buy(send, demo);
    } catch (error) {
      if (!(error instanceof CheckoutRefused)) throw error;
      if (demo.end === 'out-of-stock' && error.code === 'out_of_stock') return null;
      if (Date.now() > deadline)
        throw new StackError(`The demo data could not be made: ${error.message}. Use --empty to start without it.`);
      await wait(100);
    }
  }
}

async function buy(
  send: Send,
  { buyer, email = 'guest@example.com', goods, to, end, reference }: DemoOrder,
): Promise<ordersHttp.OrderBody> {
  const lines = await Promise.all(
    Object.entries(goods).map(async ([sku, quantity]) => ({ ...(await findVariant(send, sku)), quantity })),
  );
  const { firstName, lastName, homeAddress, city, country } = to;
  const shippingAddress = { firstName, lastName, homeAddress, city, country };
  const { order } = await prepareOrder(send, { lines, shippingAddress });
  return await sendOrder(send, {
    ...order,
    reference,
    ...(buyer === 'guest' && { email }),
    payment: { method: end === 'on-account' ? 'invoice' : 'card' },
  });
}

/** Pays or cancels the order, unless that was done before. Waits a minute at most for what comes of it, and returns that. */
async function bringToEnd(
  asStaff: Send,
  asBuyer: Send,
  sent: ordersHttp.OrderBody,
  { end }: DemoOrder,
): Promise<ordersHttp.OrderBody> {
  const order = await untilAnswered(asStaff, sent);
  const { redirectUrl } = order.payment;
  if (redirectUrl === null) return order;
  // Of a guest the secret would be needed.
  const asCanceller = order.userId === null ? asStaff : asBuyer;
  if (end === 'paid') await payOnDemoPage(redirectUrl);
  else if (end === 'cancelled') await asCanceller('POST', `/v1/orders/${order.id}/cancel`, {});
  else return order;
  const isOver = ({ status }: ordersHttp.OrderBody) => status === 'placed' || status === 'cancelled';
  return await untilOrder(asStaff, order, isOver, eventTimeoutMs);
}

/** Ships, delivers, refunds and takes back a placed order, as far as that was not done before. */
async function fulfil(
  asStaff: Send,
  { id, lines: [first], fulfilmentStatus, totals, returns }: ordersHttp.OrderBody,
  { fulfilment, refund, comesBack }: DemoOrder,
): Promise<void> {
  const parcel = {
    carrier: 'DHL',
    trackingNumber: '00340434161094042557',
    trackingUrl: 'https://parcels.example/00340434161094042557',
  };
  const isPart = fulfilment === 'partial' && first !== undefined;
  const lines = isPart ? { lines: [{ lineId: first.id, quantity: first.quantity }] } : {};
  if (fulfilment && fulfilmentStatus === 'open') await step('shipments', { ...parcel, ...lines });
  if (fulfilment === 'delivered' && fulfilmentStatus !== 'delivered') await step('deliver');
  if (refund !== undefined && totals.refunded.amount === 0)
    await step('refunds', { goodwill: { amount: refund, currency: 'EUR' }, reason: 'A box was dented.' });
  if (!comesBack || first === undefined) return;
  const asked = { lines: [{ lineId: first.id, quantity: 1 }], reason: 'The taste is another one than expected.' };
  const [back] = returns.length > 0 ? returns : (await step('returns', asked)).returns;
  if (comesBack === 'received' && back?.status === 'requested') await step(`returns/${back.id}/receive`, {});

  async function step(path: string, body?: object): Promise<ordersHttp.OrderBody> {
    const answer = await asStaff('POST', `/v1/orders/${id}/${path}`, body);
    if (answer.status >= 400)
      throw new StackError(
        `The demo data could not be made: ${path} of an order answered ${answer.status} ${JSON.stringify(answer.body)}. ` +
          'Use --empty to start without it.',
      );
    return answer.body as ordersHttp.OrderBody;
  }
}
