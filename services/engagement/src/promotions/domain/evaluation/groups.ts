import { spread } from '@storefront/money';
import type { CartLine } from './cart.ts';

/** A line, and what discounts have taken off it so far. */
export interface DiscountedLine {
  readonly line: CartLine;
  readonly subtotal: number;
  discount: number;
  readonly discounts: { readonly campaignId: string; readonly amount: number }[];
}

/**
 * All units of a cart that have the same product and the same price, whichever lines they stand in. Discounts are worked out with
 * groups, so neither the order of the lines nor a line that is split changes a total.
 */
export interface Group {
  readonly productId: string;
  readonly unitPrice: number;
  readonly categoryIds: readonly string[];
  readonly quantity: number;
  readonly subtotal: number;
  /** In the order of the cart. */
  readonly lines: readonly DiscountedLine[];
}

/** The lines of a cart without any discount. */
export function withoutDiscount(lines: readonly CartLine[]): DiscountedLine[] {
  return lines.map((line) => ({ line, subtotal: line.quantity * line.unitPrice, discount: 0, discounts: [] }));
}

/** The groups, ordered by product, then by price. */
export function groupsOf(lines: readonly DiscountedLine[]): Group[] {
  const groups: (Group & { quantity: number; subtotal: number; lines: DiscountedLine[] })[] = [];
  for (const discounted of lines.toSorted(byProductAndPrice)) {
    const { productId, unitPrice, categoryIds, quantity } = discounted.line;
    const last = groups.at(-1);
    if (last?.productId === productId && last.unitPrice === unitPrice) {
      last.quantity += quantity;
      last.subtotal += discounted.subtotal;
      last.lines.push(discounted);
    } else {
      groups.push({ productId, unitPrice, categoryIds, quantity, subtotal: discounted.subtotal, lines: [discounted] });
    }
  }
  return groups;
}

/** Takes an amount off the lines of a group, from each by what is left of it. */
export function takeOff({ lines }: Group, campaignId: string, amount: number): void {
  const [first] = lines;
  if (lines.length === 1 && first !== undefined) {
    takeOffLine(first, campaignId, amount);
    return;
  }
  const parts = lines.map(({ subtotal, discount }) => ({ weight: subtotal - discount, atMost: subtotal - discount }));
  const amounts = spread(amount, parts).values();
  for (const line of lines) takeOffLine(line, campaignId, amounts.next().value ?? 0);
}

function takeOffLine(line: DiscountedLine, campaignId: string, amount: number): void {
  if (amount === 0) return;
  line.discount += amount;
  line.discounts.push({ campaignId, amount });
}

function byProductAndPrice({ line: a }: DiscountedLine, { line: b }: DiscountedLine): number {
  if (a.productId !== b.productId) return a.productId < b.productId ? -1 : 1;
  return a.unitPrice - b.unitPrice;
}
