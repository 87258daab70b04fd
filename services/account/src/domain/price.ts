import type { http } from '@storefront/contracts';

/** Whose prices somebody sees. */
export type Tier = 'retail' | 'trade';

export interface Prices {
  readonly price: http.Money;
  readonly tradePrice: http.Money | null;
}

/** Administrators see what everybody sees. */
export function tierOf(role: string): Tier {
  return role === 'trade' ? 'trade' : 'retail';
}

export function priceFor(tier: Tier, { price, tradePrice }: Prices): http.Money {
  return tier === 'trade' && tradePrice !== null ? tradePrice : price;
}

// ISO 4217; every currency that is not named here has two digits.
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

/** An amount as people say it: 1999 euro cents are 19.99, 1999 yen are 1999. */
export function inMajorUnits({ amount, currency }: http.Money): number {
  return amount / 10 ** (exponents.get(currency) ?? 2);
}

/** Prices in two currencies are not compared. */
export function isDrop(was: http.Money, now: http.Money): boolean {
  return was.currency === now.currency && now.amount < was.amount;
}
