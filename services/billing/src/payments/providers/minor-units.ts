import { exponentOf } from '@storefront/money';

/**
 * An amount of a provider in minor units of ISO 4217; undefined where it is no whole number of them. `decimals` is how many decimals the
 * provider's own units of this currency have.
 */
export function inMinorUnits(amount: number, currency: string, decimals: number): number | undefined {
  const more = exponentOf(currency) - decimals;
  const converted = more >= 0 ? amount * 10 ** more : amount / 10 ** -more;
  return Number.isSafeInteger(converted) ? converted : undefined;
}
