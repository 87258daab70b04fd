import type { accountHttp } from '@storefront/contracts';
import type { Loaded, Repository } from '@storefront/mongo';
import * as decide from '../domain/customer.ts';
import type { CustomerReads } from '../store/customers.ts';
import type { OrderCounts } from '../store/order-counts.ts';

interface Needs {
  readonly customers: Repository<decide.Customer>;
  readonly customerReads: Pick<CustomerReads, 'count'>;
  readonly orderCounts: Pick<OrderCounts, 'transaction' | 'takeTurn'>;
  readonly now: () => Date;
}

/** A recipient of the owner. `expect` throws where the client has read another version. */
interface Target {
  readonly owner: string;
  readonly id: string;
  readonly expect: (version: number) => void;
}

// As long as an owner has fewer than 4,500 recipients, requests need not wait for each other: no user has 500 requests
// under way at once.
const room = 500;

/**
 * Saves a recipient under `id`. Repeated with the same id, it changes nothing. Throws `too_many_customers` where the
 * owner has 5,000 recipients; simultaneous requests can't exceed the limit either.
 */
export async function addCustomer(
  { customers, customerReads, orderCounts, now }: Needs,
  { owner, id, given }: { owner: string; id: string; given: accountHttp.CustomerCreation },
): Promise<Loaded<decide.Customer>> {
  const key = decide.customerKey(owner, id);
  const add = (current: decide.Customer | null, saved: number) =>
    decide.addCustomer(current, owner, id, given, saved, now());
  const saved = await customerReads.count(owner, decide.maxCustomers - room);
  if (saved < decide.maxCustomers - room) {
    const { result, version } = await customers.change(key, (current) => add(current, saved));
    return { state: result, version };
  }
  const [added] = await orderCounts.transaction(async (transaction) => {
    await orderCounts.takeTurn(owner, transaction);
    const counted = await customerReads.count(owner, decide.maxCustomers, transaction);
    return customers.changeAll(transaction, [key], (_key, current) => add(current, counted));
  });
  if (!added) throw new Error(`${key} was not changed`);
  return { state: added.result, version: added.version };
}

export async function changeCustomer(
  { customers, now }: Pick<Needs, 'customers' | 'now'>,
  { owner, id, expect, given }: Target & { readonly given: accountHttp.CustomerChange },
): Promise<Loaded<decide.Customer>> {
  const { result, version } = await customers.change(decide.customerKey(owner, id), (current, currentVersion) => {
    if (current) expect(currentVersion);
    return decide.changeCustomer(current, given, now());
  });
  return { state: result, version };
}

export async function deleteCustomer(
  { customers }: Pick<Needs, 'customers'>,
  { owner, id, expect }: Target,
): Promise<void> {
  await customers.change(decide.customerKey(owner, id), (current, version) => {
    if (current) expect(version);
    return decide.deleteCustomer(current);
  });
}
