import type { Store } from '../../store/collections.ts';

/** The credit of the user's account, as an export shows it. Amounts are in minor units. */
export async function* collectAccount(
  { accounts }: Pick<Store, 'accounts'>,
  accountId: string,
): AsyncGenerator<object, void> {
  const account = await accounts.load(accountId);
  if (!account) return;
  const { buyer, limit, termsDays, hold, outstanding, unused } = account.state;
  yield { credit: { business: buyer, limit, termsDays, hold, outstanding, unused } };
}
