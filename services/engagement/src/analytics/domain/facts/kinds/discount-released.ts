import { engagementEvents } from '@storefront/contracts';
import { toldBy, type FactKind } from '../kind.ts';
import { aboutRedemption, countRedemption, redemptionData, type RedemptionData } from '../redemption.ts';

/** The discounts of an order were given back: what was counted is taken off again, at the moment of the release. */
export const discountReleased: FactKind<'discount-released', RedemptionData> = {
  name: 'discount-released',
  data: redemptionData,
  tellers: [toldBy(engagementEvents.discountReleased, ({ time, data }) => aboutRedemption(time, data))],
  countsOf: ({ data }) => countRedemption(data, -1),
  setsOf: () => [],
};
