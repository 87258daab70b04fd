import { fact, ordersEvents, type Fact, type http } from '@storefront/contracts';
import { toPercent } from '../../domain/tax.ts';
import {
  addressOf,
  hasBuyer,
  moneyOf,
  reservedIn,
  type Order,
  type OrderLine,
  type Shipment,
  type SomePieces,
} from './order.ts';
import { chargedOf, keptOf } from './kept.ts';
import { entryNames, type Command, type Step } from './transitions.ts';

/** What the event about a step needs besides the order after it. */
interface Taken {
  /** The status before the step. */
  readonly from: Order['status'];
  readonly step: Step;
}

/** The event by which a command reaches the service that does it; null where nobody is to be told. */
export function factOf(command: Command, order: Order, taken: Taken): Fact | null {
  switch (command) {
    case 'begin-checkout':
      return checkoutFact(order);
    case 'request-recipient':
      return recipientFact(order);
    case 'reserve-stock':
      return stockFact(order);
    case 'request-discount':
      return discountFact(order);
    case 'request-payment':
      return paymentFact(order);
    case 'close-payment':
      return closingFact(order);
    case 'ask-again':
      return questionOf(order);
    case 'place':
      return placedFact(order);
    case 'give-back':
      return cancelledFact(order, taken);
    case 'take-stock':
      return shippedFact(order);
    case 'note-delivery':
      return deliveredFact(order);
    case 'give-part-back':
      return reducedFact(order, taken);
    case 'take-back':
      return returnedFact(order, taken);
    case 'tell-buyer':
      return progressFact(order, taken);
    case 'tell-again':
      return repeatedFact(order, taken);
  }
}

/** The event that asks for what the order waits for now. */
function questionOf(order: Order): Fact {
  if (order.status === 'closing') return closingFact(order);
  if (order.status === 'awaiting-payment') return paymentFact(order);
  if (order.saved !== null) return recipientFact(order);
  return order.shipping.price === null ? stockFact(order) : discountFact(order);
}

/** A guest has no id under which the checkout could count. */
function checkoutFact({ id, userId, tier }: Order): Fact | null {
  return userId === null ? null : fact(ordersEvents.checkoutStarted, id, { userId, tier });
}

function recipientFact({ id, userId, saved }: Order): Fact {
  if (userId === null || saved === null) throw new Error(`${id} has an address, or nobody who could have saved one`);
  return fact(ordersEvents.recipientRequested, id, { userId, saved: { kind: saved.kind, id: saved.id } });
}

function stockFact({ id, tier, currency, lines }: Order): Fact {
  return fact(ordersEvents.orderRequested, id, { tier, currency, lines: lines.map(variantOf) });
}

function discountFact({ id, userId, tier, currency, codes, lines, shipping }: Order): Fact {
  return fact(ordersEvents.discountRequested, id, {
    userId,
    tier,
    currency,
    codes: [...codes],
    lines: lines.map((line) => ({ ...variantOf(line), unitPrice: reservedIn(line).unitPrice })),
    shipping: shipping.price ?? 0,
  });
}

function paymentFact({ id, userId, currency, totals, payment, returnUrl }: Order): Fact {
  if (payment.id === null) throw new Error(`${id} has no attempt to pay`);
  const { id: paymentId, method } = payment;
  return fact(ordersEvents.paymentRequested, id, {
    paymentId,
    userId,
    method,
    currency,
    amount: totals.total,
    returnUrl,
  });
}

function closingFact({ id, closingReason }: Order): Fact {
  return fact(ordersEvents.paymentClosingRequested, id, { reason: closingReason ?? 'unpaid' });
}

function cancelledFact(order: Order, { from }: Taken): Fact {
  const { id, userId, currency, refusal, closingReason } = order;
  if (from === 'cancelled' || from === 'refused') throw new Error(`${id} is over already`);
  return fact(ordersEvents.orderCancelled, id, {
    userId,
    from,
    reason: refusal?.code ?? closingReason ?? 'cancelled',
    segment: segmentOf(order),
    currency,
    sold: from === 'placed' ? soldOf(order) : null,
  });
}

