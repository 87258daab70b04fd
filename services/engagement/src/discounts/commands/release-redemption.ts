import type { Redemption } from '../domain/redemption.ts';
import type { Releaser } from '../domain/steps.ts';
import { performStep } from './perform-step.ts';
import type { PerformingNeeds } from './perform-step.ts';

/**
 * Gives everything back; one that was given back stays so. For an owner it throws `order_placed` once the order is placed, and
 * `not_found` where the owner has none with that id.
 */
export async function releaseRedemption(needs: PerformingNeeds, id: string, by: Releaser): Promise<Redemption> {
  return (await performStep(needs, { kind: 'release', id, by })).redemption;
}
