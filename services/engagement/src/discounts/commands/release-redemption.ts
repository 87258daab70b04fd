import type { Redemption } from '../domain/redemption.ts';
import { performStep } from './perform-step.ts';
import type { PerformingNeeds } from './perform-step.ts';

/**
 * Gives everything back; one that was given back stays so. `owner` is null for an administrator, for all others it throws
 * `order_placed` once the order is placed. Throws `not_found` where the owner has none with that id.
 */
export async function releaseRedemption(needs: PerformingNeeds, id: string, owner: string | null): Promise<Redemption> {
  return (await performStep(needs, { kind: 'release', id, owner })).redemption;
}
