import { isSuccess } from './operation.ts';
import type { TestOperation } from './operation.ts';
import { promiseMail } from './registration.ts';

interface TradeAccount {
  readonly id: string;
  readonly email: string;
  readonly status: string;
}

/** An administrator decides on an application. */
function decide(action: 'approve' | 'reject', outcome: 'approved' | 'rejected', weight: number): TestOperation {
  return {
    name: `${action} a trade account`,
    weight,
    needs: { account: ({ state }) => state === 'applied' },
    async run(user, entry, account) {
      const { email } = account;
      const pending = await user.admin.call('GET', '/v1/trade-accounts?status=pending-approval&limit=100');
      if (!isSuccess(pending)) return;
      const found = (pending.body.data as TradeAccount[]).find((each) => each.email === email);
      // More than 100 applications are newer. A later call may find it.
      if (!found) return;
      account.id = found.id;
      const reason = action === 'reject' ? { reason: 'The company is not in the register.' } : {};
      const reply = await user.admin.call('POST', `/v1/trade-accounts/${found.id}/${action}`, {
        body: reason,
        key: user.unique('key'),
      });
      // After a lost response the next try is refused if the first one was carried out.
      const isDecided = isSuccess(reply) || (await hasStatus(outcome));
      if (isDecided) {
        entry.acknowledged();
        account.state = outcome;
      } else account.state = 'unclear';
      const effects = isDecided ? { atLeast: 1, atMost: 1 } : { atLeast: 0, atMost: reply.uncertainTries > 0 ? 1 : 0 };
      promiseMail(entry, email, `trade-account-${outcome}`, effects);
      entry.promise(`notice that ${email} is ${outcome}`, {
        ...effects,
        count: (finalState) => finalState.notifications(found.id, `trade-account-${outcome}`),
      });
      if (!isDecided) return;
      entry.replace(`trade status of ${email}`, {
        atLeast: 1,
        atMost: 1,
        count: (finalState) => Number(finalState.user(email)?.['status'] === outcome),
      });

      async function hasStatus(status: string): Promise<boolean> {
        const reply = await user.admin.call('GET', `/v1/trade-accounts/${account.id}`);
        return isSuccess(reply) && reply.body.status === status;
      }
    },
  };
}

export const trade: readonly TestOperation[] = [decide('approve', 'approved', 5), decide('reject', 'rejected', 3)];
