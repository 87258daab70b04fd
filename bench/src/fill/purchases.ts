import type { Purchase, Send } from '@storefront/checkout-client';
import type { StackProcess } from '../system/stack-process.ts';
import { addCampaigns, endCampaigns, fillDiscountShop, matching, others, type DiscountShop } from './discounts.ts';

export const linesOfOrder = 5;
export const campaignsOfOrder = 50;
const code = 'ORDERED';
// An order has five of them, so that orders of one moment seldom want the same.
const soldProducts = 100;

/** Fills a shop with products, a way of shipping them, campaigns of which half match the products, and a code. */
export async function fillOrderShop(stack: StackProcess): Promise<DiscountShop> {
  await endCampaigns(stack);
  const shop = await fillDiscountShop(stack);
  const half = campaignsOfOrder / 2;
  await addCampaigns(stack, [...matching(shop, half), ...others(shop, half - 1)]);
  await addCampaigns(stack, [{ discount: { type: 'percentage', percent: 5, target: 'order' } }], code);
  return shop;
}

/** What a guest buys. `variety` says of how many products all guests together buy. */
export function purchaseOf({ productIds }: DiscountShop, at: number, variety = soldProducts): Purchase {
  return {
    lines: Array.from({ length: linesOfOrder }, (_, line) => ({
      productId: productIds[(at * linesOfOrder + line) % variety] ?? '',
      quantity: 1,
    })),
    codes: [code],
    shippingAddress: {
      firstName: 'Gwen',
      lastName: `Guest ${at}`,
      homeAddress: '1 Example Street',
      city: 'Berlin',
      country: 'DE',
    },
  };
}

/** Sends the requests of a guest, each guest from another address: one address may have only so many unpaid orders. */
export function guestAt(gateway: string, at: number): Send {
  const address = `10.${(at >> 16) % 256}.${(at >> 8) % 256}.${at % 256}`;
  return async (method, path, body, headers = {}) => {
    const response = await fetch(new URL(path, gateway), {
      method,
      headers: { 'x-forwarded-for': address, ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  };
}
