import type { Holder } from '../domain/alert.ts';
import { isWishable } from '../domain/product.ts';
import type { Product, ProductFacts } from '../domain/product.ts';
import type { Tier } from '../domain/price.ts';
import type { Wishlist } from '../domain/wishlist.ts';
import { living } from './collections.ts';
import type { Collections } from './collections.ts';

export type KnownProduct = Product & { readonly facts: ProductFacts };

/** Wishlists and the products on them, as they are read. */
export interface WishlistReads {
  /** The list that a link leads to. */
  shared(tokenHash: string): Promise<Wishlist | null>;
  /** Those of the products that something is known of, by id. */
  products(ids: readonly string[]): Promise<ReadonlyMap<string, KnownProduct>>;
  /** Those of the products that can be wished for now, by id. */
  wishable(ids: readonly string[]): Promise<ReadonlyMap<string, KnownProduct>>;
  /** Who wishes for the product: up to `limit`, by their ids from the one after `after` on. */
  holders(productId: string, after: string | null, limit: number): Promise<Holder[]>;
}

export function createWishlistReads({ wishlists, products }: Collections): WishlistReads {
  async function known(ids: readonly string[]): Promise<Map<string, KnownProduct>> {
    if (ids.length === 0) return new Map();
    const found = await products
      .find({ _id: { $in: [...ids] }, facts: { $ne: null } }, { projection: { outbox: 0, due: 0 } })
      .toArray();
    return new Map(
      found.map(({ _id, ...fields }) => [_id, { ...fields, id: _id, due: [] } as unknown as KnownProduct]),
    );
  }

  return {
    async shared(tokenHash) {
      const document = await wishlists.findOne(
        { 'share.tokenHash': tokenHash, ...living },
        { projection: { outbox: 0 } },
      );
      if (!document) return null;
      const { _id: id, tier, items, share } = document;
      return { id, tier, items, share };
    },
    products: known,
    async wishable(ids) {
      return new Map([...(await known(ids))].filter(([, product]) => isWishable(product)));
    },
    async holders(productId, after, limit) {
      const found = await wishlists
        .find<{ _id: string; tier: Tier; items: readonly { createdAt: Date }[] }>(
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
