import { newId } from '@storefront/contracts';
import type { Lab } from '../lab.ts';

type Stored = { _id: string; [field: string]: unknown };

const batch = 5000;

/**
 * Writes `each` notifications for every reader, half of them read, straight into the service's collection. `system` as for
 * `lab.database`.
 */
export async function addNotifications(
  lab: Lab,
  { readers, each, system }: { readers: readonly string[]; each: number; system?: string },
): Promise<void> {
  const collection = (await lab.database('engagement', system)).collection<Stored>('notifications');
  const begun = Date.now();
  const total = readers.length * each;
  let documents: Stored[] = [];
  for (let at = 0; at < total; at += 1) {
    const createdAt = new Date(begun - at * 1000);
    const readAt = at % 2 === 0 ? createdAt : null;
    documents.push({
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
    });
    if (documents.length === batch || at === total - 1) {
      await collection.insertMany(documents, { ordered: false, writeConcern: { w: 1 } });
      documents = [];
      if (at % 100_000 === batch - 1 && total > 100_000) lab.say(`  ${at + 1} of ${total} notifications`);
    }
  }
}
