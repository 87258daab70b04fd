import { newId } from '@storefront/contracts';
import type { BenchContext } from '../context.ts';
import { insert } from './insert.ts';

/**
 * Inserts `each` notifications for every reader, half of them read, directly into the service's collection. `prefix`
 * names the system as in `context.database`.
 */
export async function addNotifications(
  context: BenchContext,
  { readers, each, prefix }: { readers: readonly string[]; each: number; prefix: string },
): Promise<void> {
  const database = await context.database('engagement', prefix);
  const begun = Date.now();
  await insert(database.collection<{ _id: string }>('notifications'), readers.length * each, (at) => {
    const createdAt = new Date(begun - at * 1000);
    const readAt = at % 2 === 0 ? createdAt : null;
    return {
      _id: newId('ntf'),
      audience: readers[at % readers.length],
      category: 'account',
      type: 'bench-note',
      title: `Note ${at}`,
      body: 'Something happened that you may want to know of.',
      data: { orderId: `order-${at}` },
      readAt,
      unread: readAt === null,
      createdAt,
    };
  });
}
