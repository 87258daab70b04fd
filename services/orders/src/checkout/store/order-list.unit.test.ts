import fc from 'fast-check';
import { expect, it } from 'vitest';
import { listQuery } from './order-list.ts';
import { checkoutCollections } from './orders.ts';

it('is read from an index in its order, whichever orders are listed', () => {
  const indexes = new Map(
    checkoutCollections
      .filter(({ name }) => name === 'orders')
      .flatMap(({ schema }) => schema.indexes().map(([keys, { name }]) => [name, Object.entries(keys)] as const)),
  );
  const day = new Date('2026-11-26T00:00:00Z');
  const either = <Value>(...values: Value[]) => fc.constantFrom(undefined, ...values);
  const wanted = fc.record({
    user: either('user_1'),
    status: either('placed' as const, 'cancelled' as const),
    fulfilment: either('open' as const, 'delivered' as const),
    payment: either('paid' as const, 'disputed' as const),
    return: either('requested' as const),
    attention: either('stuck' as const, 'disputed' as const, 'refund-failed' as const),
    from: either(day),
    to: either(day),
    q: either('ORD-2026-000001', 'ada@example.com'),
  });
  fc.assert(
    fc.property(wanted, (each) => {
      const { filter, hint } = listQuery(each, day);
      const keys = indexes.get(hint) ?? [];
      const ofField = filter as Record<string, unknown>;
      const open = keys.slice(0, -2).flatMap(([field]) => {
        const wanted = ofField[field];
        return typeof wanted === 'string' || (wanted as { $in?: unknown } | undefined)?.$in ? [] : [field];
      });
      expect(keys.slice(-2)).toEqual([
        ['createdAt', -1],
        ['_id', -1],
      ]);
      expect(open).toEqual([]);
    }),
  );
});
