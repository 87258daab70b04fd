import { exponentOf } from '@storefront/money';

/**
 * An amount of a provider whose units of this currency have so many decimals, in minor units of ISO 4217; undefined where it is no whole
 * number of them.
 */
export function inMinorUnits(amount: number, currency: string, decimals: number): number | undefined {
  const more = exponentOf(currency) - decimals;
  const converted = more >= 0 ? amount * 10 ** more : amount / 10 ** -more;
  return Number.isSafeInteger(converted) ? converted : undefined;
}