function soldOf({ totals: { subtotal, discount, total }, lines }: Order): ordersEvents.OrderCancelled['sold'] {
  return {
    subtotal,
    discount,
    total,
    lines: lines.map((line) => {
      const { productId, variantId, quantity } = line;
      return { productId, variantId, quantity, unitPrice: reservedIn(line).unitPrice };
    }),
  };
}

/** The event about money that went back since the order was `before`; none where none has. */
export function refundedFacts(before: Order, after: Order): Fact[] {
  const { id, userId, currency, payment } = after;
  const amount = payment.refunded - before.payment.refunded;
  if (amount === 0) return [];
  return [fact(ordersEvents.orderRefunded, id, { userId, segment: segmentOf(after), currency, amount })];
}

/**
 * Whose order it is, for statistics, as long as it is kept. An order of a guest has an email until it is forgotten, which happens only
 * to one that was claimed.
 */
export function segmentOf({
  email,
  tier,
  timeline,
}: Pick<Order, 'email' | 'tier' | 'timeline'>): ordersEvents.OrderCancelled['segment'] {
  return email !== null || timeline.some(({ what }) => what === entryNames.claim) ? 'guest' : tier;
}

function placedFact(order: Order): Fact {
  const { id, number, userId, placedAt, tier, totals, lines, shipping } = order;
  const { payment, reference, redemptionId } = order;
  const money = (amount: number): http.Money => moneyOf(order, amount);
  const { firstName, lastName, phone, homeAddress, state, city, country } = addressOf(order);
  const data = {
    orderId: id,
    ...(number !== null && { number }),
    recipient: {
      firstName,
      lastName,
      ...(order.email !== null && { email: order.email }),
      ...(phone !== null && { phone }),
      address: { homeAddress, state, city, country },
    },
    placedAt: (placedAt ?? order.updatedAt).toISOString(),
    tier,
    totals: {
      subtotal: money(totals.subtotal),
      discount: money(totals.discount),
      shipping: money(totals.shipping),
      tax: money(totals.tax),
      total: money(totals.total),
    },
    lines: lines.map((line) => {
      const { sku, unitPrice } = reservedIn(line);
      return {
        productId: line.productId,
        variantId: line.variantId,
        quantity: line.quantity,
        unitPrice: money(unitPrice),
        description: nameOf(line),
        sku,
        taxRate: toPercent(line.taxRate),
        discount: money(line.discount),
        tax: money(line.tax),
      };
    }),
    shipping: {
      discount: money(shipping.discount),
      taxRate: toPercent(shipping.taxRate),
      tax: money(shipping.tax),
    },
    reverseCharge: order.reverseCharge,
    paymentTerms: payment.status === 'on-account' ? ('invoice' as const) : ('prepaid' as const),
    ...(reference !== null && { reference }),
    ...(redemptionId !== null && { redemptionId }),
  };
  return userId === null
    ? fact(ordersEvents.guestOrderPlaced, id, data)
    : fact(ordersEvents.orderPlaced, id, { ...data, userId });
}

function shippedFact(order: Order): Fact {
  const shipment = lastShipmentOf(order);
  return fact(ordersEvents.orderShipped, order.id, {
    shipmentId: shipment.id,
    userId: order.userId,
    segment: segmentOf(order),
    lines: variantsIn(order, shipment.lines),
  });
}

function deliveredFact(order: Order): Fact {
  const { id, userId } = order;
  return fact(ordersEvents.orderDelivered, id, { userId, segment: segmentOf(order) });
}

function reducedFact(order: Order, { step: { happening, lines = [], changeId } }: Taken): Fact {
  if (changeId === undefined) throw new Error(`a change of ${order.id} has no id`);
  return fact(ordersEvents.orderReduced, order.id, {
    changeId,
    lines: happening === 'reduce' ? variantsIn(order, lines) : [],
    currency: order.currency,
    keep: keptOf(order),
    charged: { quantities: order.lines.map(chargedOf), shipping: !order.isShippingRefunded },
  });
}

function returnedFact(order: Order, { step: { changeId } }: Taken): Fact {
  const { id, userId, currency, returns } = order;
  const received = returns.find((each) => each.id === changeId);
  if (!received) throw new Error(`${id} has no return ${changeId}`);
  return fact(ordersEvents.orderReturned, id, {
    returnId: received.id,
    lines: variantsIn(order, received.lines),
    restocked: received.isRestocked,
    userId,
    segment: segmentOf(order),
    currency,
  });
}

