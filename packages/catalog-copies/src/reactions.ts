import { catalogEvents, type Event, type EventContract } from '@storefront/contracts';
import { on, type Reaction } from '@storefront/messaging';
import type { z } from 'zod';
import type { News } from './copy.ts';

/** How a service keeps its copies. */
interface Keeping<Data, Facts> {
  /** What the service keeps of it. */
  readonly factsOf: (data: Data) => Facts;
  /** Brings the copy up to date, as `afterNews` says. It may be called again with what it was called with before. */
  readonly keep: (news: News<Facts>, signal: AbortSignal) => Promise<void>;
}

/** One reaction for each event by which a service keeps its copies of products. */
export function productReactions<Facts>(keeping: Keeping<catalogEvents.ProductFacts, Facts>) {
  return {
    created: onState(catalogEvents.productCreated, keeping),
    changed: onState(catalogEvents.productChanged, keeping),
    // It has the same data. Whoever keeps nothing that follows from the stock needs no reaction to it.
    stockChanged: onState(catalogEvents.stockChanged, keeping),
    deleted: onDeletion(catalogEvents.productDeleted, keeping),
    snapshot: onSnapshot(catalogEvents.productSnapshot, keeping),
  };
}

/** One reaction for each event by which a service keeps its copies of categories. */
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
  { subject, sequence, time }: Event,
  { facts = null, deleted = false, isSnapshot = false }: Partial<Pick<News<Facts>, 'facts' | 'deleted' | 'isSnapshot'>>,
): News<Facts> {
  return { id: subject, sequence, at: new Date(time), facts, deleted, isSnapshot };
}
