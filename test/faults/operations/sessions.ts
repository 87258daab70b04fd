import { type Reply, effectsOf, isSuccess } from '../client.ts';
import type { Entry } from '../ledger.ts';
import { isLoggedIn, type TestAccount, type TestOperation, type VirtualUser } from './operation.ts';
import { expectOneOf } from './one-of.ts';
import { promiseMail } from './registration.ts';

const isActive = ({ state }: TestAccount) => state === 'active';

const logIn: TestOperation = {
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

const refresh: TestOperation = {
  name: 'refresh',
  weight: 8,
  needs: { account: isLoggedIn },
  async run(user, entry, account) {
    const { refreshToken } = account.tokens ?? { refreshToken: '' };
    delete account.tokens;
    const reply = await user.client.call('POST', '/v1/auth/refresh', { body: { refreshToken } });
    if (isSuccess(reply)) {
      entry.acknowledged();
      // A delayed earlier try may still reach the server. It would end the session, because it reuses the token.
      if (reply.uncertainTries === 0) account.tokens = reply.body;
      return;
    }
    // A refresh token works once. After a lost response it may have been used.
    if (reply.status > 0 && reply.uncertainTries === 0)
      entry.violated(`refresh token of ${account.email}`, 'accepted', `${reply.status} ${reply.code}`);
  },
};

const logOut: TestOperation = {
  name: 'log out',
  weight: 6,
  needs: { account: isLoggedIn },
  async run(user, entry, account) {
    const token = account.tokens?.accessToken ?? '';
    delete account.tokens;
    const reply = await user.client.call('POST', '/v1/auth/logout', { token });
    if (!isSuccess(reply)) {
      // It may still be carried out, and would then also end a later session.
      account.state = 'unclear';
      return;
    }
    // An earlier try may still be carried out. It must end no session that begins from now on.
    entry.acknowledged();
    const after = await user.client.once(reply.gateway, 'GET', '/v1/users/me', { token });
    if (isSuccess(after)) entry.violated(`logout of ${account.email}`, '401 at once at that gateway', '200');
    promiseRefusal(entry, account, token);
  },
};

const changeProfile: TestOperation = {
  name: 'change the profile',
  weight: 10,
  needs: { account: isLoggedIn },
  async run(user, entry, account) {
    const firstName = user.unique('Name');
    const reply = await user.client.call('PATCH', '/v1/users/me', { body: { firstName }, token: tokenOf(account) });
    if (isSuccess(reply)) entry.acknowledged();
    expectOneOf(
      entry,
      account,
      'firstName',
      firstName,
      reply,
      (finalState) => finalState.user(account.email)?.['firstName'],
    );
    noteRefusal(entry, account, reply);
  },
};

const readProfile: TestOperation = {
  name: 'read the profile',
  weight: 6,
  needs: { account: isLoggedIn },
  async run(user, entry, account) {
    const reply = await user.client.call('GET', '/v1/users/me', { token: tokenOf(account) });
    noteRefusal(entry, account, reply);
    if (!isSuccess(reply)) return;
    entry.acknowledged();
    const possible = account.fields.get('firstName') ?? new Set();
    if (!possible.has(reply.body.firstName))
      entry.violated(`first name of ${account.email}`, [...possible].join(' or '), reply.body.firstName);
  },
};

const forgot: TestOperation = {
  name: 'forget the password',
  weight: 3,
  needs: { account: (account) => isActive(account) && !account.done.has('forgot') },
  async run(user, entry, account) {
    const { email, done } = account;
    done.add('forgot');
    const reply = await user.client.call('POST', '/v1/auth/password/forgot', {
      body: { email },
      key: user.unique('key'),
    });
    if (isSuccess(reply)) {
      entry.acknowledged();
      account.recoveryId = reply.body.recoveryId;
    }
    promiseMail(entry, email, 'password-reset-code', effectsOf(reply));
  },
};

const reset: TestOperation = {
  name: 'reset the password',
  weight: 3,
  needs: { account: (account) => isActive(account) && account.recoveryId !== undefined && !account.done.has('reset') },
  async run(user, entry, account) {
    const { email, recoveryId } = account;
    const subject = user.mails.to(email).find((mail) => mail.subject.includes('new password'))?.subject;
    const code = /\d{6}/.exec(subject ?? '')?.[0];
    if (code === undefined) return;
    account.done.add('reset');
    const newPassword = `${account.password} again`;
    const body = { recoveryId, code, newPassword };
    const reply = await user.client.call('POST', '/v1/auth/password/reset', { body });
    const logIn = () => user.client.call('POST', '/v1/auth/login', { body: { email, password: newPassword } });
    const isReset = isSuccess(reply) || (reply.uncertainTries > 0 && isSuccess(await logIn()));
    delete account.tokens;
    if (isReset) {
      entry.acknowledged();
      account.password = newPassword;
    } else if (reply.uncertainTries > 0) account.state = 'unclear';
    promiseMail(entry, email, 'password-changed', isReset ? { atLeast: 1, atMost: 1 } : effectsOf(reply));
  },
};

/** Proves once more who is calling, for what needs a fresh proof. Returns false where that was not acknowledged. */
export async function proveAgain(user: VirtualUser, entry: Entry, account: TestAccount): Promise<boolean> {
  const { password } = account;
  const options = { token: tokenOf(account), body: { password } };
  const reply = await user.client.call('POST', '/v1/auth/reauthenticate', options);
  noteRefusal(entry, account, reply);
  return isSuccess(reply);
}

/** Expects that the gateways refuse the token. */
export function promiseRefusal(entry: Entry, { email }: TestAccount, token: string): void {
  entry.promise(`acceptances of the token of ${email} that ${entry.name} revoked`, {
    atLeast: 0,
    atMost: 0,
    count: async (finalState) => Number(isSuccess(await finalState.client.call('GET', '/v1/users/me', { token }))),
  });
}

export function tokenOf(account: TestAccount): string {
  return account.tokens?.accessToken ?? '';
}

/** Reports a violation if a token is refused that was neither revoked nor expired. */
export function noteRefusal(entry: Entry, account: TestAccount, { status, body }: Reply): void {
  if (status !== 401) return;
  delete account.tokens;
  if (!String(body?.detail).includes('expired'))
    entry.violated(`token of ${account.email}`, 'accepted', `${status} ${body?.detail}`);
}

export const sessions: readonly TestOperation[] = [logIn, refresh, logOut, changeProfile, readProfile, forgot, reset];
