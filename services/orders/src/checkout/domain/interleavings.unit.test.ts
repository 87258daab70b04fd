import {
  accountEvents,
  billingEvents,
  catalogEvents,
  engagementEvents,
  newId,
  ordersEvents,
  Refusal,
  system,
  type EventContract,
  type EventOf,
  type Fact,
} from '@storefront/contracts';
import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { address } from '../../../test/placed-order.ts';
import type { Terms } from '../../domain/terms.ts';
import { advance, canTake } from './advance.ts';
import * as answers from './answers.ts';
import { cancel, deliver, ship } from './fulfilment.ts';
import { keptOf } from './kept.ts';
import { newOrder, type NewOrder, type Order } from './order.ts';
import { reduce, refund } from './reductions.ts';
import { receiveReturn, requestReturn } from './returns.ts';
import { dueOf } from './time-outs.ts';

// The process of many orders against models of the other services, which keep to their contracts. Events come late, twice, out
// of order, or not before they are asked for again; buyers pay, cancel and pay late; time passes meanwhile.

const runs = inject('isProof') ? 10_000 : 500;
const price = 1500;
const pieces = 3;
const shippingPrice = 500;

type DataOf<Contract extends EventContract> = EventOf<Contract>['data'];

interface Message {
  readonly type: string;
  readonly subject: string;
  readonly sequence: number;
  readonly data: any;
}

const terms: Terms = {
  shipping: { price: shippingPrice },
  rates: { shipping: 1900, standard: 1900, reduced: 700, zero: 0 },
  reverseCharge: false,
};

type Kind = 'card' | 'invoice' | 'card, to a saved address';

function sentOrder(kind: Kind): NewOrder {
  const method = kind === 'invoice' ? 'invoice' : 'card';
  const isSaved = kind === 'card, to a saved address';
  const { firstName, lastName, company } = address;
  return {
    id: newId('ord'),
    cartKey: 'cart',
    userId: newId('user'),
    email: null,
    locale: null,
    tier: method === 'invoice' ? 'trade' : 'retail',
    currency: 'EUR',
    lines: [{ productId: newId('prod'), variantId: newId('var'), quantity: pieces, shownPrice: price }],
    codes: [],
    expectedTotal: method === 'invoice' ? 5950 : pieces * price + shippingPrice,
    saved: isSaved ? { kind: 'address', id: newId('addr'), recipient: { firstName, lastName, company } } : null,
    shippingAddress: isSaved ? null : address,
    billingAddress: isSaved ? null : address,
    shippingOption: { id: newId('shopt'), name: 'Parcel' },
    method,
    returnUrl: null,
    reference: null,
    note: null,
    secret: null,
    unpaidKeys: [],
  };
}

/** What one order has in the other services. */
interface Elsewhere {
  stock: 'unknown' | 'reserved' | 'refused' | 'ended';
  /** How many pieces are reserved. */
  held: number;
  /** The shipments, cancelled parts and returns that were counted. */
  readonly taken: Set<string>;
  discount: 'unknown' | 'held' | 'confirmed' | 'ended';
  readonly pages: Map<string, 'open' | 'closed'>;
  isEnded: boolean;
  isClosed: boolean;
  isPlaced: boolean;
  credit: 'none' | 'reserved' | 'invoiced';
  /** What the invoice of an order on account comes to. */
  invoiced: number;
  received: number;
  /** What went back, or was credited of the invoice. */
  refunded: number;
  /** What staff have credited of the invoice themselves. */
  byStaff: number;
  due: number;
  /** The most that the shop may keep, since parts of the order were cancelled or refunded. */
  keep: number;
  sequence: number;
  /** All of the total came while the order was still to be paid. */
  isPaidInTime: boolean;
  /** The buyer has cancelled it, before it was placed. */
  isCancelled: boolean;
}

class World {
  now = new Date('2026-11-26T12:00:00Z');
  counted: number;
  reserved = 0;
  readonly orders = new Map<string, Order>();
  readonly elsewhere = new Map<string, Elsewhere>();
  readonly messages: Message[] = [];
  readonly published: Fact[] = [];
  private numbers = 0;

  constructor(stock: number) {
    this.counted = stock;
  }

