import type { accountHttp } from '@storefront/contracts';
import { inMajorUnits, priceFor } from '../domain/price.ts';
import type { Tier } from '../domain/price.ts';
import { lowestSince } from '../domain/product.ts';
import type { Wish, Wishlist } from '../domain/wishlist.ts';
import type { KnownProduct } from '../store/wishlists.ts';

type Products = ReadonlyMap<string, KnownProduct>;

/** A wishlist as its owner sees it, the newest item first. */
export function wishlistBody(list: Wishlist, products: Products, tier: Tier): accountHttp.WishlistBody {
  return { userId: list.id, items: each(list, products, (wish, product) => itemBody(wish, product, tier)) };
}

export function itemBody(wish: Wish, { facts }: KnownProduct, tier: Tier): accountHttp.WishlistItemBody {
  return {
    id: wish.id,
    productId: wish.productId,
    productName: facts.name,
    unitPrice: inMajorUnits(priceFor(tier, facts)),
    createdAt: wish.createdAt.toISOString(),
    productImage: facts.image,
  };
}

export function insightsBody(list: Wishlist, products: Products, tier: Tier): accountHttp.WishlistInsightsBody {
  const items = each(list, products, (wish, product) => {
    const priceAtAdding = priceFor(tier, wish.priceAtAdding);
    return {
      id: wish.id,
      productId: wish.productId,
      productName: product.facts.name,
      productImage: product.facts.image,
      available: product.facts.available,
      priceAtAdding,
      priceNow: priceFor(tier, product.facts),
      lowestPrice: lowestSince(product, tier, wish.createdAt, priceAtAdding),
      createdAt: wish.createdAt.toISOString(),
    };
  });
  return { userId: list.id, items };
}

/** What a stranger with the link sees: the products alone, at everybody's prices. */
export function sharedBody(list: Wishlist, products: Products): accountHttp.SharedWishlistBody {
  const items = each(list, products, ({ productId }, { facts }) => {
    const price = priceFor('retail', facts);
    return {
      productId,
      productName: facts.name,
      unitPrice: inMajorUnits(price),
      currency: price.currency,
      productImage: facts.image,
      available: facts.available,
    };
  });
  return { items };
}

function each<Shown>(
  { items }: Wishlist,
  products: Products,
  show: (wish: Wish, product: KnownProduct) => Shown,
): Shown[] {
  return items.toReversed().flatMap((wish) => {
    const product = products.get(wish.productId);
    return product ? [show(wish, product)] : [];
  });
}
