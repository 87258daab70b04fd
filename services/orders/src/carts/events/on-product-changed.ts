import { afterNews, productReactions } from '@storefront/catalog-copies';
import { changed, unchanged } from '@storefront/contracts';
import type { Repository } from '@storefront/mongo';
import { soldProductOf, type Product } from '../domain/product.ts';

/**
 * Keeps the copies of products and their stock. An event that comes again, or after a newer one, writes nothing, however
 * late it comes.
 */
export function onProductChanged(products: Repository<Product>) {
  const { snapshot: _snapshot, ...reactions } = reactionsOf(products);
  return Object.values(reactions);
}

/** Corrects the copy of a product by a snapshot, or creates it. */
export function onProductSnapshot(products: Repository<Product>) {
  return [reactionsOf(products).snapshot];
}

function reactionsOf(products: Repository<Product>) {
  return productReactions({
    factsOf: soldProductOf,
    keep: async (news) => {
      await products.change(news.id, (current) => {
        const next = afterNews(current, news);
        return next ? changed(next, [], null) : unchanged(null);
      });
    },
  });
}
