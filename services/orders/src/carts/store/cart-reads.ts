import { rememberReads, type Loaded } from '@storefront/mongo';
import { tier } from '../../domain/tier.ts';
import type { Cart } from '../domain/cart.ts';
import type { Products } from '../domain/product.ts';
import type { Store } from './collections.ts';

/** Reads of carts and of the products in them. */
export interface CartReads {
  /** The newest cart of the user that does not stand still for an order; null where there is none. */
  newestOf(userId: string): Promise<Loaded<Cart> | null>;
  /** The ids of up to so many carts that were left by their owners before this time, the longest left first. */
  left(before: Date, limit: number): Promise<string[]>;
  /**
   * Those of the products that are known, by id. Reads of the same moment share one command. What another instance has
   * heard may be missing for 1 s, as a copy is late anyway, but a new product is found at once.
   */
  products(ids: Iterable<string>): Promise<Products>;
  /** Has a product read again that this instance has changed. */
  forgetProduct(id: string): void;
  /** The product with the variant; none where it is not known. */
  withVariant(variantId: string): Promise<Products>;
}

const remembered = { forMs: 1000, atMost: 2000 };

export function createCartReads({ carts, products }: Store): CartReads {
  const findProducts = rememberReads(async (id) => (await products.load(id))?.state ?? null, remembered);
  return {
    async newestOf(userId) {
      const [newest] = await carts.find(
        { userId, orderId: null },
        { order: { createdAt: -1, _id: -1 }, limit: 1, hint: 'by_user' },
      );
      return newest ?? null;
    },
    async left(before, limit) {
      const found = await carts.find(
        { remindAs: { $in: tier.options }, updatedAt: { $lte: before } },
        { fields: ['updatedAt'], order: { updatedAt: 1 }, limit, hint: 'to_remind' },
      );
      return found.map(({ state: { id } }) => id);
    },
    products: findProducts,
    forgetProduct: findProducts.forget,
    async withVariant(variantId) {
      const found = await products.findOne({ 'facts.variants.id': variantId }, { hint: 'by_variant' });
      return new Map(found ? [[found.state.id, found.state]] : []);
    },
  };
}
