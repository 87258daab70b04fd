import { describe, expect, it } from 'vitest';
import { accountsOfOrders, type SeenFromOutside, type StoredOrder, type StoredOrders } from './accounts.ts';
import { endsOf, type SentOrder } from './sent-order.ts';

const noon = new Date('2026-11-26T12:00:00Z');
const line = {
  id: '1',
  variantId: 'var_1',
  quantity: 3,
  reserved: { unitPrice: 1000 },
  discount: 100,
  shipped: 1,
  cancelled: 1,
  refunded: 0,
  returned: 0,
};
const received = (isRestocked: boolean) => ({ status: 'received', isRestocked, lines: [{ lineId: '1', quantity: 1 }] });
/** Three pieces for 30 EUR less 1 EUR and with 5 EUR of shipping, of which one was shipped and one cancelled. */
const byCard: StoredOrder = {
  _id: 'ord_card',
  cartKey: 'cart-1',
  number: 'ORD-2026-000001',
  status: 'placed',
  dueAt: null,
  userId: null,
  email: 'guest@example.com',
  lines: [line],
  discounts: [{ campaignId: 'camp_1', amount: 100 }],
  shipping: { price: 500, discount: 0 },
  totals: { total: 3400 },
  payment: { status: 'paid', received: 3400, refunded: 967 },
  isShippingRefunded: false,
  goodwill: 0,
  shipments: [{}],
  returns: [],
  placedAt: noon,
  deliveredAt: null,
  timeline: [{ what: 'shipped' }, { what: 'part-cancelled' }],
};
const onAccount: StoredOrder = {
  ...byCard,
  _id: 'ord_account',
  cartKey: 'cart-2',
  number: 'ORD-2026-000002',
  userId: 'user_1',
  email: null,
  lines: [{ ...line, quantity: 1, discount: 0, shipped: 0, cancelled: 0 }],
  discounts: [],
  totals: { total: 1785 },
  payment: { status: 'on-account', received: 0, refunded: 0 },
  shipments: [],
  timeline: [],
};
const cancelled: StoredOrder = {
  ...byCard,
  _id: 'ord_cancelled',
  cartKey: 'cart-3',
  number: 'ORD-2026-000003',
  userId: 'user_2',
  email: null,
  status: 'cancelled',
  lines: [{ ...line, shipped: 0, cancelled: 0 }],
  payment: { status: 'refunded', received: 3400, refunded: 3400 },
  shipments: [],
  timeline: [],
};

const redemption = { orderRef: 'ord_card', status: 'confirmed', parts: [{ campaignId: 'camp_1', amount: 100 }] };
const stored: StoredOrders = {
  orders: [byCard, onAccount, cancelled],
  variants: [{ id: 'var_1', stock: 9, reserved: 2 }],
  reservations: [
    { _id: 'ord_card', lines: [{ variantId: 'var_1', quantity: 1 }] },
    { _id: 'ord_account', lines: [{ variantId: 'var_1', quantity: 1 }] },
    { _id: 'ord_cancelled', lines: [] },
  ],
  redemptions: [redemption, { ...redemption, orderRef: 'ord_cancelled', status: 'released' }],
  payments: [
    { _id: 'pay_1', orderId: 'ord_card' },
    { _id: 'pay_2', orderId: 'ord_cancelled' },
  ],
  orderPayments: [
    { _id: 'ord_card', received: 3400, refunded: 967, credit: null },
    { _id: 'ord_account', received: 0, refunded: 0, credit: { state: 'invoiced' } },
    { _id: 'ord_cancelled', received: 3400, refunded: 3400, credit: null },
  ],
  accounts: [{ _id: 'user_1', reserved: 0 }],
  invoices: [{ orderRef: 'ord_account', number: 'INV-2026-000001', total: 1785 }],
  unpaid: [],
  frozen: [],
};

