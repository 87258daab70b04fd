import { newId } from '@storefront/contracts';
import type { BenchContext } from '../context.ts';
import { insert } from './insert.ts';

type Stored = { _id: string; [field: string]: unknown };

/** The number of an order that `addOrders` adds, and a guest with ten of them. */
export const filledNumber = numberOf(777);
export const filledGuest = guestOf(777);

/**
 * Inserts copies of a placed order of the demo shop directly into the service's collection: nine tenths belong to the owners,
 * the others to guests with ten each, and a twentieth is cancelled.
 */
export async function addOrders(
  context: BenchContext,
  { owners, count, prefix }: { owners: readonly string[]; count: number; prefix: string },
): Promise<void> {
  const database = await context.database('orders', prefix);
  const orders = database.collection<{ _id: string }>('orders');
  const original = await database.collection<Stored>('orders').findOne({ status: 'placed' });
  if (!original) throw new Error('the demo shop has no placed order');
  const { lines, ...copied } = original;
  const line = (lines as object[]).slice(0, 1);
  // An index is built several times faster than it is kept up by inserts. The jobs need those for a part of the orders.
  const indexes = (await orders.indexes()).filter(
    ({ name, partialFilterExpression }) => name !== '_id_' && !partialFilterExpression,
  );
  for (const { name = '' } of indexes) await orders.dropIndex(name);
  const begun = Date.now();
  await insert(orders, count, (at) => {
    const createdAt = new Date(begun - at * 1000);
    const isOfGuest = at % 10 === 9;
    return {
      ...copied,
      lines: line,
      timeline: [],
      _id: newId('ord'),
      number: numberOf(at),
      userId: isOfGuest ? null : owners[at % owners.length],
      email: isOfGuest ? guestOf(at) : null,
      status: at % 20 === 0 ? 'cancelled' : 'placed',
      placedAt: createdAt,
      createdAt,
      updatedAt: createdAt,
      version: 1,
      outbox: [],
    };
  });
  await orders.createIndexes(indexes.map(({ v: _version, ...index }) => index));
}

function numberOf(at: number): string {
  return `ORD-2020-${String(at).padStart(7, '0')}`;
}

function guestOf(at: number): string {
  return `guest-${Math.floor(at / 100)}@bench.example.com`;
}
