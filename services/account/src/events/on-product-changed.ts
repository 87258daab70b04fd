import { isDeepStrictEqual } from 'node:util';
import { catalogEvents } from '@storefront/contracts';
import type { Event } from '@storefront/contracts';
import type { Handler } from '@storefront/messaging';
import { changed, unchanged } from '@storefront/outbox';
import type { Aggregates } from '@storefront/outbox';
import { alertsFor } from '../domain/alert.ts';
import type { Alert } from '../domain/alert.ts';
import { hear, settle } from '../domain/product.ts';
import type { Product, ProductFacts } from '../domain/product.ts';
import type { WishlistReads } from '../store/wishlists.ts';
import { read } from './read.ts';

export interface ProductParts {
  readonly products: Aggregates<Product>;
  readonly wishlistReads: WishlistReads;
  readonly raiseAlerts: (alerts: readonly Alert[]) => Promise<void>;
}

const holdersAtOnce = 500;

/**
 * Keeps the copy of a product, then tells those who wish for it. What is still to be told stands in the copy, so that it
 * goes on where it stopped when this is killed half-way and the event comes again.
 */
export function onProductChanged({ products, wishlistReads, raiseAlerts }: ProductParts): Handler {
  return async (event, { signal }) => {
    const facts = factsOf(event);
    if (facts !== null && 'outcome' in facts) return facts;
    const news = { productId: event.subject, sequence: event.sequence, at: new Date(event.time), facts };
    const { result } = await products.change(event.subject, (current) => {
      const next = hear(current, news);
      return isDeepStrictEqual(next, current) ? unchanged(next) : changed(next, []);
    });

    let product = result;
    for (let due = product.due[0]; due; due = product.due[0]) {
      signal.throwIfAborted();
      const { sequence } = due;
      const holders = await wishlistReads.holders(product.id, due.toldUpTo, holdersAtOnce);
      await raiseAlerts(holders.flatMap((holder) => alertsFor(holder, event.subject, due)));
      const last = holders.length < holdersAtOnce ? null : (holders.at(-1)?.userId ?? null);
      product = await progress(event.subject, sequence, last);
    }
    return 'done';
  };

  async function progress(productId: string, sequence: number, toldUpTo: string | null): Promise<Product> {
    const { result } = await products.change(productId, (current) => {
      if (!current) throw new Error(`the copy of ${productId} is gone`);
      const next = settle(current, sequence, toldUpTo);
      return isDeepStrictEqual(next, current) ? unchanged(next) : changed(next, []);
    });
    return result;
  }
}

function factsOf(event: Event): ProductFacts | null | { outcome: 'reject'; reason: string } {
  if (event.type === catalogEvents.productDeleted.type) return null;
  // A created product and one whose stock changed come with the same facts.
  const checked = read(catalogEvents.productChanged, event);
  if ('outcome' in checked) return checked;
  const { name, image, price, tradePrice, available, status } = checked.data;
  return { name, image, price, tradePrice, available, listed: status === 'active' };
}
