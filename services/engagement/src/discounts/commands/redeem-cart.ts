import type { engagementHttp } from '@storefront/contracts';
import type { Asker } from '../domain/asker.ts';
import { cartHashOf } from '../domain/cart-hash.ts';
import { guest } from '../domain/redemption.ts';
import type { Redemption } from '../domain/redemption.ts';
import { lookUpCodes } from './look-up-codes.ts';
import type { CodeNeeds } from './look-up-codes.ts';
import { performStep } from './perform-step.ts';
import type { PerformingNeeds } from './perform-step.ts';
import { priceCart } from './price-cart.ts';
import type { PricingNeeds } from './price-cart.ts';

interface Needs extends CodeNeeds, PricingNeeds, PerformingNeeds {}

/**
 * Evaluates the cart and takes what applies, all of it or nothing. The same order and cart again get the redemption that is there;
 * so does the same attempt, by its id. Throws `order_already_redeemed`, `discount_changed`, `no_discount_applies`,
 * `too_many_redemptions` and `too_many_unknown_codes`.
 */
export async function redeemCart(
  needs: Needs,
  { id, asker, ip }: { readonly id: string; readonly asker: Asker; readonly ip: string | null },
  asked: engagementHttp.CartToRedeem,
): Promise<{ readonly redemption: Redemption; readonly isNew: boolean }> {
  const [cart] = await Promise.all([priceCart(needs, asker, asked), lookUpCodes(needs, asker, ip, asked.codes)]);
  return performStep(needs, {
    kind: 'redeem',
    id,
    owner: asker.userId ?? guest,
    orderRef: asked.orderRef,
    segment: asker.segment,
    cart,
    codes: asked.codes,
    cartHash: cartHashOf(asked, cart.currency),
    holdMs: asked.hold ? asked.hold.seconds * 1000 : null,
    expectedDiscount: asked.expectedDiscount ?? null,
    isByAdmin: asker.isAdmin,
  });
}
