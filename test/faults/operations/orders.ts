import { setTimeout as wait } from 'node:timers/promises';
import { type Reply, effectsOf, isSuccess } from '../client.ts';
import type { Entry } from '../ledger.ts';
import type { OrderingUser } from '../orders/buyers.ts';
import type { SoldProduct } from '../orders/orders.ts';
import type { SentOrder } from '../orders/sent-order.ts';
import type { TestOperation, VirtualUser } from './operation.ts';
import { announceReturn, receiveReturn, withdrawReturn } from './returns.ts';
import { anySent, somePieces, testOrdersOf, timesOf } from './sent-orders.ts';

const needs = { orders: true } as const;
const mostPieces = 3;
const longestLate = 5;
const answeredWithinMs = 150_000;
const pauseMs = 100;
const shippingAddress = {
  firstName: 'Olga',
  lastName: 'Order',
  homeAddress: '1 Pier',
  city: '10119 Berlin',
  country: 'DE',
};

const guestOrder: TestOperation = {
  name: 'order as a guest',
  weight: 6,
  needs,
  async run(user, entry) {
    await buy(user, entry, anyPurchase(user, null));
  },
};

const userOrder: TestOperation = {
  name: 'order as a user',
  weight: 4,
  needs,
  async run(user, entry) {
    await buy(user, entry, anyPurchase(user, anyUser(user, false)));
  },
};

const orderOnAccount: TestOperation = {
  name: 'order on account',
  weight: 3,
  needs,
  async run(user, entry) {
    await buy(user, entry, anyPurchase(user, anyUser(user, true)));
  },
};

const isUnpaid = ({ kind, isPaid, cancelled, isOver }: SentOrder) =>
  kind !== 'on account' && !isPaid && cancelled === 'no' && !isOver;
const isCancellable = ({ kind, isShipped, cancelled }: SentOrder) =>
  kind !== 'on account' && !isShipped && cancelled === 'no';

const pay: TestOperation = {
  name: 'pay an order',
  weight: 4,
  needs: { orders: isUnpaid },
  async run(user, entry) {
    const order = anySent(user, isUnpaid);
    if (!order) return;
    const found = await look(order);
    if (found && (await payPage(user, order, found.body))) entry.acknowledged();
  },
};

const payElsewhere: TestOperation = {
  name: 'ask for another page to pay on',
  weight: 2,
  needs: { orders: isUnpaid },
  async run(user, entry) {
    const order = anySent(user, isUnpaid);
    if (!order || (await look(order))?.body.status !== 'awaiting-payment') return;
    const reply = await order.ask('POST', `/v1/orders/${order.id}/pay`);
    if (isSuccess(reply)) entry.acknowledged();
  },
};

const cancel: TestOperation = {
  name: 'cancel an order',
  weight: 3,
  needs: { orders: isCancellable },
  async run(user, entry) {
    const order = anySent(user, isCancellable);
    if (!order) return;
    const path = `/v1/orders/${order.id}/cancel`;
    // By its buyer, or by staff.
    const reply =
      user.random.between(1, 2) === 1
        ? await order.ask('POST', path)
        : await user.admin.call('POST', path, { body: { reason: 'The last one is broken.' } });
    noteCancellation(order, reply, isSuccess(reply));
    if (isSuccess(reply)) entry.acknowledged();
  },
};

const cancelPart = change('cancel a part of an order', 3, (user, order) => {
  return { path: 'cancel', body: { lines: somePieces(user, order), reason: 'Broken.' }, what: 'part-cancelled' };
});

const refund = change(
  'refund a part of an order',
  3,
  (user, order) => {
    const part = user.random.pick([
      { lines: somePieces(user, order) },
      { shipping: true },
      { goodwill: { amount: user.random.between(1, 500), currency: 'EUR' } },
    ]);
    return { path: 'refunds', body: { ...part, reason: 'It came late.' }, what: 'refunded' };
  },
  ({ isPaid, cancelled }) => isPaid && cancelled === 'no',
);

const ship = change(
  'ship an order',
  5,
  (user, order) => {
    const lines = user.random.between(1, 2) === 1 ? {} : { lines: somePieces(user, order) };
    return { path: 'shipments', body: { ...lines, carrier: 'Post' }, what: 'shipped' };
  },
  ({ kind, isReserved, isPaid, isShipped, cancelled }) =>
    (isPaid || (kind === 'on account' && isReserved)) && !isShipped && cancelled === 'no',
);