const sent: SentOrder = {
  kind: 'guest',
  email: 'guest@example.com',
  id: 'ord_card',
  ask: () => Promise.reject(new Error('nobody asks')),
  isReserved: true,
  total: 3400,
  lines: [],
  cancelled: 'no',
  isPaid: true,
  isShipped: false,
  isOver: false,
  announced: [],
  awaited: [],
};
const mails: Readonly<Record<string, number>> = {
  'guest@example.com order-confirmed': 1,
  'guest@example.com order-shipped': 1,
  'guest@example.com order-reduced': 1,
  'trader@example.com order-confirmed': 1,
  'shopper@example.com order-confirmed': 1,
  'shopper@example.com order-cancelled': 1,
};
const seen: SeenFromOutside = {
  sent: [
    sent,
    { ...sent, kind: 'on account', id: 'ord_account', isPaid: false },
    { ...sent, kind: 'user', id: 'ord_cancelled', cancelled: 'answered' },
  ],
  counted: new Map([['var_1', 10]]),
  transfers: new Map([
    ['pay_1', { received: 3400, refunded: 967 }],
    ['pay_2', { received: 3400, refunded: 3400 }],
  ]),
  mails: (email, template) => mails[`${email} ${template}`] ?? 0,
  emailOf: (id) => (id === 'user_1' ? 'trader@example.com' : 'shopper@example.com'),
};

