import type { Repository } from '@storefront/mongo';
import { customerKey, deleteCustomer as decide, type Customer } from '../domain/customer.ts';

interface Needs {
  readonly customers: Repository<Customer>;
}

/** Deletes a recipient of the owner. `expect` throws where the client has seen another version. */
export async function deleteCustomer(
  { customers }: Needs,
  { owner, id, expect }: { owner: string; id: string; expect: (version: number) => void },
): Promise<void> {
  await customers.change(customerKey(owner, id), (current, version) => {
    if (current) expect(version);
    return decide(current);
  });
}
