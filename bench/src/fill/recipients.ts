import type { BenchContext } from '../context.ts';
import { insert } from './insert.ts';

/** Inserts `count` saved recipients, equally many for each owner, directly into the service's collection. */
export async function addRecipients(
  context: BenchContext,
  { owners, count, prefix }: { owners: readonly string[]; count: number; prefix: string },
): Promise<void> {
  const customers = (await context.database('account', prefix)).collection<{ _id: string }>('customers');
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
