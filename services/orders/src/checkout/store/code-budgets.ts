import { createHmac } from 'node:crypto';
import { ordersErrors } from '@storefront/contracts';
import { defineBudgets, openBudgets, type Database } from '@storefront/mongo';

export const codeBudgets = defineBudgets('order_code_budgets');

/** Limits how many orders with codes one client sends: a refusal tells whether a code exists. */
export interface CodeBudgets {
  /** Counts one order: for the user, or for the network of a guest. Throws `too_many_orders_with_codes` beyond the limit. */
  spend(by: { readonly userId: string | null; readonly network: string }): Promise<void>;
}

const windowMs = 15 * 60 * 1000;
const most = { user: 20, network: 60 };

/** Users and networks are stored as hashes keyed by `secret`. */
export function openCodeBudgets(
  { database, now }: { readonly database: Database; readonly now: () => Date },
  secret: string,
): CodeBudgets {
  const idOf = (name: string) => createHmac('sha256', secret).update(`codes\0${name}`).digest('base64url');
  const budgets = openBudgets(database, codeBudgets, { windowMs, idOf });
  return {
    async spend({ userId, network }) {
      const { count, secondsLeft } = await budgets.spend(userId ?? network, now());
      if (count > (userId === null ? most.network : most.user))
        throw ordersErrors.tooManyOrdersWithCodes().with({ retryAfterSeconds: secondsLeft });
    },
  };
}
