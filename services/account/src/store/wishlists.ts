import { living } from '@storefront/mongo';
import type { WishlistHolder } from '../domain/alert.ts';
import { isWishable, type KnownProduct } from '../domain/product.ts';
import type { Wishlist } from '../domain/wishlist.ts';
import type { Store } from './collections.ts';

/** Reads of wishlists, and of the products on them. */
export interface WishlistReads {
  /** The wishlist whose link has a token with this hash; null where there is none. */
  shared(tokenHash: string): Promise<Wishlist | null>;
  /** Returns those of the given products whose details are known, by id. */
  products(ids: readonly string[]): Promise<ReadonlyMap<string, KnownProduct>>;
  /** Returns those of the given products that can be put on a wishlist now, by id. */
  wishable(ids: readonly string[]): Promise<ReadonlyMap<string, KnownProduct>>;
  /**
   * Up to `limit` users with the product on their wishlist, in the order of their ids, starting after the user `after`.
   */
  holders(productId: string, after: string | null, limit: number): Promise<WishlistHolder[]>;
}

export function createWishlistReads({ wishlists, products }: Pick<Store, 'wishlists' | 'products'>): WishlistReads {
  async function known(ids: readonly string[]): Promise<Map<string, KnownProduct>> {
    if (ids.length === 0) return new Map();
    const found = await products.find({ _id: { $in: [...ids] }, facts: { $ne: null } }, { without: ['due'] });
    return new Map(found.map(({ state }) => [state.id, { ...state, due: [] } as KnownProduct]));
  }

  return {
    shared: async (tokenHash) => (await wishlists.findOne({ 'share.tokenHash': tokenHash }))?.state ?? null,
    products: known,
    async wishable(ids) {
      return new Map([...(await known(ids))].filter(([, product]) => isWishable(product)));
    },
    async holders(productId, after, limit) {
      const found = await wishlists.collection
        .find<{ _id: string } & Pick<Wishlist, 'tier' | 'items'>>(
          { 'items.productId': productId, ...(after === null ? {} : { _id: { $gt: after } }), ...living },
          { projection: { tier: 1, items: { $elemMatch: { productId } } }, hint: 'by_product' },
        )
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id, tier, items }) => ({ userId: _id, tier, wishedAt: items[0]?.createdAt ?? new Date(0) }));
    },
  };
}
