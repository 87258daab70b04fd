import type { http } from '@storefront/contracts';
import { changesOf } from './alert.ts';
import type { DueAlerts } from './alert.ts';
import { withLow } from './lows.ts';
import type { LowPrice } from './lows.ts';
import { priceFor } from './price.ts';
import type { Prices } from './price.ts';

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
export interface Product {
  readonly id: string;
  /** The catalog's version of the product that this copy has; older events change nothing. */
  readonly sequence: number;
  /** Of a deleted product the last ones known; null where its deletion is all that is known. */
  readonly facts: ProductDetails | null;
  readonly deleted: boolean;
  readonly lows: { readonly retail: readonly LowPrice[]; readonly trade: readonly LowPrice[] };
  /** Alerts that have not been raised for all users with the product on their wishlist. */
  readonly due: readonly DueAlerts[];
}

/** A product of which more is known than its deletion. */
export type KnownProduct = Product & { readonly facts: ProductDetails };

/** One event of the catalog: the product at a version, or its deletion (`facts` is null). */
export interface ProductNews {
  readonly productId: string;
  readonly sequence: number;
  readonly at: Date;
  readonly facts: ProductDetails | null;
}

/**
 * The copy after an event. In whatever order and however often events arrive, the copy of a product that is sold comes to
 * the same: the newest details, and the lowest prices there have been. Alerts are due for the change from one newest state
 * to the next, so an event that was overtaken raises none.
 */
export function withNews(current: Product | null, news: ProductNews): Product {
  const before = current ?? {
    id: news.productId,
    sequence: -1,
    facts: null,
    deleted: false,
    lows: { retail: [], trade: [] },
    due: [],
  };
  const lows = news.facts ? withPrices(before.lows, news, news.facts) : before.lows;
  if (news.sequence <= before.sequence) return { ...before, lows };
  if (news.facts === null) {
    const facts = before.facts && { ...before.facts, available: false, listed: false };
    return { ...before, sequence: news.sequence, facts, deleted: true };
  }
  const changes = before.facts && changesOf(before.facts, news.facts);
  const due = changes
    ? [...before.due, { sequence: news.sequence, at: news.at, productName: news.facts.name, changes, toldUpTo: null }]
    : before.due;
  return { ...before, sequence: news.sequence, facts: news.facts, deleted: false, lows, due };
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

function withPrices(lows: Product['lows'], { sequence, at }: ProductNews, facts: ProductDetails): Product['lows'] {
  return {
    retail: withLow(lows.retail, { sequence, at, ...priceFor('retail', facts) }),
    trade: withLow(lows.trade, { sequence, at, ...priceFor('trade', facts) }),
  };
}
