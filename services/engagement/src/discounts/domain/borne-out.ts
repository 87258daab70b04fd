import { spread } from '@storefront/money';
import type { Money } from '@storefront/money';
import type { Redemption, RedeemedPart } from './redemption.ts';

/** What an order that was placed says of itself; null where it says nothing. */
export interface StatedAmounts {
  /** What was taken off, for shipping too. */
  readonly discount: Money | null;
  /** Before discounts. */
  readonly shipping: Money | null;
}

/**
 * What is left of discounts that were held once the order is placed: for shipping no more than shipping cost, and in all no more than
 * the order had taken off. What the order does not say, or says in another currency, lowers nothing.
 */
export function partsBorneOut(
  { parts, currency }: Pick<Redemption, 'parts' | 'currency'>,
  stated: StatedAmounts,
): readonly RedeemedPart[] {
  const isShipping = ({ of }: RedeemedPart) => of === 'shipping';
  const items = parts.filter((part) => !isShipping(part));
  const shipping = atMost(parts.filter(isShipping), amountIn(currency, stated.shipping));
  return atMost([...items, ...shipping], amountIn(currency, stated.discount));
}

/** The parts that are left, with the sums that follow from them. */
export function borneOut(
  held: Redemption,
  stated: StatedAmounts,
): Pick<Redemption, 'parts' | 'discount' | 'shippingDiscount' | 'total'> {
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
