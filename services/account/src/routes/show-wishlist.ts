import { catalogHttp, type accountHttp } from '@storefront/contracts';
import { inMajorUnits } from '@storefront/money';
import { priceFor, type Tier } from '../domain/price.ts';
import { lowestSince, type KnownProduct } from '../domain/product.ts';
import type { Wishlist, WishlistItem } from '../domain/wishlist.ts';

type Products = ReadonlyMap<string, KnownProduct>;

/** Shows wishlists in answers. `apiUrl` is the public address of the API. */
export function createWishlistViews(apiUrl: string) {
  /** A wishlist as its owner sees it, the newest item first. */
  function showWishlist(list: Wishlist, products: Products, tier: Tier): accountHttp.WishlistBody {
    return { userId: list.id, items: each(list, products, (item, product) => showItem(item, product, tier)) };
  }

  function showItem(item: WishlistItem, { facts }: KnownProduct, tier: Tier): accountHttp.WishlistItemBody {
    return {
      id: item.id,
      productId: item.productId,
      productName: facts.name,
      unitPrice: inMajorUnits(priceFor(tier, facts)),
      createdAt: item.createdAt.toISOString(),
      productImage: imageOf(facts),
    };
  }

  function showInsights(list: Wishlist, products: Products, tier: Tier): accountHttp.WishlistInsightsBody {
    const items = each(list, products, (item, product) => {
      const priceAtAdding = priceFor(tier, item.priceAtAdding);
      return {
        id: item.id,
        productId: item.productId,
        variantId: item.variantId ?? null,
        productName: product.facts.name,
        productImage: imageOf(product.facts),
        available: product.facts.available,
        priceAtAdding,
        price: priceFor(tier, product.facts),
        lowestPrice: lowestSince(product, tier, item.createdAt, priceAtAdding),
        createdAt: item.createdAt.toISOString(),
      };
    });
    return { userId: list.id, items };
  }

  /** A wishlist as anybody with the link sees it: only the products, at retail prices. */
  function showShared(list: Wishlist, products: Products): accountHttp.SharedWishlistBody {
    const items = each(list, products, ({ productId }, { facts }) => ({
      productId,
      productName: facts.name,
      price: priceFor('retail', facts),
      productImage: imageOf(facts),
      available: facts.available,
    }));
    return { items };
  }

  function imageOf({ image }: KnownProduct['facts']): string | null {
    return image === null ? null : catalogHttp.shownPicture(image, apiUrl);
  }

  return { showWishlist, showItem, showInsights, showShared };
}

function each<Shown>(
  { items }: Wishlist,
  products: Products,
  show: (item: WishlistItem, product: KnownProduct) => Shown,
): Shown[] {
  return items.toReversed().flatMap((item) => {
    const product = products.get(item.productId);
    return product ? [show(item, product)] : [];
  });
}
