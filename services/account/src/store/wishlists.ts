import { living } from '@storefront/mongo';
import type { WishlistHolder } from '../domain/alert.ts';
import { isWishable, productDetails, type KnownProduct, type PriceHistory, type Product } from '../domain/product.ts';
import type { Wishlist, WishlistItem } from '../domain/wishlist.ts';
import type { Store } from './collections.ts';

type Wish = Pick<WishlistItem, 'productId'> & { readonly variantId?: string | undefined };

/** Reads of wishlists, and of the products on them. */
export interface WishlistReads {
  /** The wishlist whose link has a token with this hash; null where there is none. */
  shared(tokenHash: string): Promise<Wishlist | null>;
  /**
   * Returns those of the wished products whose details are known, by id. Of their variants they have only those that
   * are wished for.
   */
  products(wishes: readonly Wish[]): Promise<ReadonlyMap<string, KnownProduct>>;
  /** Like `products`, but returns only those that can be put on a wishlist now. */
  wishable(wishes: readonly Wish[]): Promise<ReadonlyMap<string, KnownProduct>>;
  /** Returns the price histories of the products, by id. */
  priceHistories(productIds: readonly string[]): Promise<ReadonlyMap<string, PriceHistory>>;
  /**
   * Up to `limit` users with the product on their wishlist, in the order of their ids, starting after the user `after`.
   */
  holders(productId: string, after: string | null, limit: number): Promise<WishlistHolder[]>;
}

const allDetails = Object.fromEntries(Object.keys(productDetails.shape).map((name) => [name, 1]));

export function createWishlistReads({
  wishlists,
  products,
  priceHistory,
}: Pick<Store, 'wishlists' | 'products' | 'priceHistory'>): WishlistReads {
  // Products of 100 variants would make a list of 500 items too long to read.
  async function known(wishes: readonly Wish[]): Promise<Map<string, KnownProduct>> {
    if (wishes.length === 0) return new Map();
    const ids = [...new Set(wishes.map(({ productId }) => productId))];
    const variantIds = wishes.flatMap(({ variantId }) => variantId ?? []);
    const wished = { $filter: { input: '$facts.variants', cond: { $in: ['$$this.id', variantIds] } } };
    const projection = { sequence: 1, deleted: 1, lows: 1, facts: { ...allDetails, variants: wished } };
    const found = await products.collection
      .find<Omit<Product, 'id' | 'due'> & { _id: string }>(
        { _id: { $in: ids }, facts: { $ne: null }, ...living },
        { projection },
      )
      .toArray();
    return new Map(found.map(({ _id: id, ...state }) => [id, { ...state, id, due: [] } as KnownProduct]));
  }

  return {
    shared: async (tokenHash) => (await wishlists.findOne({ 'share.tokenHash': tokenHash }))?.state ?? null,
    products: known,
    async wishable(wishes) {
      return new Map([...(await known(wishes))].filter(([, product]) => isWishable(product)));
    },
    async priceHistories(productIds) {
      if (productIds.length === 0) return new Map();
      const found = await priceHistory.find({ _id: { $in: [...productIds] } });
      return new Map(found.map(({ state }) => [state.id, state]));
    },
    async holders(productId, after, limit) {
      const ofProduct = { $filter: { input: '$items', cond: { $eq: ['$$this.productId', productId] } } };
      const found = await wishlists.collection
        .find<{ _id: string } & Pick<Wishlist, 'tier' | 'items'>>(
          { 'items.productId': productId, ...(after === null ? {} : { _id: { $gt: after } }), ...living },
          { projection: { tier: 1, items: ofProduct }, hint: 'by_product' },
        )
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id, tier, items }) => {
        const wishes = items.map(({ variantId, createdAt }) => ({ variantId, wishedAt: createdAt }));
        return { userId: _id, tier, wishes };
      });
    },
  };
}
