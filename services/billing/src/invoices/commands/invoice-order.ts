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
 * Issues the invoice of an order of a trade account, once for each order: of one on account, and of one that was paid by card
 * through billing. An order that can't be invoiced is refused for good, and an event says why. Returns `no-account` if
 * billing does not know the user's account, or not yet. Orders of erased users get an invoice only if their credit was
 * reserved or they were paid before.
 */
export async function invoiceOrder(
  needs: Needs,
  eventId: string,
  order: ordersEvents.OrderPlaced,
): Promise<'done' | 'no-invoice' | 'no-account'> {
  const { issue, erasedUsers, shop, orderCredit } = needs;
  const { orderId, userId: accountId, tier, paymentTerms, reference = null } = order;
  const isPaid = paymentTerms !== 'invoice';
  if (isPaid && tier !== 'trade') return 'no-invoice';
  const [isErased, known] = [await erasedUsers.has(accountId), (await orderCredit.find([orderId])).get(orderId)];
  const isPromised = isPaid ? (known?.paid.length ?? 0) > 0 : (known?.reserved ?? 0) > 0;
  if (!isPromised && (isPaid || isErased)) return 'no-invoice';
  const read = readOrder(order, shop);
  if ('fault' in read) {
    await refuse(needs, accountId, orderId, read.fault);
    return 'no-invoice';
  }
  const result = await issue({
    id: derivedId('inv', eventId, 'invoice'),
    accountId,
    lines: read.lines,
    termsDays: isPaid ? 0 : null,
    reference,
    orderRef: orderId,
    by: { order: orderId, isPaid, totals: read.totals, stated: read.stated },
  });
  if (result.kind === 'no-account') return isErased ? 'no-invoice' : 'no-account';
  return 'done';
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
