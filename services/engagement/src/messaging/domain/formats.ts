import { exponentOf, inMajorUnits, type Money } from '@storefront/money';

/** Formats a price for people, for example `€19.99`. */
export function formatPrice(price: Money): string {
  const digits = exponentOf(price.currency);
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: price.currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(inMajorUnits(price));
}

const days = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' });

/** Formats a day for people, for example `21 December 2026` for `2026-12-21`. */
export function formatDay(day: string): string {
  return days.format(new Date(`${day}T00:00:00Z`));
}
