import { Refusal, type ordersEvents } from '@storefront/contracts';
import type { z } from 'zod';
import type { Cart } from '../domain/evaluation/cart.ts';
import { guest } from '../domain/redemptions/redemption.ts';
import { priceCart, type CartNeeds } from './evaluate-cart.ts';
import type { PerformStep } from './redemptions.ts';

type Request = z.output<typeof ordersEvents.discountRequested.data>;

export interface HoldNeeds extends CartNeeds {
  readonly perform: PerformStep;
}

/**
 * Holds the discounts that apply to an order of the orders service, and answers it by an event. The orders service is
 * trusted: its prices and its shipping are taken as they are, and it may ask for any codes.
 */
export async function holdForOrder(
  needs: HoldNeeds,
  { id, orderId }: { readonly id: string; readonly orderId: string },
  request: Request,
): Promise<void> {
  const { userId, tier: segment } = request;
  const codes = [...new Set(request.codes.map((code) => code.trim().toUpperCase()))];
  const cart = await cartOf(needs, request);
  await needs.perform({ kind: 'hold-for-order', id, orderId, owner: userId ?? guest, segment, cart, codes });
}

/** Returns the cart with the categories of the catalog; null where it costs too much for exact calculation. */
async function cartOf(needs: HoldNeeds, { userId, tier, currency, lines, shipping }: Request): Promise<Cart | null> {
  const money = (amount: number) => ({ amount, currency });
  const stated = {
    currency,
    lines: lines.map((line) => ({ ...line, unitPrice: money(line.unitPrice) })),
    shipping: money(shipping),
  };
  try {
    return await priceCart(needs, { segment: tier, userId, isStaff: true }, stated);
  } catch (error) {
    // Of a cart whose prices are stated, nothing else is refused.
    if (error instanceof Refusal) return null;
    throw error;
  }
}
