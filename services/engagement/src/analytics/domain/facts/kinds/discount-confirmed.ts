import { engagementEvents } from '@storefront/contracts';
import { z } from 'zod';
import { toldBy, type FactKind } from '../kind.ts';
import { aboutRedemption, countAmounts, redemptionData } from '../redemption.ts';

const confirmedData = redemptionData.extend({
  /** How much less there is than was held, where the order states less. */
  withdrawn: redemptionData.omit({ currency: true }).optional(),
});

/** Discounts that were held are taken for good. They counted when they were held: what the order does not bear out is taken off. */
export const discountConfirmed: FactKind<'discount-confirmed', z.infer<typeof confirmedData>> = {
  name: 'discount-confirmed',
  data: confirmedData,
  tellers: [
    toldBy(engagementEvents.discountConfirmed, ({ time, data }) => {
      const { withdrawn } = data;
      const stated = aboutRedemption(time, data);
      return withdrawn === undefined ? stated : { ...stated, data: { ...stated.data, withdrawn } };
    }),
  ],
  countsOf: ({ data: { currency, withdrawn } }) =>
    withdrawn === undefined ? [] : countAmounts({ currency, ...withdrawn }, -1),
  setsOf: () => [],
};
