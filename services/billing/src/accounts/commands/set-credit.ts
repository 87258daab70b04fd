import { notFound, type Actor } from '@storefront/contracts';
import type { Store } from '../../store/collections.ts';
import { setCredit as decide, type CreditTerms } from '../domain/set-credit.ts';
import type { Account } from '../domain/account.ts';

interface Needs extends Pick<Store, 'accounts'> {
  readonly shop: { readonly currency: string };
  readonly now: () => Date;
}

/** Sets what an account may owe. `expect` throws where it is at another version. */
export async function setCredit(
  { accounts, shop, now }: Needs,
  admin: Actor,
  asked: { readonly accountId: string; readonly terms: CreditTerms; readonly expect: (version: number) => void },
): Promise<{ readonly account: Account; readonly version: number }> {
  const { accountId, terms, expect } = asked;
  const { result, version } = await accounts.change(accountId, (current, at) => {
    if (!current || current.erasedAt !== null) throw notFound('trade account');
    expect(at);
    return decide(current, terms, { admin, currency: shop.currency, now: now() });
  });
  return { account: result, version };
}
