import type { Reply } from '../client.ts';
import type { Entry } from '../ledger.ts';
import { effectsOf, isSuccess } from './operation.ts';
import type { Account, Operation } from './operation.ts';
import { expectOneOf } from './one-of.ts';
import { promiseMail } from './registration.ts';

const isActive = ({ state }: Account) => state === 'active';
const isLoggedIn = (account: Account) => isActive(account) && account.tokens !== undefined;

const logIn: Operation = {
  name: 'log in',
  weight: 9,
  needs: { account: isActive },
  async run(user, entry, account) {
    const { email, password } = account;
    const reply = await user.client.call('POST', '/v1/auth/login', { body: { email, password } });
    if (isSuccess(reply)) {
      entry.acknowledged();
      account.tokens = reply.body;
    } else if (reply.status === 401 || reply.status === 403)
      entry.violated(`login of ${email}`, 'the password that was acknowledged', `${reply.status} ${reply.code}`);
  },
};

const refresh: Operation = {
  name: 'refresh',
  weight: 8,
  needs: { account: isLoggedIn },
  async run(user, entry, account) {
    const { refreshToken } = account.tokens ?? { refreshToken: '' };
    delete account.tokens;
    const reply = await user.client.call('POST', '/v1/auth/refresh', { body: { refreshToken } });
    if (isSuccess(reply)) {
      entry.acknowledged();
      // A try that was held up may still come through, and would end the session: it looks like a stolen token.
      if (reply.doubtful === 0) account.tokens = reply.body;
      return;
    }
    // A token works once: after a lost answer it may have been used up.
    if (reply.status > 0 && reply.doubtful === 0)
      entry.violated(`refresh token of ${account.email}`, 'accepted', `${reply.status} ${reply.code}`);
  },
};

const logOut: Operation = {
  name: 'log out',
  weight: 6,
  needs: { account: isLoggedIn },
  async run(user, entry, account) {
    const token = account.tokens?.accessToken ?? '';
    delete account.tokens;
    const reply = await user.client.call('POST', '/v1/auth/logout', { token });
    if (!isSuccess(reply)) {
      // It may still come to pass, and would then end a later login.
      account.state = 'unclear';
      return;
    }
    entry.acknowledged();
    const after = await user.client.once(reply.gateway, 'GET', '/v1/users/me', { token });
    if (isSuccess(after)) entry.violated(`logout of ${account.email}`, '401 at once at that gateway', '200');
    promiseRefusal(entry, account, token);
  },
};

const changeProfile: Operation = {
  name: 'change the profile',
  weight: 10,
  needs: { account: isLoggedIn },
  async run(user, entry, account) {
    const firstName = user.fresh('Name');
    const reply = await user.client.call('PATCH', '/v1/users/me', { body: { firstName }, token: tokenOf(account) });
    if (isSuccess(reply)) entry.acknowledged();
    expectOneOf(
      entry,
      account,
      'firstName',
      firstName,
      reply,
      (evidence) => evidence.user(account.email)?.['firstName'],
    );
    noteRefusal(entry, account, reply);
  },
};

const readProfile: Operation = {
  name: 'read the profile',
  weight: 6,
  needs: { account: isLoggedIn },
  async run(user, entry, account) {
    const reply = await user.client.call('GET', '/v1/users/me', { token: tokenOf(account) });
    noteRefusal(entry, account, reply);
    if (!isSuccess(reply)) return;
    entry.acknowledged();
    const may = account.fields.get('firstName') ?? new Set();
    if (!may.has(reply.body.firstName))
      entry.violated(`first name of ${account.email}`, [...may].join(' or '), reply.body.firstName);
  },
};

const forgot: Operation = {
  name: 'forget the password',
  weight: 3,
  needs: { account: (account) => isActive(account) && !account.done.has('forgot') },
  async run(user, entry, { email, done }) {
    done.add('forgot');
    const reply = await user.client.call('POST', '/v1/auth/password/forgot', {
      body: { email },
      key: user.fresh('key'),
    });
    if (isSuccess(reply)) entry.acknowledged();
    promiseMail(entry, email, 'password-reset-code', effectsOf(reply));
  },
};

const reset: Operation = {
  name: 'reset the password',
  weight: 3,
  needs: { account: (account) => isActive(account) && account.done.has('forgot') && !account.done.has('reset') },
  async run(user, entry, account) {
    const { email } = account;
    const subject = user.mails.to(email).find((mail) => mail.subject.includes('new password'))?.subject;
    const code = /\d{6}/.exec(subject ?? '')?.[0];
    if (code === undefined) return;
    account.done.add('reset');
    const newPassword = `${account.password} again`;
    const body = { email, code, newPassword };
    const reply = await user.client.call('POST', '/v1/auth/password/reset', { body });
    const logIn = () => user.client.call('POST', '/v1/auth/login', { body: { email, password: newPassword } });
    const isReset = isSuccess(reply) || (reply.doubtful > 0 && isSuccess(await logIn()));
    delete account.tokens;
    if (isReset) {
      entry.acknowledged();
      account.password = newPassword;
    } else if (reply.doubtful > 0) account.state = 'unclear';
    promiseMail(entry, email, 'password-changed', isReset ? { atLeast: 1, atMost: 1 } : effectsOf(reply));
  },
};

/** No gateway takes the token any more. */
export function promiseRefusal(entry: Entry, { email }: Account, token: string): void {
  entry.promise(`acceptances of the token of ${email} that ${entry.name} revoked`, {
    atLeast: 0,
    atMost: 0,
    count: async (evidence) => Number(isSuccess(await evidence.client.call('GET', '/v1/users/me', { token }))),
  });
}

export function tokenOf(account: Account): string {
  return account.tokens?.accessToken ?? '';
}

/** A token that was given and not taken back is accepted: where it is not, it ran out, or something was lost. */
export function noteRefusal(entry: Entry, account: Account, { status, body }: Reply): void {
  if (status !== 401) return;
  delete account.tokens;
  if (!String(body?.detail).includes('expired'))
    entry.violated(`token of ${account.email}`, 'accepted', `${status} ${body?.detail}`);
}

export const sessions: readonly Operation[] = [logIn, refresh, logOut, changeProfile, readProfile, forgot, reset];
