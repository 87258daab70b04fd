import type { Store } from '../../store/collections.ts';

export type PersonalData = ReturnType<typeof openPersonalData>;

/** What of an account's data the law does not want to be kept. */
export function openPersonalData({
  accounts,
  refusedOrders,
  payments,
  callbacks,
}: Pick<Store, 'accounts' | 'refusedOrders' | 'payments' | 'callbacks'>) {
  return {
    /** Whether there is anything that has to be kept: an entry in its journal, or a payment for which money may still come. */
    async hasToBeKept(accountId: string): Promise<boolean> {
      const account = await accounts.load(accountId);
      return (account?.state.entries ?? 0) > 0 || (await payments.count({ accountId }, { limit: 1 })) > 0;
    },

    /** Removes an account without entries and payments. */
    removeAccount: (accountId: string): Promise<void> => accounts.eraseMany({ _id: accountId, entries: 0 }),

    removeRefusedOrders: (accountId: string): Promise<void> => refusedOrders.eraseMany({ accountId }),

    /** Empties the bodies of callbacks whose work is done: providers write names and addresses into them. */
    async emptyCallbacks(accountId: string): Promise<void> {
      const paymentIds = (await payments.find({ accountId }, { fields: ['status'] })).map(({ state }) => state.id);
      if (paymentIds.length === 0) return;
      await callbacks.collection.updateMany(
        { paymentId: { $in: paymentIds }, outcome: { $in: ['done', 'ignored', 'duplicate'] }, body: { $ne: null } },
        { $set: { body: null }, $inc: { version: 1 } },
      );
    },
  };
}
