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

/** Prices in two currencies are not compared. */
export function isDrop(was: http.Money, now: http.Money): boolean {
  return was.currency === now.currency && now.amount < was.amount;
}
