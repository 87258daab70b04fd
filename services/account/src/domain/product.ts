import { afterNews, copyOf, type News } from '@storefront/catalog-copies';
import type { http, StateOf } from '@storefront/contracts';
import { z } from 'zod';
import { changesOf, dueAlerts } from './alert.ts';
import { lows, mergeLows, noLows, withLow, type Lows } from './lows.ts';
import { priceFor, prices } from './price.ts';

/** The details of a product that the catalog published last. */
const productDetails = z.object({
  name: z.string(),
  image: z.string().nullable(),
  ...prices.shape,
  /** Whether the product can be bought now. */
  available: z.boolean(),
  /** How many are in stock as counted, with what is reserved for orders. */
  counted: z.int(),
  /** Whether shoppers can see the product. */
  listed: z.boolean(),
  /** The ids of the active variants; missing where the event said nothing about variants. */
  variantIds: z.array(z.string()).optional(),
});
export type ProductDetails = StateOf<typeof productDetails>;

/** The account service's own copy of a product. */
export const product = z.object({
  ...copyOf(productDetails),
  /** The lowest prices, copied from the price history so that a read needs only this document. */
  lows,
  /** Alerts that have not yet been raised for all users with the product on their wishlist. */
  due: z.array(dueAlerts),
});
export type Product = StateOf<typeof product>;

/** A product whose details are known. Of other products only the deletion is known. */
export type KnownProduct = Product & { readonly facts: ProductDetails };

/**
 * The lowest prices that a product has had, by the product's id. The catalog does not know these prices, so it can't
 * publish them again.
 */
export const priceHistory = z.object({ id: z.string(), ...lows.shape });
export type PriceHistory = StateOf<typeof priceHistory>;

/** One event of the catalog: a version of a product, or its deletion. */
export type ProductNews = News<ProductDetails>;

/** Returns the price history with the prices of an event added. A deletion adds no prices. */
export function withPrices(current: PriceHistory | null, news: ProductNews): PriceHistory {
  const { id, sequence, at, facts, deleted } = news;
  const { retail, trade } = current ?? noLows;
  if (facts === null || deleted) return { id, retail, trade };
  return {
    id,
    retail: withLow(retail, { sequence, at, ...priceFor('retail', facts) }),
    trade: withLow(trade, { sequence, at, ...priceFor('trade', facts) }),
  };
}

/**
 * Returns the copy after an event, as `afterNews` does, with the lowest prices of its history. Alerts become due for
 * the change from the copy to a newer version, so an event that arrives after a newer one raises none. A snapshot of
 * the version that the copy already has corrects the details and raises no alert. A snapshot of a newer version raises
 * alerts, since the event of that change will be older than the copy when it arrives.
 */
export function withNews(current: Product | null, news: ProductNews, history: Lows): Product {
  const before = current ?? { id: news.id, sequence: -1, facts: null, deleted: false, lows: noLows, due: [] };
  const { retail, trade } = mergeLows(before.lows, history);
  const known = { ...before, lows: { retail, trade } };
  const copy = afterNews(current, news);
  if (!copy) return known;
  const facts = copy.deleted && copy.facts ? { ...copy.facts, available: false, listed: false } : copy.facts;
  const next = { ...known, ...copy, facts };
  const isChange = news.sequence > before.sequence;
  const changes = isChange && before.facts && facts ? changesOf(before.facts, facts) : null;
  if (!changes || !facts) return next;
  const due = { sequence: news.sequence, at: news.at, productName: facts.name, changes, toldUpTo: null };
  return { ...next, due: [...before.due, due] };
}

/** Returns the copy after alerts were raised for users up to the id `toldUpTo`; null means for all users. */
export function withAlertsRaised(current: Product, sequence: number, toldUpTo: string | null): Product {
  const due = current.due.flatMap((entry) => {
    if (entry.sequence !== sequence) return [entry];
    if (toldUpTo === null) return [];
    // Another delivery of the same event may have raised alerts for more users already.
    return [entry.toldUpTo !== null && entry.toldUpTo > toldUpTo ? entry : { ...entry, toldUpTo }];
  });
  return { ...current, due };
}

/** Whether the product can be put on a wishlist. */
export function isWishable(found: Product | null): found is KnownProduct {
  return found !== null && !found.deleted && found.facts !== null && found.facts.listed;
}

/**
 * The lowest price for the tier since the product was put on the wishlist, at `added`, when it cost `then`. Only prices
 * in the present currency count.
 */
export function lowestSince(
  { lows: known, facts }: KnownProduct,
  tier: 'retail' | 'trade',
  added: Date,
  then: http.Money,
): http.Money {
  const now = priceFor(tier, facts);
  const amounts = known[tier]
    .filter((low) => low.currency === now.currency && low.at > added)
    .map(({ amount }) => amount);
  if (then.currency === now.currency) amounts.push(then.amount);
  return { currency: now.currency, amount: Math.min(now.amount, ...amounts) };
}
