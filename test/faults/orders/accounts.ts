import { none } from '../discounts/accounts.ts';
import type { MeasuredFact } from '../report.ts';
import type { Transferred } from './demo-pages.ts';
import { endsOf, type SentOrder } from './sent-order.ts';

/**
 * What the services have stored about orders when all work is finished, amounts in cents. Written down here once more: no code is
 * shared with the services.
 */
export interface StoredOrders {
  readonly orders: readonly StoredOrder[];
  /** The stock of the products that are sold. */
  readonly variants: readonly { readonly id: string; readonly stock: number; readonly reserved: number }[];
  readonly reservations: readonly { readonly _id: string; readonly lines: readonly StoredPieces[] }[];
  readonly redemptions: readonly {
    readonly orderRef: string;
    readonly status: string;
    readonly parts: readonly { readonly campaignId: string; readonly amount: number }[];
  }[];
  /** The payments of orders. */
  readonly payments: readonly { readonly _id: string; readonly orderId: string }[];
  readonly orderPayments: readonly {
    readonly _id: string;
    readonly received: number;
    readonly refunded: number;
    readonly credit: { readonly state: string } | null;
  }[];
  readonly accounts: readonly { readonly _id: string; readonly reserved: number }[];
  readonly invoices: readonly {
    readonly orderRef: string | null;
    readonly number: string;
    readonly total: number;
  }[];
  /** The ids of what still counts as unpaid, and of what carts stand still for. */
  readonly unpaid: readonly string[];
  readonly frozen: readonly string[];
}

interface StoredPieces {
  readonly variantId: string;
  readonly quantity: number;
}

export interface StoredOrder {
  readonly _id: string;
  readonly cartKey: string;
  readonly number: string | null;
  readonly status: string;
  readonly dueAt: Date | null;
  readonly userId: string | null;
  readonly email: string | null;
  readonly lines: readonly StoredLine[];
  readonly discounts: readonly { readonly campaignId: string; readonly amount: number }[];
  readonly shipping: { readonly price: number | null; readonly discount: number };
  readonly totals: { readonly total: number };
  readonly payment: { readonly status: string; readonly received: number; readonly refunded: number };
  readonly isShippingRefunded: boolean;
  readonly goodwill: number;
  readonly shipments: readonly object[];
  readonly returns: readonly {
    readonly status: string;
    readonly isRestocked: boolean;
    readonly lines: readonly { readonly lineId: string; readonly quantity: number }[];
  }[];
  readonly placedAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly timeline: readonly { readonly what: string }[];
}

interface StoredLine extends StoredPieces {
  readonly id: string;
  readonly reserved: { readonly unitPrice: number } | null;
  readonly discount: number;
  readonly shipped: number;
  readonly cancelled: number;
  readonly refunded: number;
  readonly returned: number;
}

export interface SeenFromOutside {
  readonly sent: readonly SentOrder[];
  /** The stock before the run, by variant. */
  readonly counted: ReadonlyMap<string, number>;
  /** What the provider has of each payment. */
  readonly transfers: ReadonlyMap<string, Transferred>;
  /** The number of mails with a template that were sent to an address. */
  readonly mails: (email: string, template: string) => number;
  readonly emailOf: (userId: string) => string;
}

/** Compares what every service has of the orders with the orders, and these with what their answers have said. */
export function accountsOfOrders(stored: StoredOrders, seen: SeenFromOutside): MeasuredFact[] {
  const { orders } = stored;
  const byId = new Map(orders.map((order) => [order._id, order]));
  const known = new Set(seen.sent.flatMap(({ id }) => id ?? []));
  // A refused order has no id in its answer, and one without an answer may be there.
  const unknown = orders.filter(({ _id }) => !known.has(_id)).length;
  const explained = seen.sent.filter(({ id }) => id === null).length;
  return [
    none('orders that are not as their answers say', wrongEnds(seen.sent, byId)),
    none('orders that nobody has sent', unknown > explained ? [`${unknown} of ${explained}`] : []),
    none('carts with several orders', twice(orders.map(({ cartKey }) => cartKey))),
    none(
      'orders that wait for something',
      orders.flatMap((order) => (isOver(order) && order.dueAt === null ? [] : [`${order._id} is ${order.status}`])),
    ),
    none('orders that count as unpaid, or keep a cart, and are over', [...stored.unpaid, ...stored.frozen]),
    none('numbers of orders that are missing or there twice', [
      ...twice(orders.flatMap(({ number }) => number ?? [])),
      ...orders.filter(({ number, placedAt }) => (number === null) !== (placedAt === null)).map(({ _id }) => _id),
    ]),
    none(
      'variants whose stock is not what was counted less what was shipped and has not come back',
      wrongStock(stored, seen),
    ),
    none('lines of which not so much has come back as their returns say', wrongReturns(stored)),
    none('reservations that are not what is still to be shipped', wrongReservations(stored)),
    none('discounts that are not those of the orders', wrongDiscounts(stored)),
    none('orders whose money is not received less refunded, to the cent', wrongMoney(stored, seen)),
    none('credit of orders that is not an invoice', wrongCredit(stored)),
    none('mails about orders that are missing or there twice', wrongMails(stored, seen)),
  ];
}

