import { engagementEvents } from '@storefront/contracts';
import { toldBy } from '../kind.ts';
import type { FactKind } from '../kind.ts';
import { aboutRedemption, redemptionData } from '../redemption.ts';
import type { RedemptionData } from '../redemption.ts';

/** Discounts that were held are taken for good. They counted when they were held. */
export const discountConfirmed: FactKind<'discount-confirmed', RedemptionData> = {
  name: 'discount-confirmed',
  data: redemptionData,
  tellers: [toldBy(engagementEvents.discountConfirmed, ({ time, data }) => aboutRedemption(time, data))],
  countsOf: () => [],
  setsOf: () => [],
};
