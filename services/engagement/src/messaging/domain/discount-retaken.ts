import type { engagementEvents } from '@storefront/contracts';
import type { z } from 'zod';
import { administrators, type NewNotification } from './notification.ts';
import { formatPrice } from './price.ts';

type Retaken = Pick<
  z.output<(typeof engagementEvents.discountRetaken)['data']>,
  'orderId' | 'currency' | 'discount' | 'shippingDiscount' | 'beyondLimits'
>;

/** For every administrator. It names no person. */
export function discountRetakenNotification(
  redemptionId: string,
  { orderId, currency, discount, shippingDiscount, beyondLimits }: Retaken,
): NewNotification {
  const amount = formatPrice({ amount: discount + shippingDiscount, currency });
  const names = beyondLimits.map(({ name }) => `“${name}”`).join(', ');
  const passed = names === '' ? 'No limit was passed.' : `A limit was passed of ${names}.`;
  return {
    audience: administrators,
    category: 'orders',
    type: 'discount-retaken',
    title: 'An order has discounts that were not held for it',
    body: `Order ${orderId} was placed with ${amount} off that had been given back or used before. It counts again. ${passed}`,
    data: { redemptionId, orderRef: orderId, campaignIds: beyondLimits.map(({ campaignId }) => campaignId) },
  };
}
