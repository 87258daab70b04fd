import type { http } from '@storefront/contracts';

/** A price as people write it: `€19.99`. */
export function formatPrice({ amount, currency }: http.Money): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
