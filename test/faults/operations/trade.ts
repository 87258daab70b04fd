import { isSuccess } from './operation.ts';
import type { Operation } from './operation.ts';
import { promiseMail } from './registration.ts';

interface TradeAccount {
  readonly id: string;
  readonly email: string;
  readonly status: string;
}

/** An administrator decides about an application. */
function decide(action: 'approve' | 'reject', outcome: 'approved' | 'rejected', weight: number): Operation {
  return {
    name: `${action} a trade account`,
    weight,
    needs: { account: ({ state }) => state === 'applied' },
    async run(user, entry, account) {
      const { email } = account;
      const waiting = await user.admin.call('GET', '/v1/trade-accounts?status=pending-approval&limit=100');
      if (!isSuccess(waiting)) return;
      const found = (waiting.body.data as TradeAccount[]).find((each) => each.email === email);
      // Too many newer ones wait: another time.
      if (!found) return;
      account.id = found.id;
      const reason = action === 'reject' ? { reason: 'The company is not in the register.' } : {};
      const reply = await user.admin.call('POST', `/v1/trade-accounts/${found.id}/${action}`, {
        body: reason,
        key: user.fresh('key'),
      });
      // Where an answer was lost the next try is refused, for it is decided already.
      const isDecided = isSuccess(reply) || (await hasStatus(outcome));
      if (isDecided) {
        entry.acknowledged();
        account.state = outcome;
      } else account.state = 'unclear';
      const effects = isDecided ? { atLeast: 1, atMost: 1 } : { atLeast: 0, atMost: reply.doubtful > 0 ? 1 : 0 };
      promiseMail(entry, email, `trade-account-${outcome}`, effects);
      entry.promise(`notice that ${email} is ${outcome}`, {
        ...effects,
        count: (evidence) => evidence.notifications(found.id, `trade-account-${outcome}`),
      });
      if (!isDecided) return;
      entry.replace(`trade status of ${email}`, {
        atLeast: 1,
        atMost: 1,
        count: (evidence) => Number(evidence.user(email)?.['status'] === outcome),
      });

      async function hasStatus(status: string): Promise<boolean> {
        const seen = await user.admin.call('GET', `/v1/trade-accounts/${account.id}`);
        return isSuccess(seen) && seen.body.status === status;
      }
    },
  };
}

export const trade: readonly Operation[] = [decide('approve', 'approved', 5), decide('reject', 'rejected', 3)];
