import { catalogEvents, type Event } from '@storefront/contracts';
import { z } from 'zod';
import type { StatedFact } from '../fact.ts';
import { toldBy, type FactKind } from '../kind.ts';

const data = z.object({
  object: z.enum(['category', 'product', 'stock']),
  change: z.enum(['created', 'changed', 'deleted']),
  id: z.string(),
});
type Changed = z.infer<typeof data>;

/** The catalog is another one: a category, a product or how many there are of it. It is nobody's, and no report counts it. */
export const catalogChanged: FactKind<'catalog-changed', Changed> = {
  name: 'catalog-changed',
  data,
  tellers: [
    toldBy(catalogEvents.categoryCreated, (event) => changed('category', 'created', event)),
    toldBy(catalogEvents.categoryChanged, (event) => changed('category', 'changed', event)),
    toldBy(catalogEvents.categoryDeleted, (event) => changed('category', 'deleted', event)),
    toldBy(catalogEvents.productCreated, (event) => changed('product', 'created', event)),
    toldBy(catalogEvents.productChanged, (event) => changed('product', 'changed', event)),
    toldBy(catalogEvents.productDeleted, (event) => changed('product', 'deleted', event)),
    toldBy(catalogEvents.stockChanged, (event) => changed('stock', 'changed', event)),
  ],
  countsOf: () => [],
  setsOf: () => [],
};

function changed(
  object: Changed['object'],
  change: Changed['change'],
  { time, data: { id } }: Event<{ readonly id: string }>,
): StatedFact<Changed> {
  return { at: new Date(time), segment: 'guest', by: null, data: { object, change, id } };
}
