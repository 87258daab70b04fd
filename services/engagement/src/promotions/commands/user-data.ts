import { allPages } from '@storefront/contracts';
import { anonymous } from '../domain/redemptions/redemption.ts';
import type { CampaignDays } from '../store/campaign-days.ts';
import type { LimitCounts } from '../store/limit-counts.ts';
import type { Redemptions } from '../store/redemptions.ts';
import type { PerformStep } from './redemptions.ts';

const readAtOnce = 200;

/** Yields, in parts, all data about a user who redeems discounts, for the export of personal data. */
export async function* collectRedemptions(
  {
    redemptions,
    limitCounts,
  }: { readonly redemptions: Pick<Redemptions, 'list'>; readonly limitCounts: Pick<LimitCounts, 'find'> },
  userId: string,
): AsyncGenerator<object, void> {
  const { shoppers } = await limitCounts.find({ codes: [], userIds: [userId] });
  const shopper = shoppers.get(userId);
  yield { shopper: shopper ? { ...shopper, uses: Object.fromEntries(shopper.uses) } : null };
  for await (const page of allPages((slice) => redemptions.list({ owner: userId }, slice), readAtOnce))
    yield {
      redemptions: page.map(({ owner: _owner, openFor: _openFor, cartHash: _hash, ...redemption }) => redemption),
    };
}

interface ErasureNeeds {
  readonly redemptions: Pick<Redemptions, 'ofOwner' | 'change'>;
  readonly limitCounts: Pick<LimitCounts, 'forget'>;
  readonly campaignDays: Pick<CampaignDays, 'forget'>;
  readonly perform: PerformStep;
  readonly now: () => Date;
}

const erasedAtOnce = 100;

/**
 * Erases the data about a user who redeems discounts. Held redemptions are given back. Confirmed ones stay without
 * owner and order, so that the usage of campaigns does not change. Call this once the user is among the erased users.
 */
export async function eraseRedemptions(
  { redemptions, limitCounts, campaignDays, perform, now }: ErasureNeeds,
  userId: string,
): Promise<void> {
  const eraseOne = async ({ id, status }: { readonly id: string; readonly status: string }) => {
    if (status === 'held') await perform({ kind: 'give-up', id });
    await redemptions.change(id, (current) => anonymous(current, now()));
  };
  await limitCounts.forget(userId, async () => {
    for (
      let found = await redemptions.ofOwner(userId, erasedAtOnce);
      found.length > 0;
      found = await redemptions.ofOwner(userId, erasedAtOnce)
    )
      await Promise.all(found.map(eraseOne));
    await campaignDays.forget(userId);
  });
}
