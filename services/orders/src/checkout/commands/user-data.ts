import { allPages, changed, unchanged } from '@storefront/contracts';
import { forgetAtAfter, isOver, isUnpaid, withoutPerson, type Order } from '../domain/order.ts';
import { advanceOrder, type AdvanceNeeds } from './advance-order.ts';

const readAtOnce = 100;

const newestFirst = { createdAt: -1, _id: -1 } as const;

/** Returns all orders of the user, in parts, as an export shows them: with what the user may read. */
export async function* collectOrders(
  { orders }: Pick<AdvanceNeeds, 'orders'>,
  userId: string,
): AsyncGenerator<object, void> {
  const pages = allPages(
    (slice) =>
      orders.page({
        filter: { userId },
        order: newestFirst,
        slice,
        hint: 'newest',
        without: [
          'cartKey',
          'staffNote',
          'stuckAt',
          'secret',
          'unpaidKeys',
          'dueAt',
          'askedAt',
          'repetitions',
          'statusSince',
        ],
      }),
    readAtOnce,
  );
  for await (const page of pages) yield { orders: page.map(({ state }) => withoutReasons(state)) };
}

/** What staff have written about a step is for staff alone, as in the API. */
function withoutReasons({ timeline, ...order }: Pick<Order, 'timeline'>): object {
  return { ...order, timeline: timeline.map(({ reason: _reason, ...entry }) => entry) };
}

/**
 * Ends the orders that the user has not paid, and removes the user from those that are over. A placed order keeps its
 * address for 30 days, since it is still delivered; its number and its amounts stay.
 */
export async function eraseOrders(needs: AdvanceNeeds, userId: string): Promise<void> {
  const { orders, now } = needs;
  for (;;) {
    const found = await orders.find(
      { userId, forgetAt: null },
      { fields: ['status'], limit: readAtOnce, hint: 'newest', order: newestFirst },
    );
    for (const { state } of found) {
      if (isUnpaid(state))
        await advanceOrder(needs, state.id, (order) =>
          order.closingReason === 'erased'
            ? null
            : { order, step: { happening: 'erase', by: 'buyer', reason: 'erased' } },
        );
      await orders.change(state.id, (current) => {
        if (current === null || current.userId !== userId) return unchanged(null);
        return changed(isOver(current) ? withoutPerson(current) : forgottenLater(current, now()), [], null);
      });
    }
    if (found.length < readAtOnce) return;
  }
}

/** An order that still needs its person; one that is not paid loses it when it is over. */
function forgottenLater(order: Order, now: Date): Order {
  return { ...order, forgetAt: forgetAtAfter(now) };
}
