import { catalogEvents } from '@storefront/contracts';
import type { Event } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import { keepProduct } from '../commands/keep-product.ts';
import type { ProductDetails, ProductNews } from '../domain/product.ts';

/** Keeps the service's copy of a product, and raises alerts for the users with the product on their wishlist. */
export function onProductChanged(parts: Parameters<typeof keepProduct>[0]) {
  // A product that is created, and one whose stock changed, come with the same data.
  return [
    ...[catalogEvents.productCreated, catalogEvents.productChanged, catalogEvents.stockChanged].map((contract) =>
      on(contract, (event, { signal }) => keepProduct(parts, newsOf(event, { facts: detailsOf(event.data) }), signal)),
    ),
    on(catalogEvents.productDeleted, (event, { signal }) =>
      keepProduct(parts, newsOf(event, { deleted: true }), signal),
    ),
  ];
}

/** Puts the copy right, or makes it anew. */
export function onProductTold(parts: Parameters<typeof keepProduct>[0]) {
  return on(catalogEvents.productTold, (event, { signal }) => {
    const { deleted } = event.data;
    return keepProduct(parts, newsOf(event, { facts: detailsOf(event.data), deleted, toldAgain: true }), signal);
  });
}

function newsOf(
  { subject, sequence, time }: Event,
  { facts = null, deleted = false, toldAgain = false }: Partial<Pick<ProductNews, 'facts' | 'deleted' | 'toldAgain'>>,
): ProductNews {
  return { productId: subject, sequence, at: new Date(time), facts, deleted, toldAgain };
}

function detailsOf(data: catalogEvents.ProductFacts): ProductDetails {
  const { name, image, price, tradePrice, available, status } = data;
  return { name, image, price, tradePrice, available, listed: status === 'active' };
}
