import { billingEvents, ordersEvents } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import type { Users } from '../../store/users.ts';
import type { Purchases } from '../store/purchases.ts';

interface Needs {
  readonly purchases: Pick<Purchases, 'add'>;
  readonly users: Pick<Users, 'load'>;
}

/** Counts orders and invoices for the directory of accounts, but not those of somebody who is or was erased. */
export function onPurchaseMade({ purchases, users }: Needs) {
  async function add(purchase: Parameters<Purchases['add']>[0]): Promise<void> {
    const user = (await users.load(purchase.userId))?.state;
    if (user && user.status !== 'erasing') await purchases.add(purchase);
  }
  return [
    on(ordersEvents.orderPlaced, ({ data: { orderId, userId } }) => add({ kind: 'order', id: orderId, userId })),
    on(billingEvents.invoiceIssued, ({ subject, data }) =>
      add({ kind: 'invoice', id: subject, userId: data.accountId }),
    ),
  ];
}
