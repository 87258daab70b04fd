import { accountEvents, fact, http, type Fact, type StateOf } from '@storefront/contracts';
import { z } from 'zod';
import { isDrop, priceFor, tier, type Prices, type Tier } from './price.ts';

/** A change of a product or of one of its variants that raises alerts for the users of one tier. */
const alertCause = z.object({
  kind: z.enum(['price-drop', 'back-in-stock']),
  tier,
  /** Null for those who wish for the product without naming a variant. */
  variant: z.object({ id: z.string(), values: z.array(z.string()) }).nullable(),
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

type Offer = Prices & { readonly available: boolean; readonly counted: number };
type OfferOfVariant = Offer & NonNullable<AlertCause['variant']> & { readonly active: boolean };
type OfferOfProduct = Offer & { readonly listed: boolean; readonly variants: readonly OfferOfVariant[] };

/** The changes from one state of a product to the next that raise alerts; null where no change raises one. */
export function changesOf(before: OfferOfProduct, after: OfferOfProduct): readonly AlertCause[] | null {
  const ofVariants = after.variants.flatMap((variant) => {
    const former = before.variants.find(({ id }) => id === variant.id);
    const { id, values } = variant;
    return former
      ? changesOfOffer(former, variant, { variant: { id, values }, wasShown: before.listed && former.active })
      : [];
  });
  const changes = [...changesOfOffer(before, after, { variant: null, wasShown: before.listed }), ...ofVariants];
  return changes.length > 0 ? changes : null;
}

function changesOfOffer(
  before: Offer,
  after: Offer,
  { variant, wasShown }: { readonly variant: AlertCause['variant']; readonly wasShown: boolean },
): AlertCause[] {
  // The price of something that can't be bought does not matter to users, so it raises no alert.
  if (!after.available) return [];
  // Pieces that an order has given back were never gone: nobody is notified of one that is in another cart a minute later.
  const isBack = !before.available && (!wasShown || after.counted > before.counted);
  return tier.options.flatMap((each): AlertCause[] => {
    const was = priceFor(each, before);
    const now = priceFor(each, after);
    return [
      ...(isDrop(was, now) ? [{ kind: 'price-drop', tier: each, variant, was, now } as const] : []),
      ...(isBack ? [{ kind: 'back-in-stock', tier: each, variant, was: null, now } as const] : []),
    ];
  });
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
  /** The items of the product, the oldest first. The variant is undefined where an item stands for the product. */
  readonly wishes: readonly { readonly variantId?: string | undefined; readonly wishedAt: Date }[];
}

/**
 * The alerts for one user, in the prices of this user's tier. Changes before the product or variant was put on the
 * wishlist raise none. If a change is about several items of the user, the alert is about the oldest of them.
 */
export function alertsFor(
  { userId, tier: seen, wishes }: WishlistHolder,
  productId: string,
  { at, sequence, productName, changes }: DueAlerts,
): Alert[] {
  const alerts = new Map<string, Alert>();
  for (const { variantId, wishedAt } of wishes) {
    if (wishedAt > at) continue;
    for (const { variant, ...change } of changes) {
      const id = `${userId}/${productId}/${sequence}/${change.kind}`;
      if (change.tier !== seen || variant?.id !== variantId || alerts.has(id)) continue;
      const named = variant && { variantId: variant.id, values: [...variant.values] };
      const data = { userId, productId, productName, ...named, ...change };
      alerts.set(id, { id, sequence, fact: fact(accountEvents.wishlistAlertRaised, userId, data) });
    }
  }
  return [...alerts.values()];
}
