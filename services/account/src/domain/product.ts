import type { http } from '@storefront/contracts';
import { changesOf } from './alert.ts';
import type { DueAlerts } from './alert.ts';
import { withLow } from './lows.ts';
import type { Low } from './lows.ts';
import { priceFor } from './price.ts';
import type { Prices } from './price.ts';

/** What the catalog last said about a product. */
export interface ProductFacts extends Prices {
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
  /** The catalog's version of the product that this copy knows: what is older changes nothing any more. */
  readonly sequence: number;
  /** The last ones known of a product that is deleted; null where all that was heard of it is its end. */
  readonly facts: ProductFacts | null;
  readonly deleted: boolean;
  readonly lows: { readonly retail: readonly Low[]; readonly trade: readonly Low[] };
  /** Changes of which those who wish for the product have not all been told. */
  readonly due: readonly DueAlerts[];
}

/** One event of the catalog: the product as it is at that version, or its end. */
export interface ProductNews {
  readonly productId: string;
  readonly sequence: number;
  readonly at: Date;
  readonly facts: ProductFacts | null;
}

/**
 * The copy after an event. Whatever the order in which events arrive, and however often, the copy of a product that is
 * sold comes to the same: the newest facts, and the lowest prices that have been. What it owes to those who wish for the product is told from one newest
 * state to the next, so an event that was overtaken raises no alert.
 */
export function hear(current: Product | null, news: ProductNews): Product {
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

/** Those up to `toldUpTo` have been told of the change; null: all of them. */
export function settle(product: Product, sequence: number, toldUpTo: string | null): Product {
  const due = product.due.flatMap((entry) => {
    if (entry.sequence !== sequence) return [entry];
    if (toldUpTo === null) return [];
    // Another one who tells of it may be further.
    return [entry.toldUpTo !== null && entry.toldUpTo > toldUpTo ? entry : { ...entry, toldUpTo }];
  });
  return { ...product, due };
}

/** Whether it can be put on a wishlist. */
export function isWishable(product: Product | null): product is Product & { readonly facts: ProductFacts } {
  return product !== null && !product.deleted && product.facts !== null && product.facts.listed;
}

/** The lowest price for the tier since `added`, when it cost `then`, in the currency of today. */
export function lowestSince(
  { lows, facts }: Product & { readonly facts: ProductFacts },
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

function withPrices(lows: Product['lows'], { sequence, at }: ProductNews, facts: ProductFacts): Product['lows'] {
  return {
    retail: withLow(lows.retail, { sequence, at, ...priceFor('retail', facts) }),
    trade: withLow(lows.trade, { sequence, at, ...priceFor('trade', facts) }),
  };
}
