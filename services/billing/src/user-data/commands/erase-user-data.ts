import { changed, unchanged } from '@storefront/contracts';
import type { Store } from '../../store/collections.ts';
import type { PersonalData } from '../store/personal-data.ts';

interface Needs extends Pick<Store, 'accounts'> {
  readonly personalData: PersonalData;
  readonly now: () => Date;
}

/**
 * Erases what the law does not want to be kept. An account with invoices or payments stays, and is shown to nobody from now on:
 * what is owed can still be paid.
 */
export async function eraseUserData({ accounts, personalData, now }: Needs, accountId: string): Promise<void> {
  await personalData.removeRefusedOrders(accountId);
  await personalData.emptyCallbacks(accountId);
  // First, so that nothing new is issued; what is issued meanwhile is kept with the account.
  await accounts.change(accountId, (current) =>
    current && current.erasedAt === null
      ? changed({ ...current, isOpen: false, erasedAt: now(), updatedAt: now() }, [], null)
      : unchanged(null),
  );
  if (!(await personalData.hasToBeKept(accountId))) await personalData.removeAccount(accountId);
}
