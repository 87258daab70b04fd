import type { accountHttp } from '@storefront/contracts';
import type { Loaded, Repository } from '@storefront/mongo';
import { addCustomer as decide, customerKey, maxCustomers, type Customer } from '../domain/customer.ts';
import type { CustomerReads } from '../store/customers.ts';
import type { OrderCounts } from '../store/order-counts.ts';

interface Needs {
  readonly customers: Repository<Customer>;
  readonly customerReads: Pick<CustomerReads, 'count'>;
  readonly orderCounts: Pick<OrderCounts, 'transaction' | 'takeTurn'>;
  readonly now: () => Date;
}

// Far more than one user's requests that can be under way at once: below it, they need not wait for each other.
const room = 500;

/**
 * Saves a recipient under `id`; repeated with the same id it changes nothing. Throws `too_many_customers` where the owner
 * has 5,000, also of requests at once.
 */
export async function addCustomer(
  { customers, customerReads, orderCounts, now }: Needs,
  { owner, id, given }: { owner: string; id: string; given: accountHttp.CustomerCreation },
): Promise<Loaded<Customer>> {
  const key = customerKey(owner, id);
  const saved = await customerReads.count(owner, maxCustomers - room);
  if (saved < maxCustomers - room) {
    const { result, version } = await customers.change(key, (current) =>
      decide(current, owner, id, given, saved, now()),
    );
    return { state: result, version };
  }
  const [added] = await orderCounts.transaction(async (transaction) => {
    await orderCounts.takeTurn(owner, transaction);
    const counted = await customerReads.count(owner, maxCustomers, transaction);
    return customers.changeAll(transaction, [key], (_key, current) =>
      decide(current, owner, id, given, counted, now()),
    );
  });
  if (!added) throw new Error(`${key} was not changed`);
  return { state: added.result, version: added.version };
}
