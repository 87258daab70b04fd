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
 * Counts an order for its recipient, who is saved where there is none. Each order counts once, however often it is
 * published. Orders of one user are counted one after the other, so that two for a new recipient make one. Orders of an
 * erased user are not counted. Who has as many recipients as there can be gets no new one by an order.
 */
export async function countOrder(
  { customers, customerReads, orderCounts, erasedUsers, now }: Needs,
  order: { readonly orderId: string; readonly userId: string; readonly recipient: Person; readonly placedAt: Date },
): Promise<void> {
  const { orderId, userId, recipient, placedAt } = order;
  await orderCounts.transaction(async (transaction) => {
    // Orders have a queue of their own: one may come after the erasure of the user who placed it.
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
