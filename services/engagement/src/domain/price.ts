import type { http } from '@storefront/contracts';

/** A price for people: `€19.99`. */
export function showPrice({ amount, currency }: http.Money): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
