import { changed, derivedId, unchanged, type ordersEvents } from '@storefront/contracts';
import type { ErasedUsers } from '@storefront/mongo';
import type { Shop } from '../../domain/shop.ts';
import { notInvoiced, readOrder, type OrderFault } from '../domain/order.ts';
import type { RefusedOrders } from '../store/refused-orders.ts';
import type { IssueOne } from './issue-batch.ts';

interface Needs {
  readonly refusedOrders: RefusedOrders;
  readonly issue: IssueOne;
  readonly erasedUsers: Pick<ErasedUsers, 'has'>;
  readonly shop: Shop;
  readonly now: () => Date;
}

/**
 * Issues the invoice of an order on account, once for each order. An order that can't be invoiced is refused for good,
 * and an event says why. Returns `no-account` if billing does not know the user's account, or not yet. Orders of erased
 * users and orders that are not on account get no invoice.
 */
export async function invoiceOrder(
  needs: Needs,
  eventId: string,
  order: ordersEvents.OrderPlaced,
): Promise<'done' | 'no-account'> {
  const { issue, erasedUsers, shop } = needs;
  const { orderId, userId: accountId, paymentTerms, reference = null } = order;
  if (paymentTerms !== 'invoice' || (await erasedUsers.has(accountId))) return 'done';
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
    by: { order: orderId, totals: read.totals },
  });
  return result.kind === 'no-account' ? 'no-account' : 'done';
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