function lastShipmentOf({ id, shipments }: Order): Shipment {
  const last = shipments.at(-1);
  if (!last) throw new Error(`${id} has no shipment`);
  return last;
}

type Kind = ordersEvents.OrderProgress['kind'];
const kindsOfSteps: Readonly<Partial<Record<Step['happening'], Kind>>> = {
  'payment-failed': 'payment-failed',
  ship: 'shipped',
  deliver: 'delivered',
  reduce: 'reduced',
  refund: 'refunded',
  'receive-return': 'returned',
};
const kinds: Readonly<Partial<Record<Order['status'], Kind>>> = { placed: 'confirmed', cancelled: 'cancelled' };

function progressFact(order: Order, { step }: Taken): Fact | null {
  const kind = kindsOfSteps[step.happening] ?? kinds[order.status];
  return kind === undefined ? null : mailFact(order, kind, step);
}

/** What the buyer was told when the timeline got an entry: the same as of its step, or of the status that it names. */
const kindsOfEntries = new Map<string, Kind>(Object.entries(kinds));
for (const [step, kind] of Object.entries(kindsOfSteps)) {
  const name = entryNames[step as Step['happening']];
  if (name !== undefined) kindsOfEntries.set(name, kind);
}

function repeatedFact(order: Order, { step }: Taken): Fact | null {
  if (step.mail === 'confirmation') return mailFact(order, 'confirmed', {});
  const last = order.timeline.findLast(({ what }) => kindsOfEntries.has(what));
  const kind = kindsOfEntries.get(last?.what ?? '');
  if (last === undefined || kind === undefined) return null;
  return mailFact(order, kind, {
    ...(last.lines.length > 0 && { lines: last.lines }),
    ...(last.amount !== null && { amount: last.amount }),
  });
}

/** The event by which the buyer is mailed. `lines` and `amount` are what it is about; the whole order where there are none. */
function mailFact(order: Order, kind: Kind, about: Pick<Step, 'lines' | 'amount'>): Fact | null {
  const { id, number, userId, email, locale, currency, totals, taxIncluded, payment } = order;
  // The buyer of an erased order is nobody.
  if (!hasBuyer(order)) return null;
  // Whoever types the address of another one must not be able to have mails sent there.
  if (userId === null && number === null) return null;
  const { firstName, lastName } = addressOf(order);
  return fact(ordersEvents.orderProgressed, id, {
    kind,
    number,
    userId,
    email,
    locale,
    name: `${firstName} ${lastName}`,
    currency,
    lines: (about.lines
      ? piecesOf(order, about.lines)
      : order.lines.map((line) => ({ line, quantity: line.quantity }))
    ).map(({ line, quantity }) => {
      const { sku, unitPrice } = reservedIn(line);
      return { name: nameOf(line), sku, quantity, unitPrice };
    }),
    tracking: kind === 'shipped' ? trackingOf(lastShipmentOf(order)) : null,
    refund: about.amount ?? null,
    totals,
    taxIncluded,
    payment: totals.total === 0 ? 'none' : payment.method,
    orderSecret: order.secret?.sealed ?? null,
  });
}

function trackingOf({ carrier, trackingNumber: number, trackingUrl: url }: Shipment) {
  return { carrier, number, url };
}

/** The lines that these pieces are of. */
function piecesOf({ lines }: Order, pieces: SomePieces): readonly { line: OrderLine; quantity: number }[] {
  return pieces.flatMap(({ lineId, quantity }) =>
    lines.flatMap((line) => (line.id === lineId ? { line, quantity } : [])),
  );
}

/** The variants that these pieces are of, with how many. */
function variantsIn(order: Order, pieces: SomePieces) {
  return piecesOf(order, pieces).map(({ line, quantity }) => ({ ...variantOf(line), quantity }));
}

function variantOf({ id, productId, variantId, quantity }: OrderLine) {
  return { lineId: id, productId, variantId, quantity };
}

function nameOf(line: OrderLine): string {
  const { name, values } = reservedIn(line);
  return values.length === 0 ? name : `${name}, ${values.join(', ')}`;
}