/** What is found wrong, without what was found. */
function wrongIn(changed: Partial<StoredOrders>, outside: Partial<SeenFromOutside> = {}): string[] {
  return accountsOfOrders({ ...stored, ...changed }, { ...seen, ...outside })
    .filter(({ found, atLeast = found, atMost = found }) => found < atLeast || found > atMost)
    .map(({ what }) => what.replace(/ \(.*/, ''));
}
const instead = <Item extends { _id: string }>(items: readonly Item[], _id: string, changed: Partial<Item>): Item[] =>
  items.map((each) => (each._id === _id ? { ...each, ...changed } : each));

describe('the accounts of orders', () => {
  it('are right where every service has what the orders say', () => {
    expect(accountsOfOrders(stored, seen).filter(({ atMost, found }) => atMost === 0 && found > 0)).toEqual([]);
    expect(wrongIn({})).toEqual([]);
  });

  it.each<[string, Partial<StoredOrders>]>([
    [
      'orders that wait for something',
      {
        orders: [
          ...stored.orders,
          { ...cancelled, _id: 'ord_4', cartKey: '', number: null, placedAt: null, status: 'closing' },
        ],
      },
    ],
    ['carts with several orders', { orders: instead(stored.orders, 'ord_account', { cartKey: 'cart-1' }) }],
    ['orders that count as unpaid, or keep a cart, and are over', { unpaid: ['guest:guest@example.com'] }],
    ['orders that count as unpaid, or keep a cart, and are over', { frozen: ['ord_card'] }],
    [
      'numbers of orders that are missing or there twice',
      { orders: instead(stored.orders, 'ord_account', { number: 'ORD-2026-000001' }) },
    ],
    [
      'numbers of orders that are missing or there twice',
      { orders: instead(stored.orders, 'ord_account', { number: null }) },
    ],
    [
      'variants whose stock is not what was counted less what was shipped and has not come back',
      { variants: [{ id: 'var_1', stock: 10, reserved: 2 }] },
    ],
    [
      'variants whose stock is not what was counted less what was shipped and has not come back',
      { variants: [{ id: 'var_1', stock: 9, reserved: 3 }] },
    ],
    [
      'reservations that are not what is still to be shipped',
      { reservations: instead(stored.reservations, 'ord_cancelled', { lines: [line] }) },
    ],
    [
      'reservations that are not what is still to be shipped',
      { reservations: [...stored.reservations, { _id: 'ord_9', lines: [line] }] },
    ],
    ['discounts that are not those of the orders', { redemptions: [] }],
    ['discounts that are not those of the orders', { redemptions: [redemption, redemption] }],
    ['discounts that are not those of the orders', { redemptions: [{ ...redemption, status: 'held' }] }],
    [
      'discounts that are not those of the orders',
      { redemptions: [redemption, { ...redemption, orderRef: 'ord_cancelled' }] },
    ],
    [
      'orders whose money is not received less refunded, to the cent',
      { orderPayments: instead(stored.orderPayments, 'ord_card', { refunded: 966 }) },
    ],
    ['orders whose money is not received less refunded, to the cent', { payments: stored.payments.slice(1) }],
    ['credit of orders that is not an invoice', { invoices: [] }],
    ['credit of orders that is not an invoice', { invoices: [...stored.invoices, ...stored.invoices] }],
    ['credit of orders that is not an invoice', { accounts: [{ _id: 'user_1', reserved: 1785 }] }],
    [
      'credit of orders that is not an invoice',
      { orderPayments: instead(stored.orderPayments, 'ord_account', { credit: { state: 'reserved' } }) },
    ],
  ])('find %s', (what, changed) => {
    expect(wrongIn(changed)).toContain(what);
  });

  it('count what has come back and can be sold again', () => {
    const returned = (isRestocked: boolean, shown = 1): Partial<StoredOrders> => ({
      orders: instead(stored.orders, 'ord_card', {
        lines: [{ ...line, returned: shown }],
        returns: [received(isRestocked), { ...received(true), status: 'requested' }],
        timeline: [...byCard.timeline, { what: 'returned' }],
      }),
    });
    const withMail: Partial<SeenFromOutside> = {
      mails: (email, template) =>
        template === 'order-returned' ? Number(email === byCard.email) : seen.mails(email, template),
    };
    expect(wrongIn({ ...returned(true), variants: [{ id: 'var_1', stock: 10, reserved: 2 }] }, withMail)).toEqual([]);
    expect(wrongIn(returned(false), withMail)).toEqual([]);
    expect(wrongIn(returned(true), withMail)).toEqual([
      'variants whose stock is not what was counted less what was shipped and has not come back',
    ]);
    expect(wrongIn(returned(false, 2), withMail)).toEqual([
      'lines of which not so much has come back as their returns say',
    ]);
    expect(wrongIn(returned(false))).toEqual(['mails about orders that are missing or there twice']);
  });

  it('find money that the provider has not given back, or has given back twice', () => {
    const money = 'orders whose money is not received less refunded, to the cent';
    const transfers = (refunded: number) => new Map(seen.transfers).set('pay_1', { received: 3400, refunded });
    expect(wrongIn({}, { transfers: transfers(0) })).toEqual([money]);
    expect(wrongIn({}, { transfers: transfers(2 * 967) })).toEqual([money]);
  });

  it('find mails that were not sent, or twice', () => {
    const wrong = 'mails about orders that are missing or there twice';
    expect(wrongIn({}, { mails: () => 0 })).toEqual([wrong]);
    expect(wrongIn({}, { mails: (email, template) => 2 * seen.mails(email, template) })).toEqual([wrong]);
  });

  it('find orders that are not as their answers say', () => {
    const wrong = 'orders that are not as their answers say';
    expect(wrongIn({}, { sent: [...seen.sent, { ...sent, id: 'ord_lost' }] })).toEqual([wrong]);
    expect(wrongIn({}, { sent: seen.sent.map((each) => ({ ...each, cancelled: 'answered' as const })) })).toEqual([
      wrong,
    ]);
    expect(wrongIn({}, { sent: seen.sent.slice(1) })).toContain('orders that nobody has sent');
  });
});

it('an order ends as its answers say', () => {
  const ends = (changed: Partial<SentOrder>) => endsOf({ ...sent, isPaid: false, ...changed });
  expect(ends({ isPaid: true })).toEqual(['placed']);
  expect(ends({ isPaid: true, cancelled: 'asked' })).toEqual(['placed', 'cancelled']);
  expect(ends({ isPaid: true, cancelled: 'answered' })).toEqual(['cancelled']);
  expect(ends({})).toEqual(['cancelled']);
  expect(ends({ isReserved: false })).toEqual(['cancelled', 'refused']);
  expect(ends({ kind: 'on account' })).toEqual(['placed']);
  expect(ends({ kind: 'on account', isReserved: false })).toEqual(['placed', 'cancelled', 'refused']);
});
