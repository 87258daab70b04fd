import { newId } from '@storefront/contracts';
import type { Repository, Transaction } from '@storefront/mongo';
import { countOrder as decide, customerKey, maxCustomers, type Customer } from '../domain/customer.ts';
import { recognise } from '../domain/match.ts';
import type { Person } from '../domain/person.ts';
import type { CustomerReads } from '../store/customers.ts';
import type { OrderCounts } from '../store/order-counts.ts';

interface Needs {
  readonly customers: Repository<Customer>;
  readonly customerReads: CustomerReads;
  readonly orderCounts: OrderCounts;
  readonly erasedUsers: { has(userId: string, transaction: Transaction): Promise<boolean> };
  readonly now: () => Date;
}

/**
 * Counts an order for its recipient; a new recipient is saved. Each order counts once, however often it is published.
 * Orders of one user are counted one after the other, so that two orders for the same new recipient save one recipient.
 * Orders of an erased user are not counted. If the user already has 5,000 recipients, an order adds no new one.
 */
export async function countOrder(
  { customers, customerReads, orderCounts, erasedUsers, now }: Needs,
  order: { readonly orderId: string; readonly userId: string; readonly recipient: Person; readonly placedAt: Date },
): Promise<void> {
  const { orderId, userId, recipient, placedAt } = order;
  await orderCounts.transaction(async (transaction) => {
    // Orders have their own queue, so an order may arrive after the erasure of the user who placed it.
    if (await erasedUsers.has(userId, transaction)) return;
    if (!(await orderCounts.isNew(orderId, userId, transaction))) return;
    const known = recognise(recipient, await customerReads.alike(userId, recipient, transaction));
    if (!known && (await customerReads.count(userId, maxCustomers, transaction)) >= maxCustomers) return;
    const customerId = known?.customerId ?? newId('cust');
    await customers.changeAll(transaction, [customerKey(userId, customerId)], (_key, current) =>
      decide(current, userId, customerId, recipient, placedAt, now()),
    );
  });
}
