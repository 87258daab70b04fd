import { ownVariantId, type catalogEvents, type http } from '@storefront/contracts';

/**
 * The variants of a product, at least one. An event that names none is about a product without options, which is its own
 * only variant.
 */
export function variantsOf(product: catalogEvents.ProductFacts): readonly catalogEvents.VariantFacts[] {
  return product.variants ?? [ownVariantOf(product)];
}

/** The variants of a product that are for sale. */
export function activeVariants(product: catalogEvents.ProductFacts): readonly catalogEvents.VariantFacts[] {
  return variantsOf(product).filter(({ status }) => status === 'active');
}

function ownVariantOf(product: catalogEvents.ProductFacts): catalogEvents.VariantFacts {
  const { id, sku, price, tradePrice, stock, counted, weight = null } = product;
  return { id: ownVariantId(id), sku, values: [], price, tradePrice, stock, counted, weight, status: 'active' };
}

/**
 * What a product costs at least: the lowest prices of its active variants. `tradePrice` is null where no variant has one;
 * trade customers then pay the retail price.
 */
export function lowestPrices(product: catalogEvents.ProductFacts): {
  readonly price: http.Money;
  readonly tradePrice: http.Money | null;
} {
  const active = activeVariants(product);
  const hasTradePrice = active.some(({ tradePrice }) => tradePrice !== null);
  return {
    price: lowestOf(active.map(({ price }) => price)) ?? product.price,
    tradePrice: hasTradePrice ? lowestOf(active.map(({ price, tradePrice }) => tradePrice ?? price)) : null,
  };
}

function lowestOf(prices: readonly http.Money[]): http.Money | null {
  return prices.reduce<http.Money | null>(
    (lowest, each) => (lowest && lowest.amount <= each.amount ? lowest : each),
    null,
  );
}
