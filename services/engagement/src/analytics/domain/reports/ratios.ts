import type { Money } from '@storefront/money';

/** The part of the whole, to four decimals; null where the whole is nothing. */
export function shareOf(part: number, whole: number): number | null {
  return whole > 0 ? Math.round((part / whole) * 10_000) / 10_000 : null;
}

/** What each of them comes to, in whole minor units; null where there is none. */
export function averageOf({ amount, currency }: Money, count: number): Money | null {
  return count > 0 ? { amount: Math.round(amount / count), currency } : null;
}
