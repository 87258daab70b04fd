import type { FinalState } from '../final-state.ts';
import type { TestOrders } from '../orders/orders.ts';
import { recentlySent, type SentOrder } from '../orders/sent-order.ts';
import type { VirtualUser } from './operation.ts';

/** What the virtual users share to order. Throws in a run without orders: its operations need one. */
export function testOrdersOf({ orders: shared }: VirtualUser): TestOrders {
  if (!shared) throw new Error('this run has no orders');
  return shared;
}

export function anySent(user: VirtualUser, isFitting: (order: SentOrder) => boolean): SentOrder | undefined {
  const fitting = recentlySent(testOrdersOf(user)).filter(isFitting);
  return fitting.length === 0 ? undefined : user.random.pick(fitting);
}

/** Some or all pieces of one line. */
export function somePieces(user: VirtualUser, { lines }: SentOrder) {
  const { id, quantity } = user.random.pick(lines);
  return [{ lineId: id, quantity: user.random.between(1, quantity) }];
}

/** Counts the entries of the order's timeline that say `what`, and, where `changeId` is stated, are about that change. */
export function timesOf({ id }: SentOrder, what: string, changeId?: string) {
  return async (finalState: FinalState): Promise<number> => {
    const [found] = await finalState.find('orders', 'orders', { _id: id });
    const timeline = (found?.['timeline'] ?? []) as readonly { what: string; changeId: string | null }[];
    return timeline.filter((each) => each.what === what && (changeId === undefined || each.changeId === changeId))
      .length;
  };
}
