import { http, type StateOf } from '@storefront/contracts';
import { z } from 'zod';

/** The prices that a user sees. */
export const tier = z.enum(['retail', 'trade']);
export type Tier = z.infer<typeof tier>;

export const prices = z.object({ price: http.money, tradePrice: http.money.nullable() });
export type Prices = StateOf<typeof prices>;

/** Administrators see the retail prices. */
export function tierOf(role: string): Tier {
  return role === 'trade' ? 'trade' : 'retail';
}

export function priceFor(of: Tier, { price, tradePrice }: Prices): http.Money {
  return of === 'trade' && tradePrice !== null ? tradePrice : price;
}

/** Prices in two currencies are not compared. */
export function isDrop(was: http.Money, now: http.Money): boolean {
  return was.currency === now.currency && now.amount < was.amount;
}
