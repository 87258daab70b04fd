import { engagementErrors, engagementFields, type FieldError, type http } from '@storefront/contracts';
import { dayOf } from '../campaign-days.ts';
import { variantOf, type PricedProduct } from '../evaluation/cart.ts';
import { countedOn, type ShopperCount } from './counts.ts';

// Holds count against limits before anybody has ordered. So it is limited how much, how often and how long a shopper
// can hold discounts.

/** The most orders for which a shopper can hold discounts at once. */
const maxOpenHolds = 3;
/** For how many seconds a day a shopper can hold discounts in all. Holds that ended with an order do not count. */
export const maxHeldSecondsADay = 6 * 60 * 60;
/** The most redemptions that a shopper can make on a day. */
export const maxRedemptionsADay = 200;

const secondsADay = 24 * 60 * 60;

/**
 * Throws `too_many_redemptions`, `too_many_open_holds` or `held_too_long` where a shopper can't hold more discounts, or
 * not for this many seconds.
 */
export function assertMayHold(shopper: ShopperCount, seconds: number, now: Date): void {
  const { redemptions, heldSeconds } = countedOn(shopper, now);
  if (redemptions >= maxRedemptionsADay) throw engagementErrors.tooManyRedemptions();
  if (shopper.holds.length >= maxOpenHolds)
    throw engagementErrors.tooManyOpenHolds().with({ members: { redemptionIds: [...shopper.holds] } });
  if (heldSeconds + seconds > maxHeldSecondsADay) {
    const midnight = Date.parse(dayOf(now)) / 1000 + secondsADay;
    throw engagementErrors.heldTooLong().with({ retryAfterSeconds: Math.ceil(midnight - now.getTime() / 1000) });
  }
}

interface StatedCart {
  readonly hold?: object | undefined;
  readonly shipping?: http.Money | undefined;
  readonly lines: readonly {
    readonly productId: string;
    readonly variantId?: string | undefined;
    readonly quantity: number;
  }[];
}

/**
 * Returns the faults in a shopper's request: no hold, more units of a variant than are in stock, or shipping that costs
 * more than `mostShipping` minor units. Such a cart can't be ordered, but it would use up a campaign's budget.
 */
export function faultsOfShopper(
  { hold, shipping, lines }: StatedCart,
  products: ReadonlyMap<string, Pick<PricedProduct, 'variants'>>,
  mostShipping: number,
): FieldError[] {
  const faults: FieldError[] = [];
  if (hold === undefined) faults.push(engagementFields.holdRequired());
  if (shipping && shipping.amount > mostShipping) faults.push(engagementFields.tooMuchShipping(mostShipping));
  const wanted = new Map<string, number>();
  for (const [index, line] of lines.entries()) {
    const variant = variantOf(line, products.get(line.productId));
    // An unknown product or variant is refused elsewhere: see `pricedCart`.
    if (!variant) continue;
    const sum = (wanted.get(variant.id) ?? 0) + line.quantity;
    wanted.set(variant.id, sum);
    if (sum > variant.stock)
      faults.push(engagementFields.notEnoughStock(`/lines/${index}/quantity`, Math.max(0, variant.stock)));
  }
  return faults;
}
