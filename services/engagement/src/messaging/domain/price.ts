import { exponentOf, inMajorUnits, type Money } from '@storefront/money';

/** A price as people write it: `€19.99`. */
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
