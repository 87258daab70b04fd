import { allPages } from '@storefront/contracts';
import type { LimitCounts } from '../store/limit-counts.ts';
import type { Redemptions } from '../store/redemptions.ts';

interface Needs {
  readonly redemptions: Pick<Redemptions, 'list'>;
  readonly limitCounts: Pick<LimitCounts, 'find'>;
}

const readAtOnce = 200;

/** What is kept about a user who redeems discounts, for the export, in parts. */
export async function* collectRedemptions(
  { redemptions, limitCounts }: Needs,
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
