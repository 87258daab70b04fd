import { userDataKeepers } from '@storefront/contracts';
import type { FinalState } from '../final-state.ts';
import { effectsOf, isSuccess } from '../client.ts';
import { isLoggedIn, type TestAccount, type TestOperation, type VirtualUser } from './operation.ts';
import { promiseMail } from './registration.ts';
import { noteRefusal, promiseRefusal, proveAgain, tokenOf } from './sessions.ts';

/** The parts of an export: identity's own, and one of each service that keeps data about people. */
const keepers = ['identity', ...userDataKeepers].toSorted().join(', ');

const requestExport: TestOperation = {
  name: 'request a data export',
  weight: 3,
  // Once only: a second request may return the same export, so the number of exports would be unknown.
  needs: { account: (account) => isLoggedIn(account) && !account.done.has('export') },
  async run(user, entry, account) {
    const { email, id } = account;
    if (!(await proveAgain(user, entry, account))) return;
    const reply = await user.client.call('POST', '/v1/users/me/export', {
      token: tokenOf(account),
      key: user.unique('key'),
    });
    noteRefusal(entry, account, reply);
    const effects = effectsOf(reply);
    if (effects.atMost > 0) account.done.add('export');
    promiseMail(entry, email, 'user-export-ready', effects);
    entry.promise(`notice that the data of ${email} is ready`, {
      ...effects,
      count: (finalState) => finalState.notifications(id, 'user-export-ready'),
    });
    if (!isSuccess(reply)) return;
    entry.acknowledged();
    const exportId: string = reply.body.id;
    account.exportId = exportId;
    entry.promise(`export ${exportId} of the data of ${email}, ready`, {
      atLeast: 1,
      atMost: 1,
      count: (finalState) => finalState.count('identity', 'data_requests', { exportId, readyAt: { $ne: null } }),
    });
  },
};

const readExport: TestOperation = {
  name: 'read a data export',
  weight: 4,
  needs: { account: (account) => isLoggedIn(account) && account.exportId !== undefined },
  async run(user, entry, account) {
    const { email, exportId, done } = account;
    if (!(await proveAgain(user, entry, account))) return;
    const reply = await user.client.call('GET', `/v1/users/me/exports/${exportId}`, { token: tokenOf(account) });
    noteRefusal(entry, account, reply);
    if (reply.status === 404) entry.violated(`export ${exportId} of the data of ${email}`, 'exists', '404');
    if (!isSuccess(reply)) return;
    entry.acknowledged();
    const { status, data } = reply.body;
    if (status === 'ready') {
      done.add('export ready');
      const parts = Object.keys(data).toSorted().join(', ');
      if (data.identity?.user.email !== email || parts !== keepers)
        entry.violated(`export ${exportId} of the data of ${email}`, 'a part from each service', parts);
    } else if (done.has('export ready'))
      entry.violated(`export ${exportId} of the data of ${email}`, 'ready, as it was before', status);
  },
};

const erase: TestOperation = {
  name: 'erase the account',
  weight: 3,
  needs: { account: isLoggedIn },
  async run(user, entry, account) {
    const { email, id, password } = account;
    if (!(await proveAgain(user, entry, account))) return;
    const token = tokenOf(account);
    const reply = await user.client.call('DELETE', '/v1/users/me', { token, body: { password } });
    if (!isSuccess(reply) && reply.uncertainTries === 0) return noteRefusal(entry, account, reply);
    delete account.tokens;
    // After a lost response only a login shows whether the account was erased.
    const isErased = isSuccess(reply) || (await isLockedOut(user, account));
    account.state = isErased ? 'erased' : 'unclear';
    entry.erased(email, isErased);
    if (!isErased) return;
    entry.acknowledged();
    if (isSuccess(reply)) {
      const after = await user.client.once(reply.gateway, 'GET', '/v1/users/me', { token });
      if (isSuccess(after)) entry.violated(`token of ${email}, who is erased`, '401 at once at that gateway', '200');
    }
    promiseRefusal(entry, account, token);
    entry.promise(`last mail to ${email}`, {
      atLeast: 1,
      atMost: 1,
      count: (finalState) => finalState.mailsArrived(email, 'Your account is being erased'),
    });
    const words = [email, id, ...(account.fields.get('firstName') ?? [])];
    const orders = account.orders.map(({ orderRef }) => orderRef);
    const remaining = async (finalState: FinalState) => {
      const containing = async (searched: readonly string[], kept: string) =>
        (await finalState.collectionsContaining(searched)).filter((name) => name !== kept);
      return [
        // This collection keeps the id for as long as gateways must refuse the last tokens.
        ...(await containing(words, 'identity.erased_users')),
        // This one keeps the ids of orders and nothing else, so that none is counted twice.
        ...(await containing(orders, 'account.counted_orders')),
      ];
    };
    entry.promise(`removal of all data about ${email}`, {
      atLeast: 1,
      atMost: 1,
      count: async (finalState) => Number((await remaining(finalState)).length === 0),
      show: async (finalState) => `data in ${(await remaining(finalState)).join(', ')}`,
    });
  },
};

/** Whether a login with the last acknowledged password is refused. */
async function isLockedOut({ client }: VirtualUser, { email, password }: TestAccount): Promise<boolean> {
  const reply = await client.call('POST', '/v1/auth/login', { body: { email, password } });
  return reply.status === 401;
}

export const userData: readonly TestOperation[] = [requestExport, readExport, erase];
