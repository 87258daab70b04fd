import { setTimeout as wait } from 'node:timers/promises';
import { type Reply, isSuccess } from '../client.ts';
import { longestHoldSeconds } from '../discounts/discounts.ts';
import {
  countingAtEnd,
  newOrder,
  noteConfirmation,
  noteRedemption,
  noteRelease,
  wrongSums,
  type TestOrder,
  type WrongAnswer,
} from '../discounts/orders.ts';
import type { Entry } from '../ledger.ts';
import { isLoggedIn, type TestAccount, type TestOperation, type TestProduct, type VirtualUser } from './operation.ts';
import { noteRefusal, tokenOf } from './sessions.ts';

const redemptions = '/v1/discounts/redemptions';
const price = 1999;
const priceForGuests = 1500;
const mostPieces = 4;
const euros = (amount: number) => ({ amount, currency: 'EUR' });

/** A cart with one product and any codes of the run. */
function cartOf(user: VirtualUser, product: TestProduct, unitPrice?: number) {
  const codes = (user.discounts?.campaigns ?? []).flatMap((campaign) => {
    const isTyped = campaign.codes.length > 0 && user.random.between(1, 2) === 1;
    return isTyped ? [user.random.pick(campaign.codes).code] : [];
  });
  const quantity = user.random.between(1, mostPieces);
  const stated = unitPrice === undefined ? {} : { unitPrice: euros(unitPrice) };
  return { lines: [{ productId: product.id, quantity, ...stated }], shipping: euros(495), codes };
}

/** Makes the calls about an order: those of its account, or the administrator's for somebody without one. */
type Ask = (method: string, path: string, call?: { body?: object; key?: string }) => Promise<Reply>;

const asAccount =
  ({ client }: VirtualUser, account: TestAccount): Ask =>
  (method, called, call) =>
    client.call(method, called, { ...call, token: tokenOf(account) });

const asAdministrator =
  ({ admin }: VirtualUser): Ask =>
  (method, called, call) =>
    admin.call(method, called, call);

const evaluate: TestOperation = {
  name: 'evaluate the discounts of a cart',
  weight: 5,
  needs: { account: isLoggedIn, product: true, discounts: true },
  async run(user, entry, account, product) {
    const body = cartOf(user, product);
    const reply = await asAccount(user, account)('POST', '/v1/discounts/evaluate', { body });
    noteRefusal(entry, account, reply);
    // Engagement may not know the product yet.
    if (!isSuccess(reply)) return;
    entry.acknowledged();
    note(entry, `evaluation by ${entry.name}`, wrongSums(reply.body));
  },
};

/** An order system redeems for the user at once. */
const redeem: TestOperation = {
  name: 'redeem discounts',
  weight: 9,
  needs: { account: isLoggedIn, product: true, discounts: true },
  async run(user, entry, account, product) {
    await redeemNew(user, entry, account, product, { userId: account.id });
  },
};

/** Holds the discounts of a new order. What happens to it then is left to later operations, or to the clock. */
const hold: TestOperation = {
  name: 'hold discounts',
  weight: 6,
  needs: { account: isLoggedIn, product: true, discounts: true },
  async run(user, entry, account, product) {
    const held = { seconds: user.random.between(1, longestHoldSeconds) };
    await redeemNew(user, entry, account, product, { hold: held });
  },
};

/** Holds the discounts of a new order, and soon says what becomes of it. */
const checkOut: TestOperation = {
  name: 'check out',
  weight: 9,
  needs: { account: isLoggedIn, product: true, discounts: true },
  async run(user, entry, account, product) {
    const order = await redeemNew(user, entry, account, product, { hold: { seconds: longestHoldSeconds } });
    if (order.state !== 'held') return;
    await wait(user.random.between(0, 500));
    const next = user.random.pick([confirmHeld, confirmHeld, place, place, releaseOwn]);
    await next(user, entry, account, order);
  },
};

async function redeemNew(
  user: VirtualUser,
  entry: Entry,
  account: TestAccount,
  product: TestProduct,
  how: { readonly hold: { readonly seconds: number } } | { readonly userId: string },
): Promise<TestOrder> {
  const orderRef = user.unique('order');
  const body = { orderRef, ...cartOf(user, product), ...how };
  const order = newOrder({ orderRef, key: user.unique('key'), body, subtotal: price * mostPieces });
  user.discounts?.orders.push(order);
  account.orders.push(order);
  await sendAs(user, entry, account, order);
  return order;
}

/** The account asks for what it holds, the administrator for what is confirmed at once. */
async function sendAs(user: VirtualUser, entry: Entry, account: TestAccount, order: TestOrder): Promise<void> {
  if (order.body.hold) {
    noteRefusal(entry, account, await sendRedemption(asAccount(user, account), entry, order, account.id));
  } else {
    await sendRedemption(asAdministrator(user), entry, order, account.id);
  }
}

const redeemForGuest: TestOperation = {
  name: 'redeem for an order without an account',
  weight: 5,
  needs: { product: true, discounts: true },
  async run(user, entry, _account, product) {
    const orderRef = user.unique('order');
    const body = { orderRef, ...cartOf(user, product, priceForGuests) };
    const order = newOrder({ orderRef, key: user.unique('key'), body, subtotal: priceForGuests * mostPieces });
    user.discounts?.orders.push(order);
    user.guestOrders.push(order);
    await sendRedemption(asAdministrator(user), entry, order, 'guest');
  },
};

const redeemAgain: TestOperation = {
  name: 'redeem once more',
  weight: 4,
  needs: { account: (account) => isLoggedIn(account) && repeatable(account).length > 0, discounts: true },
  async run(user, entry, account) {
    await sendAs(user, entry, account, user.random.pick(repeatable(account)));
  },
};

