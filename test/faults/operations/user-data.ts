import type { Evidence } from '../evidence.ts';
import { effectsOf, isSuccess } from './operation.ts';
import type { Account, Operation, VirtualUser } from './operation.ts';
import { promiseMail } from './registration.ts';
import { noteRefusal, promiseRefusal, tokenOf } from './sessions.ts';

const isLoggedIn = ({ state, tokens }: Account) => state === 'active' && tokens !== undefined;

const askForExport: Operation = {
  name: 'ask for a copy of the data',
  weight: 3,
  // Asked again while one is being made, it is that one: how many there are to be would be anybody's guess.
  needs: { account: (account) => isLoggedIn(account) && !account.done.has('export') },
  async run(user, entry, account) {
    const { email, id } = account;
    const reply = await user.client.call('POST', '/v1/users/me/export', {
      token: tokenOf(account),
      key: user.fresh('key'),
    });
    noteRefusal(entry, account, reply);
    const effects = effectsOf(reply);
    if (effects.atMost > 0) account.done.add('export');
    promiseMail(entry, email, 'user-export-ready', effects);
    entry.promise(`notice that the data of ${email} is ready`, {
      ...effects,
      count: (evidence) => evidence.notifications(id, 'user-export-ready'),
    });
    if (!isSuccess(reply)) return;
    entry.acknowledged();
    const exportId: string = reply.body.id;
    account.exportId = exportId;
    entry.promise(`copy ${exportId} of the data of ${email}, ready`, {
      atLeast: 1,
      atMost: 1,
      count: (evidence) => evidence.count('identity', 'data_requests', { exportId, readyAt: { $ne: null } }),
    });
  },
};

const readExport: Operation = {
  name: 'read the copy of the data',
  weight: 4,
  needs: { account: (account) => isLoggedIn(account) && account.exportId !== undefined },
  async run(user, entry, account) {
    const { email, exportId, done } = account;
    const reply = await user.client.call('GET', `/v1/users/me/exports/${exportId}`, { token: tokenOf(account) });
    noteRefusal(entry, account, reply);
    if (reply.status === 404) entry.violated(`copy ${exportId} of the data of ${email}`, 'there', '404');
    if (!isSuccess(reply)) return;
    entry.acknowledged();
    const { status, data } = reply.body;
    if (status === 'ready') {
      done.add('export ready');
      const parts = Object.keys(data).toSorted().join(', ');
      if (data.identity?.user.email !== email || parts !== 'account, engagement, identity')
        entry.violated(`copy ${exportId} of the data of ${email}`, 'a part from each service', parts);
    } else if (done.has('export ready'))
      entry.violated(`copy ${exportId} of the data of ${email}`, 'ready, as it was before', status);
  },
};

const erase: Operation = {
  name: 'erase the account',
  weight: 3,
  needs: { account: isLoggedIn },
  async run(user, entry, account) {
    const { email, id, password } = account;
    const token = tokenOf(account);
    const reply = await user.client.call('DELETE', '/v1/users/me', { token, body: { password } });
    if (!isSuccess(reply) && reply.doubtful === 0) return noteRefusal(entry, account, reply);
    delete account.tokens;
    // Where an answer was lost the token may have died with it: only a login tells.
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
      count: (evidence) => evidence.mailsArrived(email, 'Your account is being erased'),
    });
    const traces = [email, id, ...(account.fields.get('firstName') ?? [])];
    // The id alone stays, for as long as gateways must refuse the last tokens.
    const left = async (evidence: Evidence) =>
      (await evidence.placesOf(traces)).filter((place) => place !== 'identity.erased_users');
    entry.promise(`end of everything about ${email}`, {
      atLeast: 1,
      atMost: 1,
      count: async (evidence) => Number((await left(evidence)).length === 0),
      show: async (evidence) => `traces in ${(await left(evidence)).join(', ')}`,
    });
  },
};

/** Whether the password that was acknowledged is no longer good for a login. */
async function isLockedOut({ client }: VirtualUser, { email, password }: Account): Promise<boolean> {
  const reply = await client.call('POST', '/v1/auth/login', { body: { email, password } });
  return reply.status === 401;
}

export const userData: readonly Operation[] = [askForExport, readExport, erase];