/** What has become of orders. A run in which one of these never happened has not tested enough. */
export function waysOfOrders({ orders }: Pick<StoredOrders, 'orders'>, sent: readonly SentOrder[]): MeasuredFact[] {
  const byId = new Map(orders.map((order) => [order._id, order]));
  return [
    ...(['guest', 'user', 'on account'] as const).map((kind) => ({
      what: `orders that were placed, ${kind}`,
      found: sent.filter((each) => each.kind === kind && byId.get(each.id ?? '')?.placedAt).length,
      atLeast: 1,
    })),
    { what: 'orders that were placed with discounts', found: withDiscounts(orders.filter(isPlaced)), atLeast: 1 },
    { what: 'orders that were refused', found: orders.filter(({ status }) => status === 'refused').length },
    {
      what: 'orders that were cancelled after they were placed',
      found: orders.filter(({ status, placedAt }) => status === 'cancelled' && placedAt !== null).length,
      atLeast: 1,
    },
  ];
}

const isPlaced = ({ status }: StoredOrder) => status === 'placed';
const isOver = ({ status }: StoredOrder) => ['placed', 'cancelled', 'refused'].includes(status);
const withDiscounts = (orders: readonly StoredOrder[]) => orders.filter(({ discounts }) => discounts.length > 0).length;
const openOf = ({ quantity, shipped, cancelled }: StoredLine) => quantity - shipped - cancelled;

function wrongEnds(sent: readonly SentOrder[], stored: ReadonlyMap<string, StoredOrder>): string[] {
  return sent.flatMap((order) => {
    if (order.id === null) return [];
    const found = stored.get(order.id);
    if (!found) return [`${order.id} is missing`];
    return endsOf(order).includes(found.status)
      ? []
      : [`${order.id}, ${order.kind}, is ${found.status}, not ${endsOf(order).join(' or ')}`];
  });
}

function wrongStock({ orders, variants }: StoredOrders, { counted }: SeenFromOutside): string[] {
  return variants.flatMap(({ id, stock, reserved }) => {
    const of = (order: StoredOrder) => order.lines.filter(({ variantId }) => variantId === id);
    const shipped = sum(orders.flatMap((order) => of(order).map((line) => line.shipped)));
    const restocked = sum(orders.flatMap((order) => of(order).map((line) => comeBackOf(order, line, true))));
    const open = sum(orders.filter(isPlaced).flatMap((order) => of(order).map(openOf)));
    return [
      ...differing(`${id}: stock`, stock, (counted.get(id) ?? 0) - shipped + restocked),
      ...differing(`${id}: reserved`, reserved, open),
      ...(stock < reserved ? [`${id}: ${reserved} reserved of ${stock}`] : []),
    ];
  });
}

/** How many pieces of the line have come back, in all or to be sold again. */
function comeBackOf({ returns }: StoredOrder, { id }: StoredLine, isToBeSold = false): number {
  const received = returns.filter(({ status, isRestocked }) => status === 'received' && (isRestocked || !isToBeSold));
  return sum(received.flatMap(({ lines }) => lines.map(({ lineId, quantity }) => (lineId === id ? quantity : 0))));
}

function wrongReturns({ orders }: StoredOrders): string[] {
  return orders.flatMap((order) =>
    order.lines.flatMap((line) => {
      const { id, shipped, returned } = line;
      return [
        ...differing(`${order._id}, line ${id}: returned`, returned, comeBackOf(order, line)),
        ...(returned > shipped ? [`${order._id}, line ${id}: ${returned} returned of ${shipped}`] : []),
      ];
    }),
  );
}

function wrongReservations({ orders, reservations }: StoredOrders): string[] {
  const reserved = new Map(reservations.map(({ _id, lines }) => [_id, lines]));
  const ids = new Set(orders.map(({ _id }) => _id));
  return [
    ...reservations
      .filter(({ _id, lines }) => lines.length > 0 && !ids.has(_id))
      .map(({ _id }) => `${_id} is no order`),
    ...orders.flatMap((order) => {
      const open = isPlaced(order) ? order.lines.map(openOf) : [];
      const found = reserved.get(order._id) ?? [];
      return differing(order._id, sum(found.map(({ quantity }) => quantity)), sum(open));
    }),
  ];
}

