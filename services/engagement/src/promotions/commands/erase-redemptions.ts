import type { CampaignDays } from '../store/campaign-days.ts';
import { anonymous } from '../domain/redemptions/redemption.ts';
import type { LimitCounts } from '../store/limit-counts.ts';
import type { Redemptions } from '../store/redemptions.ts';
import type { PerformStep } from './perform-step.ts';

export interface RedemptionErasureNeeds {
  readonly redemptions: Pick<Redemptions, 'ofOwner' | 'change'>;
  readonly limitCounts: Pick<LimitCounts, 'forget'>;
  readonly campaignDays: Pick<CampaignDays, 'forget'>;
  readonly perform: PerformStep;
  readonly now: () => Date;
}

const atOnce = 100;

/**
 * Erases what is known of a user who redeems. What is held is given back; what is confirmed stays without owner and order, so that
 * the usage of campaigns is the sum as before. To be called once the user is among the erased ones.
 */
export async function eraseRedemptions(
  { redemptions, limitCounts, campaignDays, perform, now }: RedemptionErasureNeeds,
  userId: string,
): Promise<void> {
  const eraseOne = async ({ id, status }: { readonly id: string; readonly status: string }) => {
    if (status === 'held') await perform({ kind: 'give-up', id });
    await redemptions.change(id, (current) => anonymous(current, now()));
  };
  await limitCounts.forget(userId, async () => {
    for (
      let found = await redemptions.ofOwner(userId, atOnce);
      found.length > 0;
      found = await redemptions.ofOwner(userId, atOnce)
    )
      await Promise.all(found.map(eraseOne));
    await campaignDays.forget(userId);
  });
}