  send(kind: Kind): void {
    const order = newOrder(sentOrder(kind), this.now);
    this.elsewhere.set(order.id, {
      stock: 'unknown',
      held: 0,
      taken: new Set(),
      discount: 'unknown',
      pages: new Map(),
      isEnded: false,
      isClosed: false,
      isPlaced: false,
      credit: 'none',
      invoiced: 0,
      received: 0,
      refunded: 0,
      byStaff: 0,
      due: 0,
      keep: Infinity,
      sequence: 0,
      isPaidInTime: false,
      isCancelled: false,
    });
    this.orders.set(order.id, order);
    this.take(order.id, () => ({ order, step: { happening: order.saved ? 'sent-to-saved' : 'sent', by: 'buyer' } }));
  }

  take(id: string, stepOf: (order: Order) => answers.Answered | null): void {
    const current = this.orders.get(id);
    if (!current) throw new Error(`there is no ${id}`);
    const answered = stepOf(current);
    if (!answered || !canTake(current, answered.step)) return;
    this.numbers += 1;
    const decision = advance(answered.order, answered.step, { now: this.now, number: `ORD-2026-${this.numbers}` });
    if (decision.kind !== 'changed') throw new Error('nothing changed');
    this.orders.set(id, decision.state);
    if (answered.step.happening === 'cancel' && current.status !== 'placed') this.of(id).isCancelled = true;
    const { id: attempt, redirectUrl } = decision.state.payment;
    if (redirectUrl !== null && redirectUrl !== `https://pay.example/${attempt}`)
      throw new Error(`${redirectUrl} is not the page of ${attempt}`);
    for (const { type, subject, data } of decision.facts) this.messages.push({ type, subject, sequence: 0, data });
    this.published.push(...decision.facts);
  }

  asked() {
    return { actor: system, now: this.now };
  }

  answer<Contract extends EventContract>(contract: Contract, subject: string, data: DataOf<Contract>): void {
    const of = this.of(subject);
    of.sequence += 1;
    this.messages.push({ type: contract.type, subject, sequence: of.sequence, data });
  }

  of(id: string): Elsewhere {
    const found = this.elsewhere.get(id);
    if (!found) throw new Error(`nobody knows ${id}`);
    return found;
  }

  buyerPays(id: string, place: number): void {
    const of = this.of(id);
    const pages = [...of.pages.keys()];
    if (pages.length === 0) return;
    const page = pages[place % pages.length] ?? '';
    // Money that was on its way when the page was closed still comes.
    const amount = this.orders.get(id)?.totals.total ?? 0;
    of.received += amount;
    of.pages.set(page, 'closed');
    if (this.orders.get(id)?.status === 'awaiting-payment') of.isPaidInTime = true;
    this.settle(id);
  }

  /** Staff credit a part of the invoice by themselves. */
  staffCredit(id: string, amount: number): void {
    const of = this.of(id);
    const credited = Math.min(amount, of.invoiced - of.refunded);
    if (credited <= 0) return;
    of.byStaff += credited;
    of.due = Math.min(of.due, of.invoiced - of.refunded - credited);
    this.settle(id);
  }

  private settle(id: string): void {
    const of = this.of(id);
    const tooMuch = of.invoiced + of.received - of.refunded - of.due;
    if (tooMuch > 0) of.refunded += tooMuch;
    const isLeft = of.invoiced + of.received > of.refunded;
    this.answer(billingEvents.orderPaymentChanged, id, {
      currency: 'EUR',
      received: of.received,
      refunded: of.refunded,
      disputed: 0,
      refundsFailed: 0,
      state: of.invoiced > 0 ? (isLeft ? 'on-account' : 'refunded') : isLeft ? 'paid' : 'open',
    });
  }

