import { alertsFor, type DueAlerts } from '../domain/alert.ts';
import type { Store } from '../store/collections.ts';
import type { WishlistReads } from '../store/wishlists.ts';

export interface AlertNeeds {
  readonly alerts: Store['alerts'];
  readonly wishlistReads: WishlistReads;
  readonly now: () => Date;
}

const usersInBatch = 500;

/**
 * Raises the alerts for the next 500 users with the product on their wishlist. An alert that was raised before is not
 * raised again. Returns the id of the last of these users, or null where there are no more users.
 */
export async function raiseAlerts(
  { alerts, wishlistReads, now }: AlertNeeds,
  productId: string,
  due: DueAlerts,
): Promise<string | null> {
  const holders = await wishlistReads.holders(productId, due.toldUpTo, usersInBatch);
  const raisedAt = now();
  await alerts.insertNew(
    holders
      .flatMap((holder) => alertsFor(holder, productId, due))
      .map(({ id, sequence, fact }) => ({ state: { id, raisedAt }, facts: [fact], sequence })),
  );
  return holders.length < usersInBatch ? null : (holders.at(-1)?.userId ?? null);
}
