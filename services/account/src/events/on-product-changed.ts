import { lowestPrices, productReactions, variantsOf } from '@storefront/catalog-copies';
import type { catalogEvents } from '@storefront/contracts';
import { keepProduct, keepStock } from '../commands/keep-product.ts';
import type { ProductDetails } from '../domain/product.ts';

type Parts = Parameters<typeof keepProduct>[0];

/** Keeps the service's copy of a product, and raises alerts for the users with the product on their wishlist. */
export function onProductChanged(parts: Parts) {
  const { created, changed, stockChanged, deleted } = reactionsOf(parts);
  return [created, changed, stockChanged, deleted];
}

/** Corrects the service's copy of a product by a snapshot, or creates the copy. */
export function onProductSnapshot(parts: Parts) {
  return [reactionsOf(parts).snapshot];
}

function reactionsOf(parts: Parts) {
  const keeping = (keep: typeof keepProduct) =>
    productReactions({ factsOf: detailsOf, keep: (news, signal) => keep(parts, news, signal) });
  return { ...keeping(keepProduct), stockChanged: keeping(keepStock).stockChanged };
}

function detailsOf(data: catalogEvents.ProductFacts): ProductDetails {
  const { name, image, available, stock, counted = stock, options = [] } = data;
  const listed = data.status === 'active';
  const variants = variantsOf(data).map((variant) => {
    const { id, sku, values, price, tradePrice } = variant;
    const active = variant.status === 'active';
    const pieces = { available: listed && active && variant.stock > 0, counted: variant.counted ?? variant.stock };
    return { id, sku, values, price, tradePrice, ...pieces, active };
  });
  const optionNames = options.map((option) => option.name);
  return { name, image, ...lowestPrices(data), available, counted, listed, options: optionNames, variants };
}