  deliver({ type, subject: id, sequence, data }: Message): void {
    const of = this.of(id);
    switch (type) {
      case ordersEvents.recipientRequested.type: {
        const { homeAddress, city, state, country, phone } = address;
        const place = { homeAddress, city, state, country, phone };
        return this.answer(accountEvents.recipientFound, id, { firstName: null, lastName: null, ...place });
      }
      case ordersEvents.orderRequested.type:
        if (of.stock === 'unknown') {
          of.stock = this.counted - this.reserved >= pieces ? 'reserved' : 'refused';
          if (of.stock === 'reserved') this.hold(of, pieces);
        }
        if (of.stock === 'reserved') this.answer(catalogEvents.stockReserved, id, reservedLines(data));
        if (of.stock === 'refused')
          this.answer(catalogEvents.stockRefused, id, {
            lines: [{ lineId: '1', reason: 'not_enough_stock', available: 0 }],
          });
        return;
      case ordersEvents.discountRequested.type:
        if (of.discount === 'unknown') of.discount = 'held';
        if (of.discount !== 'ended')
          this.answer(engagementEvents.discountHeld, id, {
            redemptionId: null,
            currency: 'EUR',
            lines: [{ lineId: '1', discount: 0 }],
            discount: 0,
            shippingDiscount: 0,
            campaigns: [],
            codes: [],
          });
        return;
      case ordersEvents.paymentRequested.type:
        return this.requestPayment(id, data);
      case ordersEvents.paymentClosingRequested.type:
        of.isClosed = true;
        for (const page of of.pages.keys()) of.pages.set(page, 'closed');
        this.answer(billingEvents.paymentClosed, id, { currency: 'EUR', received: of.received, refunded: of.refunded });
        return;
      case ordersEvents.orderCancelled.type:
        this.hold(of, -of.held);
        of.stock = 'ended';
        of.discount = 'ended';
        of.isEnded = true;
        of.isClosed = true;
        of.due = 0;
        if (of.credit === 'reserved') of.credit = 'none';
        if (of.invoiced + of.received > of.refunded) this.settle(id);
        return;
      case ordersEvents.orderShipped.type: {
        const { shipmentId, lines }: DataOf<typeof ordersEvents.orderShipped> = data;
        if (of.stock !== 'reserved' || of.taken.has(shipmentId)) return;
        of.taken.add(shipmentId);
        for (const { quantity } of lines) {
          this.counted -= quantity;
          this.hold(of, -quantity);
        }
        return;
      }
      case ordersEvents.orderReturned.type: {
        const { returnId, lines, restocked }: DataOf<typeof ordersEvents.orderReturned> = data;
        if (!restocked || of.taken.has(returnId)) return;
        of.taken.add(returnId);
        for (const { quantity } of lines) this.counted += quantity;
        return;
      }
      case ordersEvents.orderReduced.type: {
        const { changeId, lines, keep }: DataOf<typeof ordersEvents.orderReduced> = data;
        of.keep = Math.min(of.keep, keep);
        of.due = Math.min(of.due, of.keep);
        if (of.invoiced + of.received - of.refunded > of.due) this.settle(id);
        if (of.stock !== 'reserved' || of.taken.has(changeId)) return;
        of.taken.add(changeId);
        for (const { quantity } of lines) this.hold(of, -quantity);
        return;
      }
      case ordersEvents.orderPlaced.type:
        of.isPlaced = true;
        if (of.discount === 'held') of.discount = 'confirmed';
        if (of.credit === 'reserved') {
          of.credit = 'invoiced';
          of.invoiced = data.totals.total.amount;
          if (of.invoiced > of.due) this.settle(id);
        }
        return;
      case accountEvents.recipientFound.type:
        return this.take(id, (order) => answers.recipientFound(order, data));
      case catalogEvents.stockReserved.type:
        return this.take(id, (order) => answers.stockReserved(order, data, terms));
      case catalogEvents.stockRefused.type:
        return this.take(id, (order) => answers.stockRefused(order, data));
      case engagementEvents.discountHeld.type:
        return this.take(id, (order) => answers.discountHeld(order, data));
      case billingEvents.paymentOpened.type:
        return this.take(id, (order) => answers.paymentOpened(order, data));
      case billingEvents.paymentOpenFailed.type:
        return this.take(id, (order) => answers.paymentOpenFailed(order, data));
      case billingEvents.creditReserved.type:
        return this.take(id, (order) => answers.creditReserved(order, data));
      case billingEvents.paymentClosed.type:
        return this.take(id, (order) => answers.paymentClosed(order, data, sequence));
      case billingEvents.orderPaymentChanged.type:
        return this.take(id, (order) => answers.paymentChanged(order, data, sequence));
      default:
    }
  }

  private hold(of: Elsewhere, more: number): void {
    of.held += more;
    this.reserved += more;
  }

