import type { accountHttp } from '@storefront/contracts';
import type { Loaded, Repository } from '@storefront/mongo';
import { addCustomer as decide, customerKey } from '../domain/customer.ts';
import type { Customer } from '../domain/customer.ts';

interface Needs {
  readonly customers: Repository<Customer>;
  readonly now: () => Date;
}

/** Saves a recipient under `id`; repeated with the same id it changes nothing. */
export async function addCustomer(
  { customers, now }: Needs,
  { owner, id, given }: { owner: string; id: string; given: accountHttp.CustomerCreation },
): Promise<Loaded<Customer>> {
  const { result, version } = await customers.change(customerKey(owner, id), (current) =>
    decide(current, owner, id, given, now()),
  );
  return { state: result, version };
}
