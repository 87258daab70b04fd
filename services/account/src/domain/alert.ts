import { accountEvents, fact, http, type Fact, type StateOf } from '@storefront/contracts';
import { z } from 'zod';
import { isDrop, priceFor, tier, type Prices, type Tier } from './price.ts';

/** A change of a product that raises alerts for the users of one tier. */
const alertCause = z.object({
  kind: z.enum(['price-drop', 'back-in-stock']),
  tier,
  /** The price before the drop; null for `back-in-stock`. */
  was: http.money.nullable(),
  now: http.money,
});
export type AlertCause = StateOf<typeof alertCause>;

/** The alerts for one version of a product, while they are being raised. */
export const dueAlerts = z.object({
  sequence: z.int(),
  at: z.date(),
  productName: z.string(),
  changes: z.array(alertCause),
  /**
   * Alerts are raised in the order of the users' ids. Up to this id they have been raised; null where none has been.
   */
  toldUpTo: z.string().nullable(),
});
export type DueAlerts = StateOf<typeof dueAlerts>;

/** A record that an alert was raised, so that the same alert is not raised twice. */
export const raisedAlert = z.object({ id: z.string(), raisedAt: z.date() });
export type RaisedAlert = StateOf<typeof raisedAlert>;

interface Offer extends Prices {
  readonly available: boolean;
  readonly listed: boolean;
  readonly counted: number;
}

/** The changes from one state of a product to the next that raise alerts; null where no change raises one. */
export function changesOf(before: Offer, after: Offer): readonly AlertCause[] | null {
  // The price of a product that can't be bought does not matter to users, so it raises no alert.
  if (!after.available) return null;
  const changes = tier.options.flatMap((each): AlertCause[] => {
    const was = priceFor(each, before);
    const now = priceFor(each, after);
    return [
      ...(isDrop(was, now) ? [{ kind: 'price-drop', tier: each, was, now } as const] : []),
      ...(isBack(before, after) ? [{ kind: 'back-in-stock', tier: each, was: null, now } as const] : []),
    ];
  });
  return changes.length > 0 ? changes : null;
}

/**
 * Whether a product can be bought again because some arrived, or because it is shown again. Pieces that an order has given back
 * were never gone: nobody is notified of one that is in another cart a minute later.
 */
function isBack(before: Offer, after: Offer): boolean {
  return !before.available && after.available && (!before.listed || after.counted > before.counted);
}

/** One alert for one user. If the same alert is raised again, it has the same id. */
export interface Alert {
  /** Made of user, product, version of the product and kind of change. */
  readonly id: string;
  /** The product's version. */
  readonly sequence: number;
  readonly fact: Fact;
}

/** A user who has the product on the wishlist. */
export interface WishlistHolder {
  readonly userId: string;
  readonly tier: Tier;
  readonly wishedAt: Date;
}

/**
 * The alerts for one user, in the prices of this user's tier. Changes before the product was put on the wishlist raise
 * none.
 */
export function alertsFor(
  { userId, tier: seen, wishedAt }: WishlistHolder,
  productId: string,
  due: DueAlerts,
): Alert[] {
  if (wishedAt > due.at) return [];
  return due.changes
    .filter((change) => change.tier === seen)
    .map((change) => ({
      id: `${userId}/${productId}/${due.sequence}/${change.kind}`,
      sequence: due.sequence,
      fact: fact(accountEvents.wishlistAlertRaised, userId, {
        userId,
        productId,
        productName: due.productName,
        ...change,
      }),
    }));
}