  /** What staff and buyers ask of a placed order. A refusal changes nothing. */
  ask(id: string, stepOf: (order: Order) => answers.Answered | null): void {
    try {
      this.take(id, (order) => (order.status === 'placed' ? stepOf(order) : null));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }

  private requestPayment(id: string, data: DataOf<typeof ordersEvents.paymentRequested>): void {
    const of = this.of(id);
    if (of.isEnded) return;
    of.due = Math.min(data.amount, of.keep);
    if (data.method === 'invoice') {
      if (of.isClosed) return;
      if (of.credit === 'none') of.credit = 'reserved';
      this.answer(billingEvents.creditReserved, id, { paymentId: data.paymentId });
      return;
    }
    if (!of.pages.has(data.paymentId)) {
      if (of.isClosed) return;
      for (const page of of.pages.keys()) of.pages.set(page, 'closed');
      of.pages.set(data.paymentId, 'open');
    }
    this.answer(billingEvents.paymentOpened, id, {
      paymentId: data.paymentId,
      redirectUrl: `https://pay.example/${data.paymentId}`,
    });
  }

  /** Lets time pass, and what is due then happen. */
  wait(seconds: number): void {
    this.now = new Date(this.now.getTime() + seconds * 1000);
    for (const id of this.orders.keys())
      this.take(id, (order) => {
        const step = dueOf(order, this.now);
        return step && { order, step };
      });
  }
}

function piecesIn(returns: Order['returns']): number {
  return returns.flatMap(({ lines }) => lines).reduce((sum, { quantity }) => sum + quantity, 0);
}

function reservedLines(data: DataOf<typeof ordersEvents.orderRequested>): DataOf<typeof catalogEvents.stockReserved> {
  return {
    currency: 'EUR',
    lines: data.lines.map((line) => ({
      ...line,
      backOrdered: 0,
      sku: 'MUG',
      name: 'Mug',
      values: [],
      image: null,
      unitPrice: price,
      taxClass: 'standard' as const,
      weight: null,
    })),
  };
}

const happening = fc.oneof(
  {
    weight: 15,
    arbitrary: fc.record({
      kind: fc.constant('deliver' as const),
      at: fc.nat(),
      again: fc.constantFrom(false, false, false, true),
    }),
  },
  // Without it few orders would come so far that they are shipped and come back.
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('deliver-all' as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('lose' as const), at: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pay' as const), at: fc.nat(), page: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), at: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('ship' as const),
      at: fc.nat(),
      quantity: fc.integer({ min: 1, max: pieces }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('cancel-part' as const),
      at: fc.nat(),
      quantity: fc.integer({ min: 1, max: pieces }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('refund' as const),
      at: fc.nat(),
      quantity: fc.integer({ min: 0, max: pieces }),
      shipping: fc.boolean(),
      goodwill: fc.constantFrom(0, 1, 700),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('credit-invoice' as const), at: fc.nat(), amount: fc.nat(3000) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('send-back' as const),
      at: fc.nat(),
      quantity: fc.constantFrom(1, 1, 2, pieces),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('receive-return' as const),
      at: fc.nat(),
      which: fc.nat(),
      /** 0 for all that was announced. */
      quantity: fc.constantFrom(0, 0, 1, 2),
      restock: fc.constantFrom(true, true, false),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('deliver-parcel' as const), at: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('another-page' as const), at: fc.nat() }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(5, 30, 120, 1200, 3600) }),
  },
);

/** Types that are lost only until they are asked for again; all others are published until they are delivered. */
const repeated = new Set<string>([
  ordersEvents.recipientRequested.type,
  ordersEvents.orderRequested.type,
  ordersEvents.discountRequested.type,
  ordersEvents.paymentRequested.type,
  ordersEvents.paymentClosingRequested.type,
  accountEvents.recipientFound.type,
  catalogEvents.stockReserved.type,
  engagementEvents.discountHeld.type,
  billingEvents.paymentOpened.type,
  billingEvents.creditReserved.type,
  billingEvents.paymentClosed.type,
]);

