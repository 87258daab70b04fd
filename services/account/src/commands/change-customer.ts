import type { accountHttp } from '@storefront/contracts';
import type { Loaded, Repository } from '@storefront/mongo';
import { changeCustomer as decide, customerKey, type Customer } from '../domain/customer.ts';

interface Needs {
  readonly customers: Repository<Customer>;
  readonly now: () => Date;
}

/** Changes a recipient of the owner. `expect` throws where the client has seen another version. */
export async function changeCustomer(
  { customers, now }: Needs,
  change: {
    readonly owner: string;
    readonly id: string;
    readonly given: accountHttp.CustomerChange;
    readonly expect: (version: number) => void;
  },
): Promise<Loaded<Customer>> {
  const { owner, id, given, expect } = change;
  const { result, version } = await customers.change(customerKey(owner, id), (current, currentVersion) => {
    if (current) expect(currentVersion);
    return decide(current, given, now());
  });
  return { state: result, version };
}
