import { type Reply, effectsOf, isSuccess } from '../client.ts';
import type { FinalState } from '../final-state.ts';
import type { Entry } from '../ledger.ts';
import type { OrderingUser } from '../orders/buyers.ts';
import type { TestOrders } from '../orders/orders.ts';
import type { SentOrder } from '../orders/sent-order.ts';
import type { TestOperation, VirtualUser } from './operation.ts';

const needs = { orders: true } as const;
const mostPieces = 3;
const recent = 60;
const longestLate = 5;
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
    const headers = { 'x-forwarded-for': anyNetwork(user) };
    let secret: string | undefined;
    const order = newOrder('guest', `${user.unique('guest')}@example.com`, (method, path, call) =>
      user.client.call(method, path, {
        ...call,
        headers: { ...headers, ...(secret !== undefined && { 'order-secret': secret }) },
      }),
    );
    const reply = await send(user, entry, order);
    secret = reply?.body.orderSecret;
    await payAtOnce(user, order, reply);
  },
};

const userOrder: TestOperation = {
  name: 'order as a user',
  weight: 4,
  needs,
  async run(user, entry) {
    const order = orderOf(user, 'user', anyUser(user, false));
    await payAtOnce(user, order, await send(user, entry, order));
  },
};

const orderOnAccount: TestOperation = {
  name: 'order on account',
  weight: 3,
  needs,
  async run(user, entry) {
    await send(user, entry, orderOf(user, 'on account', anyUser(user, true)));
  },
};

const pay: TestOperation = {
  name: 'pay an order',
  weight: 4,
  needs,
  async run(user, entry) {
    const order = anySent(user, ({ kind, cancelled }) => kind !== 'on account' && cancelled === 'no');
    if (!order) return;
    const reply = await order.ask('GET', `/v1/orders/${order.id}`);
    if (!isSuccess(reply)) return;
    if (await payPage(user, order, reply.body)) entry.acknowledged();
  },
};

const payElsewhere: TestOperation = {
  name: 'ask for another page to pay on',
  weight: 2,
  needs,
  async run(user, entry) {
    const order = anySent(
      user,
      ({ kind, isPaid, cancelled }) => kind !== 'on account' && !isPaid && cancelled === 'no',
    );
    if (!order) return;
    const reply = await order.ask('POST', `/v1/orders/${order.id}/pay`);
    if (isSuccess(reply)) entry.acknowledged();
  },
};

