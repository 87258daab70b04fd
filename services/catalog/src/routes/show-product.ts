import { catalogHttp } from '@storefront/contracts';
import { seesTradePrices, type Viewer } from '../domain/visibility.ts';
import type { ListedProduct } from '../store/product-reads.ts';

/**
 * A product as this viewer may see it. Every answer with a product is made here, so that no answer shows a
 * trade price to the wrong caller. `apiUrl` is the public address of the API.
 */
export function showProduct(product: ListedProduct, viewer: Viewer, apiUrl: string): catalogHttp.ProductBody {
  return {
    id: product.id,
    sku: product.sku,
    name: product.name,
    slug: product.slug,
    description: product.description,
    categoryIds: [...product.categoryIds],
    images: product.images.map(({ url, alt }) => ({ url: catalogHttp.shownPicture(url, apiUrl), alt })),
    price: product.price,
    ...(seesTradePrices(viewer) ? { tradePrice: product.tradePrice } : {}),
    stock: product.stock,
    status: product.status,
    createdAt: product.createdAt.toISOString(),
    updatedAt: product.updatedAt.toISOString(),
  };
}