/** Expects every order to have ended, with all that is elsewhere as the order says. */
function expectSettled(world: World, stock: number): void {
  expect(world.messages).toEqual([]);

  const orders = [...world.orders.values()];
  const placed = orders.filter(({ status }) => status === 'placed');
  expect(orders.filter(({ status }) => !['placed', 'cancelled', 'refused'].includes(status))).toEqual([]);
  const shippedOf = (order: Order) => order.lines.reduce((sum, { shipped }) => sum + shipped, 0);
  const receivedOf = (order: Order) => order.returns.filter(({ status }) => status === 'received');
  const restockedOf = (order: Order) => piecesIn(receivedOf(order).filter(({ isRestocked }) => isRestocked));
  expect(world.counted).toBe(stock - orders.reduce((sum, order) => sum + shippedOf(order) - restockedOf(order), 0));
  const cancelledOf = (order: Order) => order.lines.reduce((sum, { cancelled }) => sum + cancelled, 0);
  const openOf = (order: Order) => pieces - shippedOf(order) - cancelledOf(order);
  expect(world.reserved).toBe(placed.reduce((sum, order) => sum + openOf(order), 0));
  for (const order of orders) {
    const { id, status, totals, payment } = order;
    const of = world.of(id);
    const isPlaced = status === 'placed';
    const kept = isPlaced ? keptOf(order) : 0;
    const left = of.invoiced + of.received - of.refunded;
    const back = order.timeline.reduce((sum, { amount }) => sum + (amount ?? 0), 0);
    expect(isPlaced ? keptOf(order) + back : totals.total).toBe(totals.total);
    expect(left).toBeGreaterThanOrEqual(0);
    expect(of.isPaidInTime && !of.isCancelled && order.placedAt === null).toBe(false);
    expect(of.isCancelled && isPlaced).toBe(false);
    // What staff have credited themselves is a part of what the order has given back, or comes on top of it.
    expect(left).toBeLessThanOrEqual(kept);
    expect(left).toBeGreaterThanOrEqual(kept - of.byStaff);
    expect(of.discount === 'confirmed').toBe(isPlaced);
    expect(of.credit).toBe(of.invoiced > 0 ? 'invoiced' : 'none');
    expect(isPlaced && payment.method === 'invoice' ? of.invoiced : totals.total).toBe(totals.total);
    const ofType = (type: string) => world.published.filter((each) => each.type === type && each.subject === id);
    expect(ofType(ordersEvents.orderPlaced.type).length).toBeLessThanOrEqual(1);
    expect(ofType(ordersEvents.orderCancelled.type)).toHaveLength(isPlaced ? 0 : 1);
    expect({ received: payment.received, refunded: payment.refunded }).toEqual({
      received: of.received,
      refunded: of.refunded,
    });
    expect(isPlaced).toBe(of.stock === 'reserved');
    expect(of.held).toBe(isPlaced ? openOf(order) : 0);
    expect(openOf(order)).toBeGreaterThanOrEqual(0);
    expect(shippedOf(order) > 0 && !isPlaced).toBe(false);
    expect(order.lines[0]?.returned).toBe(piecesIn(receivedOf(order)));
    expect(piecesIn(order.returns)).toBeLessThanOrEqual(shippedOf(order));
  }
}