/** Those of which the answer to a repetition is known: always the same redemption, as the key is the same. */
const repeatable = ({ orders }: TestAccount) =>
  orders.filter(({ state }) => state === 'confirmed' || state === 'unclear');

async function sendRedemption(ask: Ask, entry: Entry, order: TestOrder, owner: string): Promise<Reply> {
  const reply = await ask('POST', redemptions, { body: order.body, key: order.key });
  if (isSuccess(reply)) entry.acknowledged();
  note(entry, `redemption of ${order.orderRef}`, noteRedemption(order, reply));
  expectOrder(entry, order, owner);
  return reply;
}

/** What an account does with one of its orders. */
type Step = (user: VirtualUser, entry: Entry, account: TestAccount, order: TestOrder) => Promise<void>;

const confirmHeld: Step = async (user, entry, account, order) => {
  const path = `${redemptions}/${order.redemption?.id}/confirm`;
  const reply = await asAdministrator(user)('POST', path, { key: user.unique('key') });
  if (isSuccess(reply)) entry.acknowledged();
  note(entry, `confirmation of ${order.orderRef}`, noteConfirmation(order, reply, new Date()));
  expectOrder(entry, order, account.id);
};

/** The account gives back what it holds, the administrator what is confirmed. */
const releaseOwn: Step = async (user, entry, account, order) => {
  if (order.state === 'confirmed') await sendRelease(asAdministrator(user), entry, order, account.id);
  else noteRefusal(entry, account, await sendRelease(asAccount(user, account), entry, order, account.id));
};

const confirm: TestOperation = {
  name: 'confirm a redemption',
  weight: 5,
  needs: { account: (account) => isLoggedIn(account) && held(account).length > 0, discounts: true },
  run: (user, entry, account) => confirmHeld(user, entry, account, user.random.pick(held(account))),
};

const held = ({ orders }: TestAccount) => orders.filter(({ state }) => state === 'held');

const release: TestOperation = {
  name: 'release a redemption',
  weight: 6,
  needs: { account: (account) => isLoggedIn(account) && known(account.orders).length > 0, discounts: true },
  run: (user, entry, account) => releaseOwn(user, entry, account, user.random.pick(known(account.orders))),
};

const releaseForGuest: TestOperation = {
  name: 'release a redemption without an account',
  weight: 2,
  needs: { discounts: true },
  async run(user, entry) {
    const orders = known(user.guestOrders);
    if (orders.length > 0) await sendRelease(asAdministrator(user), entry, user.random.pick(orders), 'guest');
  },
};

/** Released ones too: to give one back twice changes nothing. */
const known = (orders: readonly TestOrder[]) => orders.filter(({ redemption }) => redemption !== null);

async function sendRelease(ask: Ask, entry: Entry, order: TestOrder, owner: string): Promise<Reply> {
  const reply = await ask('DELETE', `${redemptions}/${order.redemption?.id}`);
  if (isSuccess(reply)) entry.acknowledged();
  note(entry, `release of ${order.orderRef}`, noteRelease(order, reply));
  expectOrder(entry, order, owner);
  return reply;
}

const place: Step = async (user, entry, account, order) => {
  const { orderRef, redemption } = order;
  order.isPlaced = true;
  order.mayBeConfirmed = true;
  const placed = { orderRef, userId: account.id, total: order.subtotal };
  const isPublished = await user.discounts?.orderSystem.place(placed);
  expectOrder(entry, order, account.id);
  if (!isPublished) return;
  entry.acknowledged();
  // The hold may be over, or given back, before the event is handled. Then it stays so.
  entry.replace(`order ${orderRef}, placed where its discounts were not given back before`, {
    atLeast: 1,
    atMost: 1,
    count: async (finalState) => {
      const { id, heldUntil } = redemption ?? {};
      const [found] = await finalState.find('engagement', 'redemptions', { _id: id });
      const isOver = heldUntil && found?.['releasedAt'] >= heldUntil;
      const isReleased = isOver || order.mayBeReleased || order.state === 'released';
      return Number(found?.['status'] === 'released' ? isReleased : found?.['placedAt'] instanceof Date);
    },
  });
};

const placeOrder: TestOperation = {
  name: 'place the order',
  weight: 5,
  needs: { account: (account) => isLoggedIn(account) && held(account).length > 0, discounts: true },
  run: (user, entry, account) => place(user, entry, account, user.random.pick(held(account))),
};

/** Expects the redemption of the order to exist once at most, and to count or not as the answers say. */
function expectOrder(entry: Entry, order: TestOrder, owner: string): void {
  const { orderRef } = order;
  entry.replace(`redemption of ${orderRef} that counts`, {
    ...countingAtEnd(order),
    count: (finalState) =>
      finalState.count('engagement', 'redemptions', { owner, orderRef, status: { $in: ['held', 'confirmed'] } }),
  });
  const isKnown = order.redemption !== null;
  const mayExist = isKnown || order.state === 'unclear';
  entry.replace(`redemption of ${orderRef}`, {
    atLeast: Number(isKnown),
    atMost: Number(mayExist),
    count: (finalState) => finalState.count('engagement', 'redemptions', { owner, orderRef }),
  });
}

function note(entry: Entry, what: string, wrong: WrongAnswer | null): void {
  if (wrong) entry.violated(what, wrong.expected, wrong.found);
}

export const discounts: readonly TestOperation[] = [
  evaluate,
  redeem,
  hold,
  checkOut,
  redeemForGuest,
  redeemAgain,
  confirm,
  release,
  releaseForGuest,
  placeOrder,
];
