import { engagementEvents } from '@storefront/contracts';
import { active } from '../active.ts';
import type { PeopleSet } from '../count.ts';
import { toldBy, type FactKind } from '../kind.ts';
import { aboutRedemption, countRedemption, redemptionData, type RedemptionData } from '../redemption.ts';

/** The discounts of an order were taken, or taken again by an order that was placed with them. */
export const discountRedeemed: FactKind<'discount-redeemed', RedemptionData> = {
  name: 'discount-redeemed',
  data: redemptionData,
  tellers: [
    toldBy(engagementEvents.discountRedeemed, ({ time, data }) => aboutRedemption(time, data)),
    toldBy(engagementEvents.discountRetaken, ({ time, data }) => aboutRedemption(time, data)),
  ],
  countsOf: ({ data }) => countRedemption(data, 1),
  setsOf: (fact) => [
    ...active(fact),
    ...['', ...fact.data.campaigns.map(({ campaignId }) => campaignId)].map((of): PeopleSet => ({
      set: 'campaignCustomers',
      of,
    })),
  ],
};
