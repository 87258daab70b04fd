import { effectsOf, isSuccess } from '../client.ts';
import type { TestOperation } from './operation.ts';
import { promiseMail, promiseSubmission, promiseTradeStatus } from './registration.ts';

interface TradeAccount {
  readonly id: string;
  readonly email: string;
  readonly status: string;
}

/** An administrator decides on an application. */
function decide(
  action: 'approve' | 'reject' | 'request-info',
  outcome: 'approved' | 'rejected' | 'info-requested',
  weight: number,
): TestOperation {
  return {
    name: `decide on a trade account: ${action}`,
    weight,
    needs: { account: ({ state }) => state === 'submitted' },
    async run(user, entry, account) {
      const { email } = account;
      const pending = await user.admin.call('GET', '/v1/trade-accounts?status=pending-approval&limit=100');
      if (!isSuccess(pending)) return;
      const found = (pending.body.data as TradeAccount[]).find((each) => each.email === email);
      // More than 100 applications are newer. A later call may find it.
      if (!found) return;
      account.id = found.id;
      const reason = action === 'approve' ? {} : { reason: 'The company is not in the register.' };
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
      promiseTradeStatus(entry, email, isDecided ? [outcome] : ['pending-approval', outcome]);

      async function hasStatus(status: string): Promise<boolean> {
        const reply = await user.admin.call('GET', `/v1/trade-accounts/${account.id}`);
        return isSuccess(reply) && reply.body.status === status;
      }
    },
  };
}

/** An applicant who was asked for more logs in and submits the application again. */
const resubmit: TestOperation = {
  name: 'submit the application again',
  weight: 4,
  needs: { account: ({ state }) => state === 'info-requested' },
  async run(user, entry, account) {
    const { email, password } = account;
    const session = await user.client.call('POST', '/v1/auth/login', { body: { email, password } });
    if (!isSuccess(session)) return;
    const reply = await user.client.call('POST', '/v1/trade-accounts/me/resubmit', {
      token: session.body.accessToken,
      body: { companyRegistration: '12345678' },
      key: user.unique('key'),
    });
    if (isSuccess(reply)) {
      entry.acknowledged();
      account.state = 'submitted';
    } else account.state = 'unclear';
    promiseSubmission(entry, account, effectsOf(reply));
    promiseTradeStatus(entry, email, isSuccess(reply) ? ['pending-approval'] : ['info-requested', 'pending-approval']);
  },
};

export const trade: readonly TestOperation[] = [
  decide('approve', 'approved', 5),
  decide('reject', 'rejected', 3),
  decide('request-info', 'info-requested', 3),
  resubmit,
];