/** What is held or confirmed for an order, as long as the order is placed. */
function wrongDiscounts({ orders, redemptions }: StoredOrders): string[] {
  const of = Map.groupBy(redemptions, ({ orderRef }) => orderRef);
  const show = (parts: readonly { campaignId: string; amount: number }[]) =>
    parts
      .map(({ campaignId, amount }) => `${campaignId} ${amount}`)
      .toSorted()
      .join(', ');
  return orders.flatMap((order) => {
    const { _id, discounts } = order;
    const taken = (of.get(_id) ?? []).filter(({ status }) => status !== 'released');
    const right = isPlaced(order) ? show(discounts) : '';
    const found = taken.map(({ parts }) => show(parts)).join(' and ');
    const isConfirmed = taken.every(({ status }) => status === 'confirmed');
    return found === right && isConfirmed ? [] : [`${_id}, ${order.status}: "${found}", not "${right}"`];
  });
}

/** What the shop may keep of an order that is paid at the provider. */
function keptOf(order: StoredOrder): number {
  if (!isPlaced(order) || order.payment.status === 'on-account') return 0;
  const goods = order.lines.map(({ quantity, cancelled, refunded, discount, reserved }) => {
    const charged = Math.max(0, quantity - cancelled - refunded);
    return charged * (reserved?.unitPrice ?? 0) - Math.floor((2 * discount * charged + quantity) / (2 * quantity));
  });
  const { price, discount } = order.shipping;
  const shipping = order.isShippingRefunded ? 0 : (price ?? 0) - discount;
  return Math.max(0, sum(goods) + shipping - order.goodwill);
}

function wrongMoney({ orders, payments, orderPayments }: StoredOrders, { transfers }: SeenFromOutside): string[] {
  const paymentsOf = Map.groupBy(payments, ({ orderId }) => orderId);
  const counted = new Map(orderPayments.map((each) => [each._id, each]));
  const paidTo = new Set(payments.map(({ _id }) => _id));
  return [
    ...[...transfers.keys()].filter((id) => !paidTo.has(id)).map((id) => `${id} is no payment of an order`),
    ...orders.flatMap((order) => {
      const at = (paymentsOf.get(order._id) ?? []).flatMap(({ _id }) => transfers.get(_id) ?? []);
      const received = sum(at.map((each) => each.received));
      const refunded = sum(at.map((each) => each.refunded));
      const { _id, payment } = order;
      const found = counted.get(_id) ?? { received: 0, refunded: 0 };
      return [
        ...differing(`${_id}, ${order.status}: kept`, received - refunded, keptOf(order)),
        ...differing(`${_id}: received as billing says`, found.received, received),
        ...differing(`${_id}: refunded as billing says`, found.refunded, refunded),
        ...differing(`${_id}: received as the order says`, payment.received, received),
        ...differing(`${_id}: refunded as the order says`, payment.refunded, refunded),
      ];
    }),
  ];
}

function wrongCredit({ orders, orderPayments, accounts, invoices }: StoredOrders): string[] {
  const invoicesOf = Map.groupBy(invoices, ({ orderRef }) => orderRef);
  const credit = new Map(orderPayments.map((each) => [each._id, each.credit?.state ?? 'none']));
  return [
    ...accounts.flatMap(({ _id, reserved }) => differing(`${_id}: reserved`, reserved, 0)),
    ...orders.flatMap((order) => {
      const { _id, totals, payment } = order;
      const isOnAccount = isPlaced(order) && payment.status === 'on-account';
      const found = (invoicesOf.get(_id) ?? []).map(({ total }) => total).join(' and ');
      const right = isOnAccount ? String(totals.total) : '';
      const state = credit.get(_id) ?? 'none';
      const isRightState = isOnAccount ? state === 'invoiced' : !['reserved', 'invoiced'].includes(state);
      return found === right && isRightState ? [] : [`${_id}: invoice of "${found}", not "${right}"; credit ${state}`];
    }),
  ];
}

function wrongMails({ orders }: StoredOrders, { mails, emailOf }: SeenFromOutside): string[] {
  const times = (order: StoredOrder, what: string) => order.timeline.filter((entry) => entry.what === what).length;
  const right: Readonly<Record<string, (order: StoredOrder) => number>> = {
    'order-confirmed': ({ placedAt }) => Number(placedAt !== null),
    'order-cancelled': ({ status, placedAt }) => Number(status === 'cancelled' && placedAt !== null),
    'order-shipped': ({ shipments }) => shipments.length,
    'order-delivered': ({ deliveredAt }) => Number(deliveredAt !== null),
    'order-reduced': (order) => times(order, 'part-cancelled'),
    'order-refunded': (order) => times(order, 'refunded'),
    'order-returned': (order) => times(order, 'returned'),
  };
  const to = Map.groupBy(orders, ({ email, userId }) => email ?? emailOf(userId ?? ''));
  return [...to].flatMap(([email, of]) =>
    Object.entries(right).flatMap(([template, count]) =>
      differing(`${template} to ${email}`, mails(email, template), sum(of.map(count))),
    ),
  );
}

function twice(names: readonly string[]): string[] {
  return names.filter((name, at) => names.indexOf(name) !== at);
}

function differing(what: string, found: number, right: number): string[] {
  return found === right ? [] : [`${what} is ${found}, not ${right}`];
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
