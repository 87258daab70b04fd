import { createHmac } from 'node:crypto';
import { ordersErrors } from '@storefront/contracts';
import { networkOf } from '@storefront/http';
import { defineBudgets, openBudgets, type Database } from '@storefront/mongo';

export const cartBudgets = defineBudgets('cart_budgets');

/** Limits how many carts one client may make on a day (UTC). */
export interface CartBudgets {
  /**
   * Counts one cart: for the user, or for the network of a guest. Throws `too_many_carts` beyond the limit.
   */
  spend(by: { readonly userId: string | null; readonly ip: string }): Promise<void>;
}

const dayMs = 24 * 60 * 60 * 1000;
const mostOfUser = 200;

/** Users and networks are stored as hashes keyed by `secret`. A network of guests may make `mostOfNetwork` carts. */
export function openCartBudgets(
  { database, now }: { database: Database; now: () => Date },
  { secret, mostOfNetwork }: { readonly secret: string; readonly mostOfNetwork: number },
): CartBudgets {
  const idOf = (name: string) => createHmac('sha256', secret).update(`carts\0${name}`).digest('base64url');
  const budgets = openBudgets(database, cartBudgets, { windowMs: dayMs, idOf });
  return {
    async spend({ userId, ip }) {
      const [name, most] = userId === null ? [networkOf(ip), mostOfNetwork] : [userId, mostOfUser];
      const { count, secondsLeft } = await budgets.spend(name, now());
      if (count > most) throw ordersErrors.tooManyCarts().with({ retryAfterSeconds: secondsLeft });
    },
  };
}
