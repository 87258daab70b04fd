import type { Money } from '@storefront/money';

/** `part` divided by `whole`, rounded to four decimals. null where the whole is 0. */
export function shareOf(part: number, whole: number): number | null {
  return whole > 0 ? Math.round((part / whole) * 10_000) / 10_000 : null;
}

/** The amount divided by the count, in whole minor units. null where the count is 0. */
export function averageOf({ amount, currency }: Money, count: number): Money | null {
  return count > 0 ? { amount: Math.round(amount / count), currency } : null;
}
