import type { catalogEvents, http } from '@storefront/contracts';

/**
 * What a product costs at least: the lowest prices of its active variants. `tradePrice` is null where no variant has one;
 * trade customers then pay the retail price.
 */
export function lowestPrices({
  price,
  tradePrice,
  variants = [],
}: Pick<catalogEvents.ProductFacts, 'price' | 'tradePrice' | 'variants'>): {
  readonly price: http.Money;
  readonly tradePrice: http.Money | null;
} {
  const active = variants.filter(({ status }) => status === 'active');
  if (active.length === 0) return { price, tradePrice };
  const hasTradePrice = active.some((variant) => variant.tradePrice !== null);
  return {
    price: lowestOf(active.map((variant) => variant.price)) ?? price,
    tradePrice: hasTradePrice ? lowestOf(active.map((variant) => variant.tradePrice ?? variant.price)) : null,
  };
}

function lowestOf(prices: readonly http.Money[]): http.Money | null {
  return prices.reduce<http.Money | null>(
    (lowest, each) => (lowest && lowest.amount <= each.amount ? lowest : each),
    null,
  );
}
