import { afterNews, productReactions } from '@storefront/catalog-copies';
import { changed, unchanged } from '@storefront/contracts';
import type { Repository } from '@storefront/mongo';
import { soldProductOf, type Product } from '../domain/product.ts';
import type { CartReads } from '../store/cart-reads.ts';

interface Needs {
  readonly products: Repository<Product>;
  readonly cartReads: Pick<CartReads, 'forgetProduct'>;
}

/**
 * Keeps the copies of products and their stock. An event that comes again, or after a newer one, writes nothing, however
 * late it comes.
 */
export function onProductChanged(needs: Needs) {
  const { snapshot: _snapshot, ...reactions } = reactionsOf(needs);
  return Object.values(reactions);
}

/** Corrects the copy of a product by a snapshot, or creates it. */
export function onProductSnapshot(needs: Needs) {
  return [reactionsOf(needs).snapshot];
}

function reactionsOf({ products, cartReads }: Needs) {
  return productReactions({
    factsOf: soldProductOf,
    keep: async (news) => {
      await products.change(news.id, (current) => {
        const next = afterNews(current, news);
        return next ? changed(next, [], null) : unchanged(null);
      });
      cartReads.forgetProduct(news.id);
    },
  });
}
