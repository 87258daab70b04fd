import type { StateOf } from '@storefront/contracts';
import { spread, type Money } from '@storefront/money';
import { z } from 'zod';
import type { Evaluation } from '../evaluation/evaluation.ts';

/** The discount of a redemption from one campaign. */
export const redeemedPart = z.object({
  campaignId: z.string(),
  code: z.string().nullable(),
  /** The discount in minor units. */
  amount: z.int(),
  /** Whether the discount is on items or on shipping. */
  of: z.enum(['items', 'shipping']),
});
export type RedeemedPart = StateOf<typeof redeemedPart>;

/** Returns the discount of each campaign that applied to a cart. A discount that is on no line is on shipping. */
export function partsOf({ campaigns, lines }: Evaluation): RedeemedPart[] {
  const onLines = new Set(lines.flatMap(({ discounts }) => discounts.map(({ campaignId }) => campaignId)));
  return campaigns
    .filter(({ applied }) => applied)
    .map(({ campaignId, code, amount }) => {
      const of = onLines.has(campaignId) ? ('items' as const) : ('shipping' as const);
      return { campaignId, code, amount, of };
    });
}

/** The amounts that a placed order states; null for an amount that the order does not state. */
export interface StatedAmounts {
  /** The whole discount of the order, with the discount on shipping. */
  readonly discount: Money | null;
  /** The cost of shipping before discounts. */
  readonly shipping: Money | null;
}

/** Discounts that were held for an order. Amounts are in minor units of `currency`. */
interface Held {
  readonly parts: readonly RedeemedPart[];
  readonly currency: string;
  readonly subtotal: number;
  readonly evaluation: Pick<Evaluation, 'shipping'>;
}

/**
 * Returns the parts of held discounts that a placed order keeps: for shipping at most the cost of shipping, and in all
 * at most the discount of the order. Amounts that the order does not state, or states in another currency, lower
 * nothing.
 */
export function partsWithinOrder(
  { parts, currency }: Pick<Held, 'parts' | 'currency'>,
  stated: StatedAmounts,
): readonly RedeemedPart[] {
  const isShipping = ({ of }: RedeemedPart) => of === 'shipping';
  const items = parts.filter((part) => !isShipping(part));
  const shipping = atMost(parts.filter(isShipping), amountIn(currency, stated.shipping));
  return atMost([...items, ...shipping], amountIn(currency, stated.discount));
}

/** Returns the parts that a placed order keeps, and the sums of these parts. */
export function amountsWithinOrder(
  held: Held,
  stated: StatedAmounts,
): Pick<Evaluation, 'discount' | 'shippingDiscount' | 'total'> & { readonly parts: readonly RedeemedPart[] } {
  const parts = partsWithinOrder(held, stated);
  const sumFor = (wanted: RedeemedPart['of']) => sumOf(parts.filter(({ of }) => of === wanted));
  const [discount, shippingDiscount] = [sumFor('items'), sumFor('shipping')];
  const shipping = Math.min(held.evaluation.shipping, amountIn(held.currency, stated.shipping));
  return { parts, discount, shippingDiscount, total: held.subtotal - discount + shipping - shippingDiscount };
}

/** Returns the amount; Infinity where no amount in this currency is stated. */
function amountIn(currency: string, money: Money | null): number {
  return money?.currency === currency ? money.amount : Infinity;
}

/** Lowers the parts so that their sum is at most `most`. */
function atMost(parts: readonly RedeemedPart[], most: number): readonly RedeemedPart[] {
  if (sumOf(parts) <= most) return parts;
  const weights = parts.map(({ amount }) => ({ weight: amount, atMost: amount }));
  const amounts = spread(most, weights);
  return parts.map((part, index) => ({ ...part, amount: amounts[index] ?? 0 }));
}

function sumOf(parts: readonly RedeemedPart[]): number {
  return parts.reduce((sum, { amount }) => sum + amount, 0);
}
