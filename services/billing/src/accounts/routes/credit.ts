import { billingFields, type billingHttp, type billingOperations } from '@storefront/contracts';
import { actorOf, etagOf, ifMatch, type Handlers } from '@storefront/http';
import { setCredit } from '../commands/change-account.ts';
import { availableOf, holdReasonOf } from '../../domain/credit.ts';
import type { Account } from '../../domain/account.ts';
import type { AccountReads } from '../store/account-reads.ts';

type Operation = 'getOwnCredit' | 'getCredit' | 'setCredit';

type Needs = Parameters<typeof setCredit>[0] & {
  readonly accountReads: AccountReads;
};

interface Reply {
  header(name: string, value: string): unknown;
}

/** Routes for the credit of an account: how much it may owe, and how much it owes now. */
export function creditHandlers(needs: Needs): Pick<Handlers<typeof billingOperations>, Operation> {
  const { accountReads, shop } = needs;
  return {
    getOwnCredit: async ({ caller }) => show((await accountReads.get(caller.sub)).state),

    async getCredit({ params }, reply) {
      const { state, version } = await accountReads.get(params.id);
      return answer(reply, state, version);
    },

    setCredit: {
      check: ({ limit }) =>
        limit && limit.currency !== shop.currency ? [billingFields.otherCurrency('/limit', shop.currency)] : [],
      async handle(request, reply) {
        const { limit, termsDays, hold } = request.body;
        const { account, version } = await setCredit(needs, actorOf(request), {
          accountId: request.params.id,
          terms: { limit: limit && limit.amount, termsDays, hold },
          expect: ifMatch(request),
        });
        return answer(reply, account, version);
      },
    },
  };

  // The tag is weak because it is only the account's version. The overdue sum can change without a new version.
  function answer(reply: Reply, account: Account, version: number) {
    void reply.header('etag', `W/${etagOf(version)}`);
    return show(account);
  }

  async function show(account: Account): Promise<billingHttp.CreditBody> {
    const money = (amount: number) => ({ amount, currency: shop.currency });
    const holdReason = holdReasonOf(account);
    const available = availableOf(account);
    return {
      accountId: account.id,
      limit: account.limit === null ? null : money(account.limit),
      termsDays: account.termsDays,
      hold: holdReason !== null,
      holdReason,
      outstanding: money(account.outstanding),
      reserved: money(account.reserved),
      overdue: money(await accountReads.overdue(account.id)),
      credit: money(account.unused),
      available: available === null ? null : money(available),
      updatedAt: account.updatedAt.toISOString(),
    };
  }
}
