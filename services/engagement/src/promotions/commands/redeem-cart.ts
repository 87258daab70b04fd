import { engagementErrors, Refusal, type engagementHttp } from '@storefront/contracts';
import type { Asker } from '../domain/evaluation/asker.ts';
import type { Cart } from '../domain/evaluation/cart.ts';
import { cartHashOf } from '../domain/evaluation/cart-hash.ts';
import { guest, openForOf, type Redemption } from '../domain/redemptions/redemption.ts';
import { faultsOfShopper } from '../domain/redemptions/shopper-holds.ts';
import type { Redemptions } from '../store/redemptions.ts';
import { lookUpCodes, type CodeNeeds } from './look-up-codes.ts';
import { performStep, type PerformingNeeds } from './perform-step.ts';
import { priceCart, type PricingNeeds } from './price-cart.ts';

interface Needs extends CodeNeeds, PricingNeeds, PerformingNeeds {
  readonly redemptions: Pick<Redemptions, 'load' | 'findOpen'>;
  /** The most that shipping may cost in the cart of a shopper, in minor units of its currency. */
  readonly mostShipping: number;
}

/**
 * Evaluates the cart and takes what applies, all of it or nothing; a shopper only holds it. The same order and cart again get the
 * redemption that is there; so does the same attempt, by its id. Throws `order_already_redeemed`, `discount_changed`,
 * `no_discount_applies`, `too_many_redemptions`, `too_many_open_holds`, `held_too_long` and `too_many_unknown_codes`.
 */
export async function redeemCart(
  needs: Needs,
  { id, asker, ip }: { readonly id: string; readonly asker: Asker; readonly ip: string | null },
  asked: engagementHttp.CartToRedeem,
): Promise<{ readonly redemption: Redemption; readonly isNew: boolean }> {
  const owner = asker.userId ?? guest;
  const { orderRef, codes } = asked;
  const cartHash = cartHashOf(asked, asked.currency ?? needs.currency);
  let cart: Cart;
  try {
    const alsoWrong: Parameters<typeof priceCart>[3] = (products) =>
      asker.isAdmin ? [] : faultsOfShopper(asked, products, needs.mostShipping);
    [cart] = await Promise.all([priceCart(needs, asker, asked, alsoWrong), lookUpCodes(needs, asker, ip, codes)]);
  } catch (error) {
    // What is for sale may have changed since the order was redeemed: it is the same one all the same.
    const redeemed = error instanceof Refusal ? await needs.redemptions.findOpen(openForOf(owner, orderRef)) : null;
    if (!redeemed) throw error;
    if (redeemed.cartHash !== cartHash) throw engagementErrors.orderAlreadyRedeemed();
    return { redemption: redeemed, isNew: false };
  }
  return performStep(needs, {
    kind: 'redeem',
    id,
    owner,
    orderRef,
    segment: asker.segment,
    cart,
    codes,
    cartHash,
    holdMs: asked.hold ? asked.hold.seconds * 1000 : null,
    expectedDiscount: asked.expectedDiscount ?? null,
    isByAdmin: asker.isAdmin,
  });
}
