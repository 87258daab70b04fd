import type { PerformStep } from './perform-step.ts';

/**
 * Confirms what is held for an order that is placed, and notes that the user has ordered. What was given back before stays so. Done
 * again it changes nothing.
 */
export async function placeOrder(
  { perform }: { readonly perform: PerformStep },
  order: { readonly orderId: string; readonly userId: string; readonly redemptionIds: readonly string[] },
): Promise<void> {
  const { orderId, userId, redemptionIds } = order;
  await perform({ kind: 'place-order', orderId, userId, ids: redemptionIds });
}
