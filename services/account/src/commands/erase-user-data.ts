import type { OrderCounts } from '../store/order-counts.ts';
import type { Store } from '../store/collections.ts';

interface Needs extends Pick<Store, 'addressBooks' | 'wishlists' | 'customers' | 'alerts' | 'recipientAnswers'> {
  readonly orderCounts: OrderCounts;
}

/** Erases all data kept about the user. The caller must have marked the user as erased before. */
export async function eraseUserData(
  { addressBooks, wishlists, customers, alerts, recipientAnswers, orderCounts }: Needs,
  userId: string,
): Promise<void> {
  const keyed = { _id: { $gt: `${userId}/`, $lt: `${userId}0` } };
  // Waits for an order of the user that is being counted, so that the data it writes is erased, too.
  await orderCounts.forget(userId, async () => {
    await Promise.all([
      addressBooks.eraseMany({ _id: userId }),
      wishlists.eraseMany({ _id: userId }),
      customers.eraseMany({ owner: userId }),
      alerts.eraseMany(keyed),
      recipientAnswers.eraseMany(keyed),
    ]);
  });
}
