import { exponentOf } from '@storefront/money';

// https://docs.stripe.com/currencies: all other currencies have two decimals, including ISK and UGX.
const otherDecimals = new Map<string, number>([
  ...'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0] as const),
  ...'BHD JOD KWD OMR TND'.split(' ').map((code) => [code, 3] as const),
]);

/** An amount of Stripe in minor units of ISO 4217. Undefined if that is not a whole number. */
export function fromStripe(amount: number, currency: string): number | undefined {
  return scaled(amount, exponentOf(currency) - decimalsOf(currency));
}

/** An amount in minor units of ISO 4217 in Stripe's units. Undefined if that is not a whole number. */
export function toStripe(amount: number, currency: string): number | undefined {
  return scaled(amount, decimalsOf(currency) - exponentOf(currency));
}

function decimalsOf(currency: string): number {
  return otherDecimals.get(currency) ?? 2;
}

function scaled(amount: number, decimals: number): number | undefined {
  const converted = decimals >= 0 ? amount * 10 ** decimals : amount / 10 ** -decimals;
  return Number.isSafeInteger(converted) ? converted : undefined;
}