const cancel: TestOperation = {
  name: 'cancel an order',
  weight: 3,
  needs,
  async run(user, entry) {
    const order = anySent(user);
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

const refund = change('refund a part of an order', 3, (user, order) => {
  const part = user.random.pick([
    { lines: somePieces(user, order) },
    { shipping: true },
    { goodwill: { amount: user.random.between(1, 500), currency: 'EUR' } },
  ]);
  return { path: 'refunds', body: { ...part, reason: 'It came late.' }, what: 'refunded' };
});

const ship = change('ship an order', 5, (user, order) => {
  const lines = user.random.between(1, 2) === 1 ? {} : { lines: somePieces(user, order) };
  return { path: 'shipments', body: { ...lines, carrier: 'Post' }, what: 'shipped' };
});

const deliver = change(
  'deliver an order',
  3,
  () => ({ path: 'deliver', what: 'delivered' }),
  ({ isShipped }) => isShipped,
);

/** All operations on orders. A new one, such as a return, is a line here. */
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
];

/** What staff do with an order: it has an entry of its timeline for each that is acknowledged, and none for others. */
function change(
  name: string,
  weight: number,
  of: (user: VirtualUser, order: SentOrder) => { path: string; body?: object; what: string },
  isFitting: (order: SentOrder) => boolean = ({ kind, isPaid }) => isPaid || kind === 'on account',
): TestOperation {
  return {
    name,
    weight,
    needs,
    async run(user, entry) {
      const order = anySent(user, isFitting);
      if (!order) return;
      const { path, body, what } = of(user, order);
      const reply = await user.admin.call('POST', `/v1/orders/${order.id}/${path}`, {
        ...(body && { body }),
        key: user.unique('key'),
      });
      if (isSuccess(reply)) entry.acknowledged();
      if (isSuccess(reply)) order.isShipped = reply.body.fulfilmentStatus === 'shipped';
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

/** A try without a response may still be carried out. */
function noteCancellation(order: SentOrder, { status, uncertainTries }: Reply, isCancelled: boolean): void {
  if (isCancelled) order.cancelled = 'answered';
  else if (order.cancelled === 'no' && (status === 0 || uncertainTries > 0)) order.cancelled = 'asked';
}

function timesOf({ id }: SentOrder, what: string) {
  return async (finalState: FinalState): Promise<number> => {
    const [found] = await finalState.find('orders', 'orders', { _id: id });
    return (found?.['timeline'] ?? []).filter((each: { what: string }) => each.what === what).length;
  };
}

function newOrder(kind: SentOrder['kind'], email: string, ask: SentOrder['ask']): SentOrder {
  return {
    kind,
    email,
    ask,
    id: null,
    isReserved: false,
    total: 0,
    lines: [],
    cancelled: 'no',
    isPaid: false,
    isShipped: false,
  };
}

function orderOf(user: VirtualUser, kind: 'user' | 'on account', buyer: OrderingUser): SentOrder {
  const headers = { 'x-forwarded-for': anyNetwork(user) };
  return newOrder(kind, buyer.email, (method, path, call) => buyer.client.call(method, path, { ...call, headers }));
}

/** Fills a cart, works out what it costs, and sends it. Returns the answer of an order that is there. */
async function send(user: VirtualUser, entry: Entry, order: SentOrder): Promise<Reply | undefined> {
  const { products, shippingOptionId, sent } = testOrdersOf(user);
  const codes = (user.discounts?.campaigns ?? []).flatMap((campaign) => {
    const isTyped = campaign.codes.length > 0 && user.random.between(1, 3) === 1;
    return isTyped ? [user.random.pick(campaign.codes).code] : [];
  });
  const chosen = user.random.pick([[0], [0], [1], [0, 1]]);
  const lines = products
    .filter((_, at) => chosen.includes(at))
    .map(({ productId, variantId }) => ({ productId, variantId, quantity: user.random.between(1, mostPieces) }));
  const cart = await order.ask('POST', '/v1/carts', { body: { lines } });
  if (!isSuccess(cart)) return undefined;
  const path = `/v1/carts/${cart.body.id}`;
  if (codes.length > 0 && !isSuccess(await order.ask('PATCH', path, { body: { codes } }))) return undefined;
  const shipping = { amount: 495, currency: 'EUR' };
  const evaluation = await order.ask('POST', '/v1/discounts/evaluate', { body: { lines, shipping, codes } });
  if (!isSuccess(evaluation)) return undefined;
  const place = { shippingOptionId, country: shippingAddress.country };
  const quote = await order.ask('POST', `${path}/quote`, { body: { ...place, evaluation: evaluation.body } });
  if (!isSuccess(quote)) return undefined;
  sent.push(order);
  const { expectedTotal } = quote.body;
  const reply = await order.ask('POST', '/v1/orders', {
    key: user.unique('key'),
    body: {
      cartId: cart.body.id,
      shippingOptionId,
      shippingAddress,
      expectedTotal,
      payment: { method: order.kind === 'on account' ? 'invoice' : 'card' },
      ...(order.kind === 'guest' && { email: order.email }),
    },
  });
  if (!isSuccess(reply)) return undefined;
  entry.acknowledged();
  const { status, payment } = reply.body;
  // The other services may not have answered yet.
  order.isReserved = status === 'placed' || payment.redirectUrl !== null;
  order.id = reply.body.id;
  order.total = expectedTotal.amount;
  order.lines = reply.body.lines;
  return reply;
}

/** Most buyers pay as soon as they see the page. */
async function payAtOnce(user: VirtualUser, order: SentOrder, reply: Reply | undefined): Promise<void> {
  if (reply && user.random.between(1, 4) > 1) await payPage(user, order, reply.body);
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

function somePieces(user: VirtualUser, { lines }: SentOrder) {
  const { id, quantity } = user.random.pick(lines);
  return [{ lineId: id, quantity: user.random.between(1, quantity) }];
}

function anySent(user: VirtualUser, isFitting: (order: SentOrder) => boolean = () => true): SentOrder | undefined {
  const fitting = testOrdersOf(user).sent.filter((order) => order.id !== null && isFitting(order));
  return fitting.length === 0 ? undefined : user.random.pick(fitting.slice(-recent));
}

function anyUser(user: VirtualUser, isTrade: boolean): OrderingUser {
  return user.random.pick(testOrdersOf(user).users.filter((each) => each.isTrade === isTrade));
}

/** Few orders of a network may be unpaid, so each comes from another one. */
function anyNetwork({ random }: VirtualUser): string {
  return `10.${random.between(0, 255)}.${random.between(0, 255)}.${random.between(1, 254)}`;
}

function testOrdersOf({ orders: shared }: VirtualUser): TestOrders {
  if (!shared) throw new Error('this run has no orders');
  return shared;
}
