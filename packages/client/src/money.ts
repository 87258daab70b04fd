import type { Money } from './generated/schemas.ts';

// The currencies that do not have two decimals (ISO 4217). `Intl` has other numbers for some, those of cash.
const otherExponents: readonly [exponent: number, currencies: string][] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
];

/** How many decimals the amounts of a currency have. */
export function exponentOf(currency: string): number {
  return otherExponents.find(([, currencies]) => currencies.includes(currency))?.[0] ?? 2;
}

/** The amount in major units, exactly, as text: 1999 euro cents are `19.99`. */
export function toDecimal({ amount, currency }: Money): string {
  const exponent = exponentOf(currency);
  const digits = String(Math.abs(amount)).padStart(exponent + 1, '0');
  const point = digits.length - exponent;
  return `${amount < 0 ? '-' : ''}${digits.slice(0, point)}${exponent > 0 ? `.${digits.slice(point)}` : ''}`;
}

/** The amount as people of the locale write it, such as `19,99 €`. Options of `Intl.NumberFormat` may change its form. */
export function formatMoney(
  money: Money,
  locale?: string | readonly string[],
  options?: Intl.NumberFormatOptions,
): string {
  const { currency } = money;
  const fractionDigits = exponentOf(currency);
  const format = new Intl.NumberFormat(locale as string | string[] | undefined, {
    style: 'currency',
    currency,
    minimumFractionDigits: fractionDigits,
    maximumFractionDigits: fractionDigits,
    ...options,
  });
  // Text is formatted exactly; a number would be rounded to what a float can hold.
  return format.format(toDecimal(money) as Intl.StringNumericLiteral);
}
