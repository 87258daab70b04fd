import { afterNews, copyOf, type News } from '@storefront/catalog-copies';
import type { http, StateOf } from '@storefront/contracts';
import { z } from 'zod';
import { changesOf, dueAlerts } from './alert.ts';
import { lows, mergeLows, noLows, withLow, type Lows } from './lows.ts';
import { priceFor, prices, type Prices } from './price.ts';

/** A variant of a product, with the prices that apply to it. */
const variantDetails = z.object({
  id: z.string(),
  sku: z.string(),
  /** One value of each of the product's options, in their order. */
  values: z.array(z.string()),
  ...prices.shape,
  /** Whether the variant can be bought now. */
  available: z.boolean(),
  /** How many are in stock as counted, with what is reserved for orders. */
  counted: z.int(),
  /** Whether shoppers can see the variant, where they can see the product. */
  active: z.boolean(),
});
export type VariantDetails = StateOf<typeof variantDetails>;

/** The details of a product that the catalog published last. The prices are the lowest of its active variants. */
export const productDetails = z.object({
  name: z.string(),
  image: z.string().nullable(),
  ...prices.shape,
  /** Whether the product can be bought now. */
  available: z.boolean(),
  /** How many are in stock as counted, with what is reserved for orders. */
  counted: z.int(),
  /** Whether shoppers can see the product. */
  listed: z.boolean(),
  /** The names of the options in which the variants differ. */
  options: z.array(z.string()),
  /** At least one. A product without options is its own only variant. */
  variants: z.array(variantDetails),
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
 * The lowest prices that a product and each of its variants have had, by the product's id. The catalog does not know
 * these prices, so it can't publish them again.
 */
export const priceHistory = z.object({
  id: z.string(),
  ...lows.shape,
  variants: z.array(z.object({ id: z.string(), ...lows.shape })),
});
export type PriceHistory = StateOf<typeof priceHistory>;

/** One event of the catalog: a version of a product, or its deletion. */
export type ProductNews = News<ProductDetails>;

/**
 * Returns the price history with the prices of an event added. A deletion adds no prices. A variant that the newest
 * event does not have is deleted, and so is its history.
 */
export function withPrices(current: PriceHistory | null, news: ProductNews): PriceHistory {
  const { id, sequence, at, facts, deleted } = news;
  const known = current ?? { id, ...noLows, variants: [] };
  if (facts === null || deleted) return known;
  const withPriceOf = (offer: Prices, { retail, trade }: Lows = noLows): Lows => ({
    retail: withLow(retail, { sequence, at, ...priceFor('retail', offer) }),
    trade: withLow(trade, { sequence, at, ...priceFor('trade', offer) }),
  });
  const isNewest = known.retail.every((low) => low.sequence <= sequence);
  const variants = isNewest
    ? facts.variants.map((variant) => ({ id: variant.id, ...withPriceOf(variant, withId(known.variants, variant.id)) }))
    : known.variants.map((former) => {
        const variant = withId(facts.variants, former.id);
        return variant ? { id: former.id, ...withPriceOf(variant, former) } : former;
      });
  return { id, ...withPriceOf(facts, known), variants };
}

function withId<Item extends { readonly id: string }>(items: readonly Item[], id: string): Item | undefined {
  return items.find((item) => item.id === id);
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
  const facts = copy.deleted && copy.facts ? withdrawn(copy.facts) : copy.facts;
  const next = { ...known, ...copy, facts };
  const isChange = news.sequence > before.sequence;
  const changes = isChange && before.facts && facts ? changesOf(before.facts, facts) : null;
  if (!changes || !facts) return next;
  const due = { sequence: news.sequence, at: news.at, productName: facts.name, changes, toldUpTo: null };
  return { ...next, due: [...before.due, due] };
}

/** The last details of a product that is deleted. */
function withdrawn(facts: ProductDetails): ProductDetails {
  const variants = facts.variants.map((variant) => ({ ...variant, available: false }));
  return { ...facts, available: false, listed: false, variants };
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
 * The lowest price for the tier since something was put on the wishlist, at `added`, when it cost `atAdding`; `now` is
 * what it costs. Only prices in the present currency count.
 */
export function lowestSince(
  known: Lows,
  tier: 'retail' | 'trade',
  added: Date,
  { atAdding, now }: { readonly atAdding: http.Money; readonly now: http.Money },
): http.Money {
  const amounts = known[tier]
    .filter((low) => low.currency === now.currency && low.at > added)
    .map(({ amount }) => amount);
  if (atAdding.currency === now.currency) amounts.push(atAdding.amount);
  return { currency: now.currency, amount: Math.min(now.amount, ...amounts) };
}
