import { exponentOf } from '@storefront/money';

/**
 * Converts an amount of a provider into minor units of ISO 4217. Undefined if the result is not a whole number.
 * `decimals` is the number of decimals that the provider's own units of this currency have.
 */
export function inMinorUnits(amount: number, currency: string, decimals: number): number | undefined {
  const more = exponentOf(currency) - decimals;
  const converted = more >= 0 ? amount * 10 ** more : amount / 10 ** -more;
  return Number.isSafeInteger(converted) ? converted : undefined;
}