const deliver = change(
  'deliver an order',
  3,
  () => ({ path: 'deliver', what: 'delivered' }),
  ({ isShipped }) => isShipped,
);

/** All operations on orders. */
export const orders: readonly TestOperation[] = [
  guestOrder,
  userOrder,
  orderOnAccount,
  pay,
  payElsewhere,
  cancel,
  cancelPart,
  refund,
  ship,
  deliver,
  announceReturn,
  receiveReturn,
  withdrawReturn,
];

/** What staff do with an order: it has an entry of its timeline for each that is acknowledged, and none for others. */
function change(
  name: string,
  weight: number,
  of: (user: VirtualUser, order: SentOrder) => { path: string; body?: object; what: string },
  isFitting: (order: SentOrder) => boolean = ({ isPaid, isShipped, cancelled }) =>
    isPaid && !isShipped && cancelled === 'no',
): TestOperation {
  return {
    name,
    weight,
    needs: { orders: isFitting },
    async run(user, entry) {
      const order = anySent(user, isFitting);
      if (!order) return;
      const { path, body, what } = of(user, order);
      const reply = await user.admin.call('POST', `/v1/orders/${order.id}/${path}`, {
        ...(body && { body }),
        key: user.unique('key'),
      });
      if (isSuccess(reply)) entry.acknowledged();
      if (isSuccess(reply)) order.isShipped = ['shipped', 'delivered'].includes(reply.body.fulfilmentStatus);
      // A part that is all of the order cancels it.
      const isWhole = isSuccess(reply) && reply.body.status === 'cancelled';
      if (what === 'part-cancelled') noteCancellation(order, reply, isWhole);
      const effects = effectsOf(reply);
      const expectation = { ...(isWhole && { atLeast: 0 }), count: timesOf(order, what) };
      // To deliver twice changes nothing.
      if (what === 'delivered' && isSuccess(reply))
        entry.replace(`${what} of ${order.id}`, { ...effects, ...expectation });
      else if (what !== 'delivered') entry.promise(`${what} of ${order.id}`, { ...effects, ...expectation });
    },
  };
}

/** Reads the order as its buyer, and notes whether it is over. Returns undefined without an answer. */
async function look(order: SentOrder): Promise<Reply | undefined> {
  const reply = await order.ask('GET', `/v1/orders/${order.id}`);
  if (!isSuccess(reply)) return undefined;
  order.isOver = ['refused', 'cancelled'].includes(reply.body.status);
  return reply;
}

/** A try without a response may still be carried out. */
function noteCancellation(order: SentOrder, { status, uncertainTries }: Reply, isCancelled: boolean): void {
  if (isCancelled) order.cancelled = 'answered';
  else if (order.cancelled === 'no' && (status === 0 || uncertainTries > 0)) order.cancelled = 'asked';
}

/** What somebody wants to buy; trade accounts buy on account. */
export interface Purchase {
  readonly lines: readonly (SoldProduct & { readonly quantity: number })[];
  readonly codes: readonly string[];
  /** Null for a guest. */
  readonly by: OrderingUser | null;
  /** Whether it is paid as soon as there is a page; what is on account is not. */
  readonly isPaidAtOnce: boolean;
  /** Whether the buyer looks again at an order that nobody has answered yet, until somebody has. */
  readonly isWaitedFor?: boolean;
}

function anyPurchase(user: VirtualUser, by: OrderingUser | null): Purchase {
  const { products } = testOrdersOf(user);
  const codes = (user.discounts?.campaigns ?? []).flatMap((campaign) => {
    const isTyped = campaign.codes.length > 0 && user.random.between(1, 3) === 1;
    return isTyped ? [user.random.pick(campaign.codes).code] : [];
  });
  const chosen = user.random.pick([[0], [0], [1], [0, 1]]);
  const lines = products
    .filter((_, at) => chosen.includes(at))
    .map((product) => ({ ...product, quantity: user.random.between(1, mostPieces) }));
  return { lines, codes, by, isPaidAtOnce: user.random.between(1, 4) > 1 };
}

/**
 * Fills a cart, works out what it costs, and sends it. Returns the last answer about the order; undefined where the cart could not be
 * made.
 */
