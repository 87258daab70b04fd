import { afterNews, type Copy, type News } from '@storefront/catalog-copies';
import type { http } from '@storefront/contracts';
import { changesOf, type DueAlerts } from './alert.ts';
import { mergeLows, noLows, withLow, type Lows } from './lows.ts';
import { priceFor, type Prices } from './price.ts';

/** What the catalog last published about a product. */
export interface ProductDetails extends Prices {
  readonly name: string;
  readonly image: string | null;
  /** It can be bought now. */
  readonly available: boolean;
  /** Shoppers can see it. */
  readonly listed: boolean;
}

/** The account service's own copy of a product. */
export interface Product extends Copy<ProductDetails> {
  /** Copied from the price history, for reads. */
  readonly lows: Lows;
  /** Alerts that have not been raised for all users with the product on their wishlist. */
  readonly due: readonly DueAlerts[];
}

/** A product of which more is known than its deletion. */
export type KnownProduct = Product & { readonly facts: ProductDetails };

/** The lowest prices that a product has had. No copy: the catalog does not know them, so it is never made anew. */
export interface PriceHistory extends Lows {
  /** The product's. */
  readonly id: string;
}

/** One event of the catalog: the product at a version, or its deletion. */
export type ProductNews = News<ProductDetails>;

/** The price history after an event. `copied` is what the copy of the product has. */
export function withPrices(current: PriceHistory | null, copied: Lows, news: ProductNews): PriceHistory {
  const { id, sequence, at, facts, deleted } = news;
  const { retail, trade } = mergeLows(current ?? noLows, copied);
  if (facts === null || deleted) return { id, retail, trade };
  return {
    id,
    retail: withLow(retail, { sequence, at, ...priceFor('retail', facts) }),
    trade: withLow(trade, { sequence, at, ...priceFor('trade', facts) }),
  };
}

/**
 * The copy after an event, as `afterNews` says, with the lowest prices there have been. Alerts are due for the change from
 * one newest state to the next, so an event that was overtaken raises none. What is told again of the version that the copy
 * has puts the details right, and raises no alert; of a newer version it is news, since the event of the change will be too
 * old when it comes.
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
export function withAlertsRaised(product: Product, sequence: number, toldUpTo: string | null): Product {
  const due = product.due.flatMap((entry) => {
    if (entry.sequence !== sequence) return [entry];
    if (toldUpTo === null) return [];
    // Another delivery of the event may be further.
    return [entry.toldUpTo !== null && entry.toldUpTo > toldUpTo ? entry : { ...entry, toldUpTo }];
  });
  return { ...product, due };
}

/** Whether it can be put on a wishlist. */
export function isWishable(product: Product | null): product is KnownProduct {
  return product !== null && !product.deleted && product.facts !== null && product.facts.listed;
}

/** The lowest price for the tier since `added`, when it cost `then`, in the currency of today. */
export function lowestSince(
  { lows, facts }: KnownProduct,
  tier: 'retail' | 'trade',
  added: Date,
  then: http.Money,
): http.Money {
  const now = priceFor(tier, facts);
  const amounts = lows[tier]
    .filter((low) => low.currency === now.currency && low.at > added)
    .map(({ amount }) => amount);
  if (then.currency === now.currency) amounts.push(then.amount);
  return { currency: now.currency, amount: Math.min(now.amount, ...amounts) };
}
