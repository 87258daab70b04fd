import { accountEvents, fact, type Fact, type http } from '@storefront/contracts';
import { isDrop, priceFor, type Prices, type Tier } from './price.ts';

/** A change of a product that raises alerts for the users of one tier. */
export interface AlertCause {
  readonly kind: 'price-drop' | 'back-in-stock';
  readonly tier: Tier;
  /** The price before; null where the price is not what changed. */
  readonly was: http.Money | null;
  readonly now: http.Money;
}

/** The alerts for one version of a product that are being raised. */
export interface DueAlerts {
  readonly sequence: number;
  readonly at: Date;
  readonly productName: string;
  readonly changes: readonly AlertCause[];
  /** They are raised in the order of the users' ids; they are done up to this one. */
  readonly toldUpTo: string | null;
}

type Offer = Prices & { readonly available: boolean };

/** The changes between two states of a product that raise alerts; null where there are none. */
export function changesOf(before: Offer, after: Offer): readonly AlertCause[] | null {
  // The price of a product that can't be bought does not matter.
  if (!after.available) return null;
  const changes = (['retail', 'trade'] as const).flatMap((tier): AlertCause[] => {
    const was = priceFor(tier, before);
    const now = priceFor(tier, after);
    return [
      ...(isDrop(was, now) ? [{ kind: 'price-drop', tier, was, now } as const] : []),
      ...(before.available ? [] : [{ kind: 'back-in-stock', tier, was: null, now } as const]),
    ];
  });
  return changes.length > 0 ? changes : null;
}

/** One alert for one user. Raised again it has the same id. */
export interface Alert {
  /** User, product, version of the product and kind. */
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

/** The alerts for one user: in the prices that this user sees, and none for changes before the product was on the list. */
export function alertsFor({ userId, tier, wishedAt }: WishlistHolder, productId: string, due: DueAlerts): Alert[] {
  if (wishedAt > due.at) return [];
  return due.changes
    .filter((change) => change.tier === tier)
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
