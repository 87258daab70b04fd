import { allPages } from '@storefront/contracts';
import type { Store } from '../../store/collections.ts';

const readAtOnce = 100;

/** All that is kept about the user, as an export shows it, in parts. Amounts are in minor units. */
export async function* collectUserData(
  { accounts, invoices, payments }: Pick<Store, 'accounts' | 'invoices' | 'payments'>,
  accountId: string,
): AsyncGenerator<object, void> {
  const account = await accounts.load(accountId);
  if (!account) return;
  const { buyer, limit, termsDays, hold, outstanding, unused } = account.state;
  yield { credit: { business: buyer, limit, termsDays, hold, outstanding, unused } };
  for await (const page of allPages(
    (slice) =>
      invoices.page({
        filter: { accountId },
        order: { issuedAt: -1, _id: -1 },
        slice,
        hint: 'newest',
        without: ['accountId', 'steps', 'nextStepAt'],
      }),
    readAtOnce,
  ))
    yield { invoices: page.map(({ state }) => state) };
  for await (const page of allPages(
    (slice) =>
      payments.page({
        filter: { accountId },
        order: { createdAt: -1, _id: -1 },
        slice,
        hint: 'newest',
        without: ['accountId', 'redirectUrl'],
      }),
    readAtOnce,
  ))
    yield { payments: page.map(({ state }) => state) };
}
