import { afterNews, copyOf, type News } from '@storefront/catalog-copies';
import type { http, StateOf } from '@storefront/contracts';
import { z } from 'zod';
import { changesOf, dueAlerts } from './alert.ts';
import { lows, mergeLows, noLows, withLow, type Lows } from './lows.ts';
import { priceFor, prices } from './price.ts';

/** What the catalog last published about a product. */
const productDetails = z.object({
  name: z.string(),
  image: z.string().nullable(),
  ...prices.shape,
  /** It can be bought now. */
  available: z.boolean(),
  /** Shoppers can see it. */
  listed: z.boolean(),
});
export type ProductDetails = StateOf<typeof productDetails>;

/** The account service's own copy of a product. */
export const product = z.object({
  ...copyOf(productDetails),
  /** Copied from the price history, for reads. */
  lows,
  /** Alerts that have not been raised for all users with the product on their wishlist. */
  due: z.array(dueAlerts),
});
export type Product = StateOf<typeof product>;

/** A product of which more is known than its deletion. */
export type KnownProduct = Product & { readonly facts: ProductDetails };

/** The lowest prices that a product has had, by its id. No copy: the catalog does not know them, so it can't publish them again. */
export const priceHistory = z.object({ id: z.string(), ...lows.shape });
export type PriceHistory = StateOf<typeof priceHistory>;

/** One event of the catalog: the product at a version, or its deletion. */
export type ProductNews = News<ProductDetails>;

/** The price history after an event. */
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
 * The copy after an event, as `afterNews` says, with the lowest prices of its history. Alerts are due for the change from one newest state
 * to the next, so an event that was overtaken raises none. A snapshot of the version that the copy has corrects the details and raises no
 * alert. A snapshot of a newer version does, since the event of that change will be too old when it comes.
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

/** The copy once alerts were raised for users up to the id `toldUpTo`; null where they were raised for all. */
export function withAlertsRaised(current: Product, sequence: number, toldUpTo: string | null): Product {
  const due = current.due.flatMap((entry) => {
    if (entry.sequence !== sequence) return [entry];
    if (toldUpTo === null) return [];
    // Another delivery of the event may be further.
    return [entry.toldUpTo !== null && entry.toldUpTo > toldUpTo ? entry : { ...entry, toldUpTo }];
  });
  return { ...current, due };
}

/** Whether it can be put on a wishlist. */
export function isWishable(found: Product | null): found is KnownProduct {
  return found !== null && !found.deleted && found.facts !== null && found.facts.listed;
}

/** The lowest price for the tier since `added`, when it cost `then`, in the currency of today. */
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
