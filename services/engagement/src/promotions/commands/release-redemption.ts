import type { Actor } from '@storefront/contracts';
import type { Redemption } from '../domain/redemptions/redemption.ts';
import type { Releaser } from '../domain/redemptions/steps.ts';
import type { Redemptions } from '../store/redemptions.ts';
import { performStep, type PerformingNeeds, type PerformStep } from './perform-step.ts';

/**
 * Gives everything back; one that was given back stays so. For an owner it throws `redemption_not_held` where it is confirmed, and
 * `not_found` where the owner has none with that id.
 */
export async function releaseRedemption(needs: PerformingNeeds, id: string, by: Releaser): Promise<Redemption> {
  return (await performStep(needs, { kind: 'release', id, by })).redemption;
}

const atMost = 1000;

/**
 * An administrator gives back what is held or confirmed for a user, 1,000 redemptions at most. Those with which an order was placed
 * stay. Returns how many were given back, and whether there are more.
 */
export async function releaseRedemptionsOfUser(
  {
    redemptions,
    perform,
  }: { readonly redemptions: Pick<Redemptions, 'openWithoutOrder'>; readonly perform: PerformStep },
  userId: string,
  admin: Actor,
): Promise<{ readonly released: number; readonly hasMore: boolean }> {
  const ids = await redemptions.openWithoutOrder(userId, atMost + 1);
  const results = await Promise.all(
    ids.slice(0, atMost).map((id) => perform({ kind: 'release', id, by: { admin, sparingPlaced: true } })),
  );
  return { released: results.filter(({ kind }) => kind === 'changed').length, hasMore: ids.length > atMost };
}
