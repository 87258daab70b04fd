import type { engagementHttp, FieldError } from '@storefront/contracts';
import type { Asker } from '../domain/evaluation/asker.ts';
import type { Cart } from '../domain/evaluation/cart.ts';
import { pricedCart, type PricedProduct } from '../domain/evaluation/priced-cart.ts';

export interface PricingNeeds {
  readonly catalogCopies: { find(productIds: readonly string[]): Promise<ReadonlyMap<string, PricedProduct>> };
  /** The shop's. */
  readonly currency: string;
}

type AskedCart = Pick<engagementHttp.CartToEvaluate, 'currency' | 'lines' | 'shipping'>;

/**
 * The cart with the prices and categories of the catalog. Names every line that can't be sold in the cart's currency, and the faults
 * that `alsoWrong` finds besides.
 */
export async function priceCart(
  { catalogCopies, currency }: PricingNeeds,
  asker: Asker,
  asked: AskedCart,
  alsoWrong: (products: ReadonlyMap<string, PricedProduct>) => readonly FieldError[] = () => [],
): Promise<Cart> {
  const products = await catalogCopies.find([...new Set(asked.lines.map(({ productId }) => productId))]);
  return pricedCart(asked, asked.currency ?? currency, asker.segment, products, alsoWrong(products));
}
