import type { OrderCounts } from '../store/order-counts.ts';
import type { Store } from '../store/collections.ts';

interface Needs extends Pick<Store, 'addressBooks' | 'wishlists' | 'customers' | 'alerts'> {
  readonly orderCounts: OrderCounts;
}

/** Erases all that is kept about the user. The caller has marked the user as erased before. */
export async function eraseUserData(
  { addressBooks, wishlists, customers, alerts, orderCounts }: Needs,
  userId: string,
): Promise<void> {
  // An order of the user that is being counted is waited for: what it wrote is erased with the rest.
  await orderCounts.forget(userId, async () => {
    await Promise.all([
      addressBooks.eraseMany({ _id: userId }),
      wishlists.eraseMany({ _id: userId }),
      customers.eraseMany({ owner: userId }),
      alerts.eraseMany({ _id: { $gt: `${userId}/`, $lt: `${userId}0` } }),
    ]);
  });
}
