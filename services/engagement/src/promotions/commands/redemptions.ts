import { engagementErrors, notFound, Refusal, type Actor, type engagementHttp } from '@storefront/contracts';
import { cartHashOf, type Buyer, type Cart } from '../domain/evaluation/cart.ts';
import { guest, openForOf, type Redemption } from '../domain/redemptions/redemption.ts';
import { faultsOfShopper } from '../domain/redemptions/shopper-holds.ts';
import type { Step } from '../domain/redemptions/steps.ts';
import type { Redemptions } from '../store/redemptions.ts';
import { lookUpCodes, priceCart, type CartNeeds } from './evaluate-cart.ts';
import type { StepResult } from './work-off-steps.ts';

/** Performs a step, in one transaction with other steps of the same moment. */
export type PerformStep = (step: Step) => Promise<StepResult>;

interface PerformingNeeds {
  readonly redemptions: Pick<Redemptions, 'load'>;
  readonly perform: PerformStep;
}

/** A redemption after a step. `isNew` is true where the step created the redemption. */
interface Performed {
  readonly redemption: Redemption;
  readonly isNew: boolean;
}

/**
 * Performs a step about one redemption and returns the redemption after the step. Throws the refusal where the step was
 * refused.
 */
export async function performStep({ redemptions, perform }: PerformingNeeds, step: Step): Promise<Performed> {
  const result = await perform(step);
  if (result.kind === 'refused') throw result.refusal;
  if (result.kind === 'changed') return result;
  const redemption = result.kind === 'unchanged' ? await redemptions.load(result.id) : null;
  if (!redemption) throw notFound('redemption');
  return { redemption, isNew: false };
}

export interface RedeemNeeds extends CartNeeds, PerformingNeeds {
  readonly redemptions: Pick<Redemptions, 'load' | 'findOpen'>;
  /** The most that shipping may cost in a shopper's cart, in minor units of the cart's currency. */
  readonly mostShipping: number;
}

/**
 * Evaluates the cart and redeems all discounts that apply, or none. For a shopper the discounts are only held. A second
 * call with the same order and cart, or with the same id, returns the existing redemption. Throws
 * `order_already_redeemed`, `discount_changed`, `no_discount_applies`, `too_many_redemptions`, `too_many_open_holds`,
 * `held_too_long` and `too_many_unknown_codes`.
 */
export async function redeemCart(
  needs: RedeemNeeds,
  { id, buyer, ip }: { readonly id: string; readonly buyer: Buyer; readonly ip: string | null },
  request: engagementHttp.CartToRedeem,
): Promise<Performed> {
  const owner = buyer.userId ?? guest;
  const { orderRef, codes, hold, expectedDiscount } = request;
  const cartHash = cartHashOf(request, request.currency ?? needs.currency);
  let cart: Cart;
  try {
    const findFaults: Parameters<typeof priceCart>[3] = (products) =>
      buyer.isStaff ? [] : faultsOfShopper(request, products, needs.mostShipping);
    [cart] = await Promise.all([priceCart(needs, buyer, request, findFaults), lookUpCodes(needs, buyer, ip, codes)]);
  } catch (error) {
    // Products or prices may have changed since the order was redeemed. The existing redemption is returned anyway.
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
    segment: buyer.segment,
    cart,
    codes,
    cartHash,
    holdMs: hold ? hold.seconds * 1000 : null,
    expectedDiscount: expectedDiscount?.amount ?? null,
    isByAdmin: buyer.isStaff,
  });
}

const releasedAtMost = 1000;

/**
 * Gives back, for staff, the held and confirmed redemptions of a user, at most 1,000. Redemptions with which
 * an order was placed do not change. Returns how many were given back, and whether there are more.
 */
export async function releaseRedemptionsOfUser(
  {
    redemptions,
    perform,
  }: { readonly redemptions: Pick<Redemptions, 'openWithoutOrder'>; readonly perform: PerformStep },
  userId: string,
  admin: Actor,
): Promise<{ readonly released: number; readonly hasMore: boolean }> {
  const ids = await redemptions.openWithoutOrder(userId, releasedAtMost + 1);
  const results = await Promise.all(
    ids.slice(0, releasedAtMost).map((id) => perform({ kind: 'release', id, by: { admin, sparingPlaced: true } })),
  );
  return { released: results.filter(({ kind }) => kind === 'changed').length, hasMore: ids.length > releasedAtMost };
}
