import type { Lab } from '../lab.ts';
import { insert } from './insert.ts';

/** Writes `count` saved recipients, a share of them for each owner, straight into the service's collection. */
export async function addRecipients(
  lab: Lab,
  { owners, count, system }: { owners: readonly string[]; count: number; system: string },
): Promise<void> {
  const customers = (await lab.database('account', system)).collection<{ _id: string }>('customers');
  const begun = Date.now();
  await insert(customers, count, (at) => {
    const owner = owners[at % owners.length] ?? '';
    const customerId = `cust_${String(at).padStart(26, '0')}`;
    const createdAt = new Date(begun - at * 1000);
    return {
      _id: `${owner}/${customerId}`,
      owner,
      customerId,
      firstName: 'Robin',
      lastName: `Reader${at}`,
      email: null,
      phone: null,
      address: null,
      note: null,
      orderCount: 0,
      lastOrderedAt: null,
      createdAt,
      updatedAt: createdAt,
      tokens: ['robin', `reader${at}`],
      keys: [`name:robin reader${at}`],
      version: 1,
      outbox: [],
    };
  });
}
