import { catalogEvents, type Event, type EventContract } from '@storefront/contracts';
import { on, type Reaction } from '@storefront/messaging';
import type { z } from 'zod';
import type { News } from './copy.ts';

/** How a service stores its copies. */
interface Keeping<Data, Facts> {
  /** Selects, from the data of an event, the data that the service stores. */
  readonly factsOf: (data: Data) => Facts;
  /** Updates the copy as `afterNews` decides. The function may be called several times with the same news. */
  readonly keep: (news: News<Facts>, signal: AbortSignal) => Promise<void>;
}

/** The reactions to product events: one for each event that changes a service's copies of products. */
export function productReactions<Facts>(keeping: Keeping<catalogEvents.ProductFacts, Facts>) {
  return {
    created: onState(catalogEvents.productCreated, keeping),
    changed: onState(catalogEvents.productChanged, keeping),
    // The event contains the same data as `productChanged`. A service that stores no stock may leave out this reaction,
    // and the next one if it stores only what is counted and whether there is any.
    stockChanged: onState(catalogEvents.stockChanged, keeping),
    freeStockChanged: onFreeStock(keeping),
    deleted: onDeletion(catalogEvents.productDeleted, keeping),
    snapshot: onSnapshot(catalogEvents.productSnapshot, keeping),
  };
}

/** The reactions to category events: one for each event that changes a service's copies of categories. */
export function categoryReactions<Facts>(keeping: Keeping<catalogEvents.CategoryFacts, Facts>) {
  return {
    created: onState(catalogEvents.categoryCreated, keeping),
    changed: onState(catalogEvents.categoryChanged, keeping),
    deleted: onDeletion(catalogEvents.categoryDeleted, keeping),
    snapshot: onSnapshot(catalogEvents.categorySnapshot, keeping),
  };
}

function onState<Data, Facts, Type extends string>(
  contract: EventContract<z.ZodType<Data>, Type>,
  { factsOf, keep }: Keeping<Data, Facts>,
): Reaction<Type> {
  return on(contract, (event, { signal }) => keep(newsOf(event, { facts: factsOf(event.data) }), signal));
}

function onFreeStock<Facts>({
  factsOf,
  keep,
}: Keeping<catalogEvents.ProductFacts, Facts>): Reaction<'catalog.free-stock-changed'> {
  return on(catalogEvents.freeStockChanged, async ({ time, data }, { signal }) => {
    // At the same moment, so that they share a read and a write.
    await Promise.all(
      data.products.map(({ sequence, ...product }) =>
        keep(newsOf({ subject: product.id, sequence, time }, { facts: factsOf(product) }), signal),
      ),
    );
  });
}

function onDeletion<Facts, Type extends string>(
  contract: EventContract<z.ZodType, Type>,
  { keep }: Pick<Keeping<never, Facts>, 'keep'>,
): Reaction<Type> {
  return on(contract, (event, { signal }) => keep(newsOf<Facts>(event, { deleted: true }), signal));
}

function onSnapshot<Data extends { readonly deleted: boolean }, Facts, Type extends string>(
  contract: EventContract<z.ZodType<Data>, Type>,
  { factsOf, keep }: Keeping<Data, Facts>,
): Reaction<Type> {
  return on(contract, (event, { signal }) => {
    const { deleted } = event.data;
    return keep(newsOf(event, { facts: factsOf(event.data), deleted, isSnapshot: true }), signal);
  });
}

function newsOf<Facts>(
  { subject, sequence, time }: Pick<Event, 'subject' | 'sequence' | 'time'>,
  { facts = null, deleted = false, isSnapshot = false }: Partial<Pick<News<Facts>, 'facts' | 'deleted' | 'isSnapshot'>>,
): News<Facts> {
  return { id: subject, sequence, at: new Date(time), facts, deleted, isSnapshot };
}
