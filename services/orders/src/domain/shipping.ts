import type { StateOf } from '@storefront/contracts';
import { z } from 'zod';
import { tier, type Tier } from './tier.ts';

/** A way to ship an order. */
export const shippingOption = z.object({
  id: z.string(),
  name: z.string(),
  /** Where it delivers to (ISO 3166-1 alpha-2); null for everywhere. */
  countries: z.array(z.string()).nullable(),
  /** In minor units, as `freeFrom`. With tax for retail, without it for trade. */
  price: z.int(),
  /** What a cart has to cost before discounts to be shipped for nothing; null where none is. */
  freeFrom: z.int().nullable(),
  currency: z.string(),
  /** Who may choose it. */
  tiers: z.array(tier),
  deliveryDays: z.object({ min: z.int(), max: z.int() }).nullable(),
  active: z.boolean(),
});
export type ShippingOption = StateOf<typeof shippingOption>;

/** What is shipped. */
export interface Parcel {
  readonly country: string;
  /** What the lines cost before discounts, in minor units. */
  readonly subtotal: number;
  readonly currency: string;
  readonly tier: Tier;
}

/** What shipping costs, before discounts; or why it is not possible, as the error `shipping_not_possible` says it. */
export type ShippingPrice =
  | { readonly price: number }
  | {
      readonly notPossible:
        | 'it is not offered any more'
        | 'it does not go to that country'
        | 'it is not for consumers'
        | 'it is not for trade accounts';
    };

/** What shipping by this option costs. One that is undefined does not exist any more. */
export function shippingPriceOf(
  option: ShippingOption | undefined,
  { country, subtotal, currency, tier: of }: Parcel,
): ShippingPrice {
  if (!option?.active || option.currency !== currency) return { notPossible: 'it is not offered any more' };
  if (!option.tiers.includes(of))
    return { notPossible: of === 'trade' ? 'it is not for trade accounts' : 'it is not for consumers' };
  if (option.countries?.includes(country) === false) return { notPossible: 'it does not go to that country' };
  return { price: option.freeFrom !== null && subtotal >= option.freeFrom ? 0 : option.price };
}
