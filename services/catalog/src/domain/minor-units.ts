import type { http } from '@storefront/contracts';

/**
 * Reads an amount such as `19.99` as minor units of the currency; undefined where it is no such amount. It works on
 * digits, because 19.99 × 100 is not 1999 in floating point.
 */
export function toMinorUnits(amount: string, currency: string): http.Money | undefined {
  const digits =
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
  const match = /^(\d{1,10})(?:\.(\d+))?$/.exec(amount.trim());
  const [, whole = '', fraction = ''] = match ?? [];
  if (!match || fraction.length > digits) return undefined;
  return { amount: Number(whole + fraction.padEnd(digits, '0')), currency };
}
