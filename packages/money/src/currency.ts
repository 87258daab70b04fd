/** An amount in minor units of an ISO 4217 currency: 1999 is 19.99 EUR. */
export interface Money {
  readonly amount: number;
  readonly currency: string;
}

// The currencies that do not have two decimals (ISO 4217).
const otherExponents: readonly [exponent: number, currencies: string][] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
];
const exponents = new Map(
  otherExponents.flatMap(([exponent, currencies]) =>
    currencies.split(' ').map((currency) => [currency, exponent] as const),
  ),
);

/** The number of decimals of a currency, by ISO 4217. */
export function exponentOf(currency: string): number {
  return exponents.get(currency) ?? 2;
}

/** An amount in major units: 1999 euro cents are 19.99, 1999 yen are 1999. */
export function inMajorUnits({ amount, currency }: Money): number {
  return amount / 10 ** exponentOf(currency);
}
