import { catalogHttp, type accountHttp } from '@storefront/contracts';
import { inMajorUnits } from '@storefront/money';
import { priceFor, type Tier } from '../domain/price.ts';
import { noLows } from '../domain/lows.ts';
import { lowestSince, type KnownProduct, type PriceHistory } from '../domain/product.ts';
import { wishedBy, type Wishlist, type WishlistItem } from '../domain/wishlist.ts';

type Products = ReadonlyMap<string, KnownProduct>;

/** Shows wishlists in answers. `apiUrl` is the public address of the API. */
export function createWishlistViews(apiUrl: string) {
  /** A wishlist as its owner sees it, the newest item first. */
  function showWishlist(list: Wishlist, products: Products, tier: Tier): accountHttp.WishlistBody {
    return { userId: list.id, items: each(list, products, (item, product) => showItem(item, product, tier)) };
  }

  function showItem(item: WishlistItem, product: KnownProduct, tier: Tier): accountHttp.WishlistItemBody {
    const wished = wishedBy(item, product);
    return {
      id: item.id,
      productId: item.productId,
      variantId: item.variantId ?? null,
      variant: showVariant(wished, product, tier),
      productName: product.facts.name,
      unitPrice: inMajorUnits(priceFor(tier, wished)),
      createdAt: item.createdAt.toISOString(),
      productImage: imageOf(product.facts),
    };
  }

  function showInsights(
    list: Wishlist,
    products: Products,
    histories: ReadonlyMap<string, PriceHistory>,
    tier: Tier,
  ): accountHttp.WishlistInsightsBody {
    const items = each(list, products, (item, product) => {
      const { id, productId, variantId, createdAt } = item;
      const wished = wishedBy(item, product);
      const [atAdding, now] = [priceFor(tier, item.priceAtAdding), priceFor(tier, wished)];
      const ofVariant = histories.get(productId)?.variants.find((variant) => variant.id === variantId);
      const lows = variantId === undefined ? product.lows : (ofVariant ?? noLows);
      return {
        id,
        productId,
        variantId: variantId ?? null,
        variant: showVariant(wished, product, tier),
        productName: product.facts.name,
        productImage: imageOf(product.facts),
        available: wished.available,
        priceAtAdding: atAdding,
        price: now,
        lowestPrice: lowestSince(lows, tier, createdAt, { atAdding, now }),
        createdAt: createdAt.toISOString(),
      };
    });
    return { userId: list.id, items };
  }

  /** A wishlist as anybody with the link sees it: only the products, at retail prices. */
  function showShared(list: Wishlist, products: Products): accountHttp.SharedWishlistBody {
    const items = each(list, products, (item, product) => {
      const wished = wishedBy(item, product);
      return {
        productId: item.productId,
        variant: showVariant(wished, product, 'retail'),
        productName: product.facts.name,
        price: priceFor('retail', wished),
        productImage: imageOf(product.facts),
        available: wished.available,
      };
    });
    return { items };
  }

  function imageOf({ image }: KnownProduct['facts']): string | null {
    return image === null ? null : catalogHttp.shownPicture(image, apiUrl);
  }

  return { showWishlist, showItem, showInsights, showShared };
}

function showVariant(
  { variant }: ReturnType<typeof wishedBy>,
  { facts }: KnownProduct,
  tier: Tier,
): accountHttp.WishlistItemBody['variant'] {
  if (!variant) return null;
  const options = facts.options.map((name, index) => ({ name, value: variant.values[index] ?? '' }));
  const { id, sku, available } = variant;
  return { id, sku, options, price: priceFor(tier, variant), available };
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