it('ends every order, with no piece, no discount and no cent too many or too few, in whatever order things happen', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom<Kind>('card', 'invoice', 'card, to a saved address'), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 0, max: 2 * pieces }),
      fc.array(happening, { minLength: 20, maxLength: 80, size: 'max' }),
      fc.boolean(),
      (kinds, stock, happenings, isReversed) => {
        const world = new World(stock);
        for (const kind of kinds) world.send(kind);
        const ids = [...world.orders.keys()];
        const idAt = (at: number) => ids[at % ids.length] ?? '';
        for (const each of happenings) {
          switch (each.kind) {
            case 'deliver': {
              const at = each.at % Math.max(1, world.messages.length);
              const message = each.again ? world.messages[at] : world.messages.splice(at, 1)[0];
              if (message) world.deliver(message);
              break;
            }
            case 'deliver-all':
              for (let message = world.messages.shift(); message; message = world.messages.shift())
                world.deliver(message);
              break;
            case 'lose': {
              const at = each.at % Math.max(1, world.messages.length);
              if (repeated.has(world.messages[at]?.type ?? '')) world.messages.splice(at, 1);
              break;
            }
            case 'pay':
              world.buyerPays(idAt(each.at), each.page);
              break;
            case 'cancel':
              world.take(idAt(each.at), (order) =>
                order.fulfilment === 'open' ? cancel(order, { by: 'buyer', actor: system }) : null,
              );
              break;
            case 'ship': {
              const given = { lines: [{ lineId: '1', quantity: each.quantity }] };
              world.ask(idAt(each.at), (order) => ship(order, { id: newId('shpm'), given }, world.asked()));
              break;
            }
            case 'cancel-part': {
              const part = { id: newId('och'), lines: [{ lineId: '1', quantity: each.quantity }], reason: 'Broken.' };
              world.ask(idAt(each.at), (order) => reduce(order, part, world.asked()));
              break;
            }
            case 'refund': {
              const given = {
                ...(each.quantity > 0 && { lines: [{ lineId: '1', quantity: each.quantity }] }),
                ...(each.shipping && { shipping: true as const }),
                ...(each.goodwill > 0 && { goodwill: { amount: each.goodwill, currency: 'EUR' } }),
                reason: 'It came late.',
              };
              world.ask(idAt(each.at), (order) => refund(order, { id: newId('och'), given }, world.asked()));
              break;
            }
            case 'send-back': {
              const given = { lines: [{ lineId: '1', quantity: each.quantity }], reason: 'Too small.' };
              world.ask(idAt(each.at), (order) =>
                requestReturn(order, { id: newId('ret'), by: 'buyer', given }, world.asked()),
              );
              break;
            }
            case 'receive-return': {
              const { quantity, restock } = each;
              const given = { ...(quantity > 0 && { lines: [{ lineId: '1', quantity }] }), restock };
              const receive = (order: Order) => {
                const { id } = order.returns[each.which % Math.max(1, order.returns.length)] ?? {};
                return id === undefined ? null : receiveReturn(order, { id, given }, world.asked());
              };
              world.ask(idAt(each.at), receive);
              // Another one of the staff has the same page open.
              world.ask(idAt(each.at), receive);
              break;
            }
            case 'credit-invoice':
              world.staffCredit(idAt(each.at), each.amount);
              break;
            case 'deliver-parcel':
              world.ask(idAt(each.at), (order) => deliver(order, world.asked()));
              break;
            case 'another-page':
              world.take(idAt(each.at), (order) =>
                order.payment.method === 'card' ? { order, step: { happening: 'pay', by: 'buyer' } } : null,
              );
              break;
            case 'wait':
              world.wait(each.seconds);
              break;
          }
          expect(world.reserved).toBeGreaterThanOrEqual(0);
          expect(world.counted).toBeGreaterThanOrEqual(world.reserved);
        }
        const next = () => (isReversed ? world.messages.pop() : world.messages.shift());
        for (let hours = 0; hours < 12; hours += 1) {
          for (let message = next(); message; message = next()) world.deliver(message);
          world.wait(3600);
        }
        expectSettled(world, stock);
      },
    ),
    { numRuns: runs },
  );
});

it('sells the last pieces once, where one buyer pays at 34:59 and may cancel, and others want them, with the broker away for an hour', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(null, 'before the time-out' as const, 'after it' as const),
      fc.infiniteStream(fc.nat()),
      (cancels, choices) => {
        const world = new World(pieces);
        world.send('card');
        const [first = ''] = world.orders.keys();
        for (let message = world.messages.shift(); message; message = world.messages.shift()) world.deliver(message);
        const cancelFirst = () => world.take(first, (order) => cancel(order, { by: 'buyer', actor: system }));
        world.wait(34 * 60 + 59);
        world.buyerPays(first, 0);
        if (cancels === 'before the time-out') cancelFirst();
        world.wait(1);
        expect(world.orders.get(first)?.status).toBe('closing');
        if (cancels === 'after it') cancelFirst();
        world.send('card');
        // Nothing is delivered for an hour, then all of it in any order. Only who comes late still waits.
        world.wait(3600);
        world.send('card');
        for (let hours = 0; hours < 12; hours += 1) {
          while (world.messages.length > 0) {
            const at = (choices.next().value ?? 0) % world.messages.length;
            for (const message of world.messages.splice(at, 1)) world.deliver(message);
          }
          world.wait(3600);
        }
        expectSettled(world, pieces);
        expect(world.orders.get(first)?.status).toBe(cancels === null ? 'placed' : 'cancelled');
      },
    ),
    { numRuns: runs },
  );
});
