import type { PlacedOrder } from '../domain/redemptions/redemption.ts';
import type { PerformStep } from './perform-step.ts';

/**
 * Confirms what is held for an order that is placed, takes again what the order names and was given back, and notes that the user has
 * ordered. Done again it changes nothing.
 */
export async function placeOrder(
  { perform }: { readonly perform: PerformStep },
  order: PlacedOrder & { readonly userId: string; readonly redemptionIds: readonly string[] },
): Promise<void> {
  const { redemptionIds, ...placed } = order;
  await perform({ kind: 'place-order', ...placed, ids: redemptionIds });
}
