import { changed, derivedId, unchanged, type ordersEvents } from '@storefront/contracts';
import type { ErasedUsers } from '@storefront/mongo';
import type { Shop } from '../../domain/shop.ts';
import { notInvoiced, readOrder, type OrderFault } from '../domain/order.ts';
import type { OrderCredit } from '../../orders/orders.ts';
import type { RefusedOrders } from '../store/refused-orders.ts';
import type { IssueOne } from './issue-batch.ts';

interface Needs {
  readonly refusedOrders: RefusedOrders;
  readonly issue: IssueOne;
  readonly orderCredit: Pick<OrderCredit, 'find'>;
  readonly erasedUsers: Pick<ErasedUsers, 'has'>;
  readonly shop: Shop;
  readonly now: () => Date;
}

/**
 * Issues the invoice of an order on account, once for each order. An order that can't be invoiced is refused for good,
 * and an event says why. Returns `no-account` if billing does not know the user's account, or not yet. Orders that are
 * not on account get no invoice, and those of erased users only if their credit was reserved before.
 */
export async function invoiceOrder(
  needs: Needs,
  eventId: string,
  order: ordersEvents.OrderPlaced,
): Promise<'done' | 'no-account'> {
  const { issue, erasedUsers, shop } = needs;
  const { orderId, userId: accountId, paymentTerms, reference = null } = order;
  if (paymentTerms !== 'invoice') return 'done';
  if ((await erasedUsers.has(accountId)) && !(await hasCredit(needs, orderId))) return 'done';
  const read = readOrder(order, shop);
  if ('fault' in read) {
    await refuse(needs, accountId, orderId, read.fault);
    return 'done';
  }
  const result = await issue({
    id: derivedId('inv', eventId, 'invoice'),
    accountId,
    lines: read.lines,
    termsDays: null,
    reference,
    orderRef: orderId,
    by: { order: orderId, totals: read.totals, stated: read.stated },
  });
  return result.kind === 'no-account' ? 'no-account' : 'done';
}

async function hasCredit({ orderCredit }: Needs, orderId: string): Promise<boolean> {
  const found = await orderCredit.find([orderId]);
  return (found.get(orderId)?.reserved ?? 0) > 0;
}

async function refuse(
  { refusedOrders, now }: Needs,
  accountId: string,
  orderId: string,
  reason: OrderFault,
): Promise<void> {
  const order = { id: orderId, accountId, reason, refusedAt: now() };
  await refusedOrders.change(orderId, (current) =>
    current ? unchanged(null) : changed(order, [notInvoiced(accountId, orderId, reason)], null),
  );
}
