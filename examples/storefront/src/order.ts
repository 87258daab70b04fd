import { setTimeout as wait } from 'node:timers/promises';
import type { Order } from '@storefront/client';
import type { Ctx } from './context.ts';

/** How long a page waits for what a payment or the other services bring about, before it is shown as it is. */
const patience = { tries: 10, everyMs: 300 };

/** Names the order to the API: as the account's, or by the secret that a guest has. */
export function orderInput(c: Ctx, id: string) {
  const secret = c.var.session.orderSecret(id);
  return { params: { id }, ...(secret && { headers: { 'order-secret': secret } }) };
}

/** The order; undefined where this shopper may not see it. Looks again for a moment while `waits` says so. */
export async function readOrder(
  c: Ctx,
  id: string,
  waits: (order: Order) => boolean = () => false,
): Promise<Order | undefined> {
  for (let tries = 1; ; tries += 1) {
    const found = await c.var.api.try.orders.getOrder(orderInput(c, id));
    if (!found.ok) {
      if (found.error.code === 'not_found') return undefined;
      throw found.error;
    }
    if (tries >= patience.tries || !waits(found.data)) return found.data;
    await wait(patience.everyMs);
  }
}
