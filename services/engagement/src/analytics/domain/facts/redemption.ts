import type { engagementEvents, EventOf } from '@storefront/contracts';
import { z } from 'zod';
import type { Count } from './count.ts';
import type { StatedFact } from './fact.ts';

/** What facts about a redemption keep of it. Amounts are in minor units of `currency`. */
export const redemptionData = z.object({
  currency: z.string(),
  /** What the order comes to after its discounts. */
  total: z.int(),
  campaigns: z.array(z.object({ campaignId: z.string(), amount: z.int() })),
});
export type RedemptionData = z.infer<typeof redemptionData>;

type Told = Pick<
  EventOf<typeof engagementEvents.discountRedeemed>['data'],
  'userId' | 'segment' | 'currency' | 'total' | 'campaigns'
>;

/** A fact about a redemption. */
export function aboutRedemption(
  time: string,
  { userId, segment, currency, total, campaigns }: Told,
): StatedFact<RedemptionData> {
  return {
    at: new Date(time),
    segment,
    by: userId === null ? null : { userId },
    data: { currency, total, campaigns: campaigns.map(({ campaignId, amount }) => ({ campaignId, amount })) },
  };
}

/** Counts a redemption, or takes it off again, for each of its campaigns, and once for all of them together. */
export function countRedemption(data: RedemptionData, times: 1 | -1): readonly Count[] {
  return countAmounts(data, times).map((count) => ({ ...count, measures: { redemptions: times, ...count.measures } }));
}

/** Counts the amounts alone. */
export function countAmounts({ currency, total, campaigns }: RedemptionData, times: 1 | -1): readonly Count[] {
  const count = (of: string, discount: number): Count => ({
    family: 'campaigns',
    of,
    measures: { discount: times * discount, orderValue: times * total },
  });
  const discount = campaigns.reduce((sum, { amount }) => sum + amount, 0);
  return [
    count(currency, discount),
    ...campaigns.map(({ campaignId, amount }) => count(`${campaignId} ${currency}`, amount)),
  ];
}
