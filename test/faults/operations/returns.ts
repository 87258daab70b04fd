import { effectsOf, isSuccess } from '../client.ts';
import type { SentOrder } from '../orders/sent-order.ts';
import type { Entry } from '../ledger.ts';
import type { TestOperation, VirtualUser } from './operation.ts';
import { anySent, somePieces, timesOf } from './sent-orders.ts';

const isShipped = (order: SentOrder) => order.isShipped;
const isAnnounced = ({ announced }: SentOrder) => announced.length > 0;
const isAwaited = ({ awaited }: SentOrder) => awaited.length > 0;

/** Its buyer sends pieces back. */
export const announceReturn: TestOperation = {
  name: 'announce a return',
  weight: 3,
  needs: { orders: isShipped },
  async run(user, entry) {
    const order = anySent(user, isShipped);
    if (order && (await announce(user, entry, order))) entry.acknowledged();
  },
};

/**
 * Its buyer keeps pieces whose return is announced; where none are awaited, the buyer announces some first. However often that is
 * noted, nothing comes back.
 */
export const withdrawReturn: TestOperation = {
  name: 'withdraw a return',
  weight: 1,
  needs: { orders: isShipped },
  async run(user, entry) {
    const order = anySent(user, isAwaited) ?? anySent(user, isShipped);
    if (order && !isAwaited(order)) await announce(user, entry, order);
    if (!order || !isAwaited(order)) return;
    const returnId = user.random.pick(order.awaited);
    const reply = await order.ask('DELETE', `/v1/orders/${order.id}/returns/${returnId}`);
    if (reply.code === 'invalid_transition') awaitNoMore(order, returnId);
    if (!isSuccess(reply)) return;
    entry.acknowledged();
    entry.replace(`${returnId} withdrawn`, {
      ...effectsOf(reply),
      count: timesOf(order, 'return-withdrawn', returnId),
    });
    entry.replace(`${returnId} received`, { atLeast: 0, atMost: 0, count: timesOf(order, 'returned', returnId) });
  },
};

/** Announces that pieces of the order come back. Returns whether that was acknowledged. */
async function announce(user: VirtualUser, entry: Entry, order: SentOrder): Promise<boolean> {
  const reply = await order.ask('POST', `/v1/orders/${order.id}/returns`, {
    body: { lines: somePieces(user, order), reason: 'It is too small.' },
    key: user.unique('key'),
  });
  entry.promise(`return-requested of ${order.id}`, {
    ...effectsOf(reply),
    count: timesOf(order, 'return-requested'),
  });
  if (!isSuccess(reply)) return false;
  const returns = reply.body.returns as readonly { id: string; status: string }[];
  order.announced = returns.filter(({ status }) => status === 'requested').map(({ id }) => id);
  order.awaited = order.announced;
  return true;
}

/** Staff note that a parcel has come, whose pieces can be sold again or not. However often they note it, it has come once. */
export const receiveReturn: TestOperation = {
  name: 'receive a return',
  weight: 3,
  needs: { orders: isAnnounced },
  async run(user, entry) {
    const order = anySent(user, isAnnounced);
    if (!order) return;
    const returnId = user.random.pick(order.announced);
    const reply = await user.admin.call('POST', `/v1/orders/${order.id}/returns/${returnId}/receive`, {
      body: { restock: user.random.between(1, 3) > 1 },
    });
    if (!isSuccess(reply)) return;
    entry.acknowledged();
    awaitNoMore(order, returnId);
    entry.replace(`${returnId} received`, { ...effectsOf(reply), count: timesOf(order, 'returned', returnId) });
  },
};

function awaitNoMore(order: SentOrder, returnId: string): void {
  order.awaited = order.awaited.filter((id) => id !== returnId);
}
