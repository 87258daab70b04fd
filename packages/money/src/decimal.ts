import { exponentOf, type Money } from './currency.ts';

/**
 * Converts an amount as people write it, such as `120.00` or `120`, into minor units of the currency. The digits are
 * read one by one, so nothing is rounded. Undefined if the text is not an amount, has more decimals than the currency,
 * or is not a safe integer in minor units.
 */
export function fromDecimal(text: string, currency: string): number | undefined {
  const exponent = exponentOf(currency);
  const [, whole, decimals = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined || decimals.length > exponent) return undefined;
  const amount = Number(`${whole}${decimals.padEnd(exponent, '0')}`);
  return Number.isSafeInteger(amount) ? amount : undefined;
}

/** An amount with all decimals of its currency: 12000 euro cents are `120.00`. Negative amounts begin with `-`. */
export function toDecimal({ amount, currency }: Money): string {
  const exponent = exponentOf(currency);
  const digits = String(Math.abs(amount)).padStart(exponent + 1, '0');
  const point = digits.length - exponent;
  const decimals = exponent === 0 ? '' : `.${digits.slice(point)}`;
  return `${amount < 0 ? '-' : ''}${digits.slice(0, point)}${decimals}`;
}