export async function buy(user: VirtualUser, entry: Entry, purchase: Purchase): Promise<Reply | undefined> {
  const { lines, codes, by, isPaidAtOnce, isWaitedFor = false } = purchase;
  const { shippingOptionId, sent } = testOrdersOf(user);
  const buyer = buyerOf(user, by);
  const { order, ask } = buyer;
  const cart = await ask('POST', '/v1/carts', { body: { lines } });
  if (!isSuccess(cart)) return undefined;
  const path = `/v1/carts/${cart.body.id}`;
  if (codes.length > 0 && !isSuccess(await ask('PATCH', path, { body: { codes } }))) return undefined;
  const shipping = { amount: 495, currency: 'EUR' };
  const evaluation = await ask('POST', '/v1/discounts/evaluate', { body: { lines, shipping, codes } });
  if (!isSuccess(evaluation)) return undefined;
  const place = { shippingOptionId, country: shippingAddress.country };
  const quote = await ask('POST', `${path}/quote`, { body: { ...place, evaluation: evaluation.body } });
  if (!isSuccess(quote)) return undefined;
  sent.push(order);
  const { expectedTotal } = quote.body;
  const reply = await ask('POST', '/v1/orders', {
    key: user.unique('key'),
    body: {
      cartId: cart.body.id,
      shippingOptionId,
      shippingAddress,
      expectedTotal,
      payment: { method: order.kind === 'on account' ? 'invoice' : 'card' },
      ...(by === null && { email: order.email }),
    },
  });
  if (!isSuccess(reply)) return reply;
  entry.acknowledged();
  const { id, orderSecret } = reply.body;
  buyer.keepSecret(orderSecret);
  const answer = isWaitedFor ? await untilAnswered(ask, reply) : reply;
  const { status, payment } = answer.body;
  // The other services may not have answered yet.
  order.isReserved = status === 'placed' || payment.redirectUrl !== null;
  order.id = id;
  order.total = expectedTotal.amount;
  order.lines = answer.body.lines;
  if (order.kind !== 'on account' && isPaidAtOnce) await payPage(user, order, answer.body);
  return answer;
}

/** Reads the order again until it is reserved, with a page to pay on, or over. One that nobody answers is refused after 2 minutes. */
async function untilAnswered(ask: SentOrder['ask'], sent: Reply): Promise<Reply> {
  let last = sent;
  const until = performance.now() + answeredWithinMs;
  const isAwaited = ({ status, payment }: Reply['body']) =>
    status === 'pending' || (status === 'awaiting-payment' && payment.redirectUrl === null);
  while (isAwaited(last.body) && performance.now() < until) {
    await wait(pauseMs);
    const reply = await ask('GET', `/v1/orders/${sent.body.id}`);
    if (isSuccess(reply)) last = reply;
  }
  return last;
}

/** A new order of the user, or of a guest, who reads it with the secret that is answered. */
function buyerOf(user: VirtualUser, by: OrderingUser | null) {
  // Few orders of a network may be unpaid, so each comes from another one.
  const { random } = user;
  const network = `10.${random.between(0, 255)}.${random.between(0, 255)}.${random.between(1, 254)}`;
  let secret: string | undefined;
  const ask: SentOrder['ask'] = (method, path, call) => {
    const headers = { 'x-forwarded-for': network, ...(secret !== undefined && { 'order-secret': secret }) };
    return (by?.client ?? user.client).call(method, path, { ...call, headers });
  };
  const order: SentOrder = {
    kind: by === null ? 'guest' : by.isTrade ? 'on account' : 'user',
    email: by?.email ?? `${user.unique('guest')}@example.com`,
    ask,
    id: null,
    isReserved: false,
    total: 0,
    lines: [],
    cancelled: 'no',
    isPaid: false,
    isShipped: false,
    isOver: false,
    announced: [],
    awaited: [],
  };
  return { order, ask, keepSecret: (answered: string | undefined) => (secret = answered) };
}

/** Pays all of it on the page that the order leads to, and one time in eight once more. Returns whether money has moved. */
async function payPage(user: VirtualUser, order: SentOrder, { payment }: Reply['body']): Promise<boolean> {
  if (payment.redirectUrl === null) return false;
  order.isReserved = true;
  const { pages } = testOrdersOf(user);
  const times = user.random.between(1, 8) === 1 ? 2 : 1;
  let isTaken = false;
  for (let time = 0; time < times; time += 1) {
    const how = user.random.pick([{}, {}, { twice: true }, { late: user.random.between(1, longestLate) }]);
    if (!(await pages.pay(payment.id, order.total, how))) continue;
    isTaken = true;
    order.isPaid = true;
  }
  return isTaken;
}

function anyUser(user: VirtualUser, isTrade: boolean): OrderingUser {
  return user.random.pick(testOrdersOf(user).users.filter((each) => each.isTrade === isTrade));
}
