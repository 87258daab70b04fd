import { spread, type Money } from '@storefront/money';
import type { RedeemedPart } from './redeemed-part.ts';

/** What an order that was placed says of itself; null where it says nothing. */
export interface StatedAmounts {
  /** What was taken off, for shipping too. */
  readonly discount: Money | null;
  /** Before discounts. */
  readonly shipping: Money | null;
}

/** Discounts that were held. Amounts are in minor units of the currency. */
interface Held {
  readonly parts: readonly RedeemedPart[];
  readonly currency: string;
  readonly subtotal: number;
  readonly evaluation: { readonly shipping: number };
}

/** The parts that are left, with the sums that follow from them. */
interface BorneOut {
  readonly parts: readonly RedeemedPart[];
  readonly discount: number;
  readonly shippingDiscount: number;
  readonly total: number;
}

/**
 * What is left of discounts that were held once the order is placed: for shipping no more than shipping cost, and in all no more than
 * the order had taken off. What the order does not say, or says in another currency, lowers nothing.
 */
export function partsBorneOut(
  { parts, currency }: Pick<Held, 'parts' | 'currency'>,
  stated: StatedAmounts,
): readonly RedeemedPart[] {
  const isShipping = ({ of }: RedeemedPart) => of === 'shipping';
  const items = parts.filter((part) => !isShipping(part));
  const shipping = atMost(parts.filter(isShipping), amountIn(currency, stated.shipping));
  return atMost([...items, ...shipping], amountIn(currency, stated.discount));
}

/** The same with the sums that follow. */
export function borneOut(held: Held, stated: StatedAmounts): BorneOut {
  const parts = partsBorneOut(held, stated);
  const sumFor = (wanted: RedeemedPart['of']) => sumOf(parts.filter(({ of }) => of === wanted));
  const [discount, shippingDiscount] = [sumFor('items'), sumFor('shipping')];
  const shipping = Math.min(held.evaluation.shipping, amountIn(held.currency, stated.shipping));
  return { parts, discount, shippingDiscount, total: held.subtotal - discount + shipping - shippingDiscount };
}

/** Infinity where nothing is stated in the currency. */
function amountIn(currency: string, money: Money | null): number {
  return money?.currency === currency ? money.amount : Infinity;
}

/** Lowers the parts to so much in all. */
function atMost(parts: readonly RedeemedPart[], most: number): readonly RedeemedPart[] {
  if (sumOf(parts) <= most) return parts;
  const weights = parts.map(({ amount }) => ({ weight: amount, atMost: amount }));
  const amounts = spread(most, weights);
  return parts.map((part, index) => ({ ...part, amount: amounts[index] ?? 0 }));
}

function sumOf(parts: readonly RedeemedPart[]): number {
  return parts.reduce((sum, { amount }) => sum + amount, 0);
}
