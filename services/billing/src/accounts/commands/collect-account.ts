import type { Store } from '../../store/collections.ts';

/** Yields the credit of the user's account for the export of the user's data. Amounts are in minor units. */
export async function* collectAccount(
  { accounts }: Pick<Store, 'accounts'>,
  accountId: string,
): AsyncGenerator<object, void> {
  const account = await accounts.load(accountId);
  if (!account) return;
  const { buyer, limit, termsDays, hold, outstanding, unused } = account.state;
  yield { credit: { business: buyer, limit, termsDays, hold, outstanding, unused } };
}
