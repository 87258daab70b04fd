import { http, type StateOf } from '@storefront/contracts';
import { z } from 'zod';

/** The tier of a user decides which prices the user sees. */
export const tier = z.enum(['retail', 'trade']);
export type Tier = z.infer<typeof tier>;

export const prices = z.object({ price: http.money, tradePrice: http.money.nullable() });
export type Prices = StateOf<typeof prices>;

/** The tier of a role. Staff see the retail prices. */
export function tierOf(role: string): Tier {
  return role === 'trade' ? 'trade' : 'retail';
}

export function priceFor(of: Tier, { price, tradePrice }: Prices): http.Money {
  return of === 'trade' && tradePrice !== null ? tradePrice : price;
}

/** Whether the price has dropped. Prices in two currencies can't be compared, so they are no drop. */
export function isDrop(was: http.Money, now: http.Money): boolean {
  return was.currency === now.currency && now.amount < was.amount;
}
