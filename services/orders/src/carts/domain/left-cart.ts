import { changed, fact, ordersEvents, unchanged, type Decision } from '@storefront/contracts';
import type { Cart } from './cart.ts';
import { forSale, pricedLines } from './priced-cart.ts';
import type { Products } from './product.ts';

/** After so long without a change a cart is left. */
export const leftAfterMs = 24 * 60 * 60 * 1000;

/** What is published of a left cart: the lines that are for sale, at the prices of now. */
export type LeftCart = ordersEvents.CartLeft & { readonly userId: string };

/** Returns what is in a cart that its owner has left; null for any other cart. */
export function leftCart(
  current: Cart | null,
  { products, currency, now }: { readonly products: Products; readonly currency: string; readonly now: Date },
): LeftCart | null {
  const { userId = null, remindAs = null } = current ?? {};
  if (!current || userId === null || remindAs === null || current.updatedAt.getTime() > now.getTime() - leftAfterMs)
    return null;
  const lines = forSale(pricedLines(current, products, { tier: remindAs, currency })).flatMap(
    ({ line, product, variant, unitPrice }) => {
      if (!product || !variant) return [];
      const { productId, variantId, quantity } = line;
      const name = [product.name, ...variant.values].join(', ');
      return { productId, variantId, name, sku: variant.sku, quantity, unitPrice };
    },
  );
  const subtotal = lines.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice, 0);
  return { userId, currency, lines, subtotal };
}

/** Notes that the cart was left, so that it is left again only after another change. Publishes `left`, if any. */
export function noteLeft(current: Cart | null, left: LeftCart | null): Decision<Cart, null> {
  if (!current) return unchanged(null);
  if (!left) return changed({ ...current, remindAs: null }, [], null);
  const { userId, ...data } = left;
  return changed({ ...current, remindAs: null }, [fact(ordersEvents.cartLeft, userId, data)], null);
}
