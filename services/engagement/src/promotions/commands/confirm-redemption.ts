import type { Redemption } from '../domain/redemptions/redemption.ts';
import { performStep, type PerformingNeeds } from './perform-step.ts';

/** Takes what is held for good; one that is confirmed stays so. Throws `redemption_released`, and `not_found` where there is none. */
export async function confirmRedemption(needs: PerformingNeeds, id: string): Promise<Redemption> {
  return (await performStep(needs, { kind: 'confirm', id })).redemption;
}
