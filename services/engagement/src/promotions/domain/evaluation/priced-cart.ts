import { bodyField, invalidFields, type FieldError } from '@storefront/contracts';
import { priceOf, type Cart, type CartLine } from './cart.ts';

interface Money {
  readonly amount: number;
  readonly currency: string;
}

/** A product as the catalog told it. */
export interface PricedProduct {
  /** With all ancestors. */
  readonly categoryIds: readonly string[];
  readonly price: Money;
  readonly tradePrice: Money | null;
  readonly isListed: boolean;
  /** How many there are, as far as this service knows. */
  readonly stock: number;
}

interface AskedLine {
  readonly lineId?: string | undefined;
  readonly productId: string;
  readonly quantity: number;
  readonly unitPrice?: number | undefined;
}

/**
 * The cart with prices and categories. A price that is stated counts, otherwise that of the catalog. Names every line whose product is
 * unknown or not for sale, or has a price in another currency, after the faults that are known already, and refuses a cart that costs
 * too much to be worked out exactly.
 */
export function pricedCart(
  asked: { readonly lines: readonly AskedLine[]; readonly shipping?: number | undefined },
  currency: string,
  segment: 'retail' | 'trade',
  products: ReadonlyMap<string, PricedProduct>,
  faults: readonly FieldError[] = [],
): Cart {
  const refused = [...faults];
  const lines = asked.lines.map(({ lineId, productId, quantity, unitPrice }, index): CartLine => {
    const product = products.get(productId);
    const price = product && unitPriceOf(product, segment);
    const at = `/lines/${index}/productId`;
    if (unitPrice === undefined && (!product?.isListed || !price))
      refused.push(bodyField(at, 'unknown_product', 'is no product that is for sale'));
    else if (unitPrice === undefined && price?.currency !== currency)
      refused.push(bodyField(at, 'other_currency', `has no price in ${currency}`));
    return {
      lineId: lineId ?? String(index + 1),
      productId,
      quantity,
      unitPrice: unitPrice ?? price?.amount ?? 0,
      categoryIds: product?.categoryIds ?? [],
    };
  });
  if (refused.length > 0) throw invalidFields(refused);
  const cart: Cart = { currency, lines, shipping: asked.shipping ?? null };
  if (typeof priceOf(cart) === 'bigint')
    throw invalidFields([bodyField('/lines', 'too_big', 'cost too much together')]);
  return cart;
}

function unitPriceOf({ price, tradePrice }: PricedProduct, segment: 'retail' | 'trade'): Money {
  return segment === 'trade' && tradePrice ? tradePrice : price;
}
