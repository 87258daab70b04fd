import type { Redemption } from '../domain/redemption.ts';
import { performStep } from './perform-step.ts';
import type { PerformingNeeds } from './perform-step.ts';

/**
 * Takes what is held for good; one that is confirmed stays so. `owner` is null for an administrator. Throws `redemption_released`, and
 * `not_found` where the owner has none with that id.
 */
export async function confirmRedemption(needs: PerformingNeeds, id: string, owner: string | null): Promise<Redemption> {
  return (await performStep(needs, { kind: 'confirm', id, owner })).redemption;
}
