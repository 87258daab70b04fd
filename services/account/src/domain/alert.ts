import { accountEvents, fact } from '@storefront/contracts';
import type { Fact, http } from '@storefront/contracts';
import { isDrop, priceFor } from './price.ts';
import type { Prices, Tier } from './price.ts';

/** What those who wish for a product want to hear of, for each tier. */
export interface Change {
  readonly kind: 'price-drop' | 'back-in-stock';
  readonly tier: Tier;
  /** The price before; null where the price is not what changed. */
  readonly was: http.Money | null;
  readonly now: http.Money;
}

/** Alerts of one version of a product that are being raised. */
export interface DueAlerts {
  readonly sequence: number;
  readonly at: Date;
  readonly productName: string;
  readonly changes: readonly Change[];
  /** Users are told in the order of their ids: up to this one it is done. */
  readonly toldUpTo: string | null;
}

type Offer = Prices & { readonly available: boolean };

/** The changes between two states of a product, or null where nobody wants to hear of them. */
export function changesOf(before: Offer, after: Offer): readonly Change[] | null {
  // A lower price of what can't be bought is no news.
  if (!after.available) return null;
  const changes = (['retail', 'trade'] as const).flatMap((tier): Change[] => {
    const was = priceFor(tier, before);
    const now = priceFor(tier, after);
    return [
      ...(isDrop(was, now) ? [{ kind: 'price-drop', tier, was, now } as const] : []),
      ...(before.available ? [] : [{ kind: 'back-in-stock', tier, was: null, now } as const]),
    ];
  });
  return changes.length > 0 ? changes : null;
}

/** One alert for one user: as often as it is raised, it is the same one. */
export interface Alert {
  /** User, product, version of the product and kind. */
  readonly id: string;
  /** The product's version. */
  readonly sequence: number;
  readonly fact: Fact;
}

/** Somebody who wishes for the product. */
export interface Holder {
  readonly userId: string;
  readonly tier: Tier;
  readonly wishedAt: Date;
}

/** What one user hears: in the prices that this user sees, and nothing of before the product was wished for. */
export function alertsFor({ userId, tier, wishedAt }: Holder, productId: string, due: DueAlerts): Alert[] {
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
