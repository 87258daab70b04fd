import { product, sum, type Exact } from '@storefront/money';

/** What somebody is about to order. Amounts are in minor units of its currency. */
export interface Cart {
  /** ISO 4217. */
  readonly currency: string;
  readonly lines: readonly CartLine[];
  /** What shipping costs; null where that is not known. */
  readonly shipping: number | null;
}

export interface CartLine {
  readonly lineId: string;
  readonly productId: string;
  /** At least 1. */
  readonly quantity: number;
  readonly unitPrice: number;
  /** The categories of the product with all their ancestors; the same in every line of the product. */
  readonly categoryIds: readonly string[];
}

/** Who is about to order. */
export interface Shopper {
  /** `retail` where nobody is signed in. */
  readonly segment: 'retail' | 'trade';
  /** Null where nobody is signed in. */
  readonly userId: string | null;
  readonly hasOrdered: boolean;
  /** How often the user has used each campaign, by its id. */
  readonly uses: ReadonlyMap<string, number>;
}

/** What a cart costs without any discount. Where it is a bigint, above 2^53 - 1, the cart is too much for `evaluate`. */
export function priceOf({ lines, shipping }: Cart): Exact {
  return sum([...lines.map(({ quantity, unitPrice }) => product(quantity, unitPrice)), shipping ?? 0]);
}
