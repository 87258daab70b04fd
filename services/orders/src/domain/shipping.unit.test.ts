import { describe, expect, it } from 'vitest';
import { shippingPriceOf, type Parcel, type ShippingOption } from './shipping.ts';

const standard: ShippingOption = {
  id: 'shopt_1',
  name: 'Standard delivery',
  countries: ['DE', 'AT'],
  price: 495,
  freeFrom: 5000,
  currency: 'EUR',
  tiers: ['retail', 'trade'],
  deliveryDays: null,
  active: true,
};
const parcel: Parcel = { country: 'DE', subtotal: 4999, currency: 'EUR', tier: 'retail' };

describe('shipping', () => {
  it.each([
    ['costs its price', {}, {}, { price: 495 }],
    ['is free from its amount on', {}, { subtotal: 5000 }, { price: 0 }],
    ['is never free without one', { freeFrom: null }, { subtotal: 5_000_000 }, { price: 495 }],
    ['goes everywhere without a list of countries', { countries: null }, { country: 'NZ' }, { price: 495 }],
    ['does not go to other countries', {}, { country: 'NL' }, { notPossible: 'it does not go to that country' }],
    ['is not for everybody', { tiers: ['trade'] }, {}, { notPossible: 'it is not for consumers' }],
    ['may be for consumers', { tiers: ['retail'] }, { tier: 'trade' }, { notPossible: 'it is not for trade accounts' }],
    ['is not offered while it is inactive', { active: false }, {}, { notPossible: 'it is not offered any more' }],
    ['is not offered in another currency', { currency: 'CHF' }, {}, { notPossible: 'it is not offered any more' }],
  ] as const)('%s', (_what, option, shipped, answer) => {
    expect(shippingPriceOf({ ...standard, ...option }, { ...parcel, ...shipped })).toEqual(answer);
  });

  it('is not possible by an option that is deleted', () => {
    expect(shippingPriceOf(undefined, parcel)).toEqual({ notPossible: 'it is not offered any more' });
  });
});
