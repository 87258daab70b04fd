import { notFound, type Actor } from '@storefront/contracts';
import type { Account } from '../../domain/account.ts';
import type { Store } from '../../store/collections.ts';
import { eraseAccount as erased, setCredit as withCredit, type CreditTerms } from '../domain/change-account.ts';

interface Needs extends Pick<Store, 'accounts'> {
  readonly now: () => Date;
}

/**
 * Sets the credit limit, the days to pay and the hold of an account. `expect` gets the account's version and throws if
 * the client has seen another one. Throws `not_found` if there is no account.
 */
export async function setCredit(
  { accounts, shop, now }: Needs & { readonly shop: { readonly currency: string } },
  admin: Actor,
  { accountId, terms, expect }: { accountId: string; terms: CreditTerms; expect: (version: number) => void },
): Promise<{ readonly account: Account; readonly version: number }> {
  const { result, version } = await accounts.change(accountId, (current, at) => {
    if (!current || current.erasedAt !== null) throw notFound('trade account');
    expect(at);
    return withCredit(current, terms, { admin, currency: shop.currency, now: now() });
  });
  return { account: result, version };
}

/**
 * Erases an account, except what the law requires to be kept. An account with an entry in its journal, with a payment
 * or with a reserved order stays stored, because its invoices can still be paid. It is no longer shown to anybody.
 */
export async function eraseAccount(
  { accounts, payments, now }: Needs & Pick<Store, 'payments'>,
  accountId: string,
): Promise<void> {
  // The account is marked first, so that no new invoice is issued. An invoice issued just before adds a journal entry,
  // so the account is kept.
  await accounts.change(accountId, (current) => erased(current, now()));
  const account = await accounts.load(accountId);
  const { entries = 0, reserved = 0 } = account?.state ?? {};
  const isKept = entries > 0 || reserved > 0 || (await payments.count({ accountId }, { limit: 1 })) > 0;
  if (!isKept) await accounts.eraseMany({ _id: accountId, entries: 0, reserved: 0 });
}
