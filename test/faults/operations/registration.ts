import type { Entry } from '../ledger.ts';
import { effectsOf, isSuccess } from './operation.ts';
import type { TestAccount, TestOperation, VirtualUser } from './operation.ts';

export const password = 'a quiet lake in the morning';

function newAccount(user: VirtualUser, entry: Entry, kind: TestAccount['kind']): TestAccount {
  const email = `${user.unique(kind)}@example.com`;
  const account: TestAccount = {
    email,
    kind,
    password,
    id: '',
    state: 'unclear',
    done: new Set(),
    fields: new Map(),
    addresses: [],
    wishes: new Map(),
  };
  user.accounts.push(account);
  entry.about(email);
  return account;
}

export const register: TestOperation = {
  name: 'register',
  weight: 16,
  async run(user, entry) {
    const account = newAccount(user, entry, 'retail');
    const { email } = account;
    const body = { email, password, firstName: 'Ada', lastName: 'Byron' };
    const reply = await user.client.call('POST', '/v1/auth/register', { body, key: user.unique('key') });
    account.fields.set('firstName', new Set(['Ada']));
    if (isSuccess(reply)) {
      entry.acknowledged();
      account.state = 'registered';
    }
    promiseAccount(entry, email, effectsOf(reply));
    promiseMail(entry, email, 'verification-code', effectsOf(reply));
  },
};

const apply: TestOperation = {
  name: 'apply for a trade account',
  weight: 8,
  async run(user, entry) {
    const account = newAccount(user, entry, 'trade');
    const { email } = account;
    const businessName = user.unique('Business');
    account.businessName = businessName;
    const reply = await user.client.call('POST', '/v1/auth/trade/register', {
      key: user.unique('key'),
      body: {
        email,
        password,
        firstName: 'Grace',
        lastName: 'Murray',
        phone: '+31 20 123 4567',
        businessName,
        businessAddress: '1 Canal Street, Amsterdam',
      },
    });
    account.fields.set('firstName', new Set(['Grace']));
    if (isSuccess(reply)) {
      entry.acknowledged();
      account.state = 'applied';
    }
    const effects = effectsOf(reply);
    promiseAccount(entry, email, effects);
    promiseMail(entry, email, 'trade-application-received', effects);
    entry.promise(`notice to administrators about ${businessName}`, {
      ...effects,
      count: (finalState) => finalState.notifications('role:admin', 'trade-account-waiting', businessName),
    });
  },
};

const verify: TestOperation = {
  name: 'verify',
  weight: 20,
  needs: { account: ({ state, kind }) => kind === 'retail' && state === 'registered' },
  async run(user, entry, account) {
    const { email } = account;
    const code = /\d{6}/.exec(user.mails.to(email)[0]?.subject ?? '')?.[0];
    // The mail has not arrived yet.
    if (code === undefined) return;
    const reply = await user.client.call('POST', '/v1/auth/verify', { body: { email, code } });
    // A code works once. After a lost response only a login shows whether it was used.
    const verified =
      isSuccess(reply) || reply.uncertainTries === 0
        ? reply
        : await user.client.call('POST', '/v1/auth/login', { body: { email, password: account.password } });
    if (isSuccess(verified)) {
      entry.acknowledged();
      account.state = 'active';
      account.id = verified.body.user.id;
      account.tokens = verified.body;
    } else account.state = reply.uncertainTries > 0 ? 'unclear' : 'registered';
    promiseMail(entry, email, 'welcome', isSuccess(verified) ? { atLeast: 1, atMost: 1 } : effectsOf(reply));
    if (!isSuccess(verified)) return;
    const { id } = account;
    entry.promise(`welcome in the app of ${email}`, {
      atLeast: 1,
      atMost: 1,
      count: (finalState) => finalState.notifications(id, 'welcome'),
    });
    entry.replace(`verification of ${email}`, {
      atLeast: 1,
      atMost: 1,
      count: (finalState) => Number(finalState.user(email)?.['emailVerifiedAt'] instanceof Date),
    });
  },
};

const resend: TestOperation = {
  name: 'send the code again',
  weight: 2,
  needs: { account: ({ state, kind, done }) => kind === 'retail' && state === 'registered' && !done.has('resend') },
  async run(user, entry, { email, done }) {
    done.add('resend');
    const reply = await user.client.call('POST', '/v1/auth/verify/resend', {
      body: { email },
      key: user.unique('key'),
    });
    if (isSuccess(reply)) entry.acknowledged();
    // Less than a minute after the last code the request is accepted, but no mail is sent.
    promiseMail(entry, email, 'verification-code', { atLeast: 0, atMost: effectsOf(reply).atMost });
  },
};

const registerAgain: TestOperation = {
  name: 'register an email that is taken',
  weight: 2,
  needs: { account: ({ state, kind, done }) => kind === 'retail' && state === 'active' && !done.has('register again') },
  async run(user, entry, { email, done }) {
    done.add('register again');
    const body = { email, password: 'another quiet lake', firstName: 'Mallory', lastName: 'Byron' };
    const reply = await user.client.call('POST', '/v1/auth/register', { body, key: user.unique('key') });
    if (isSuccess(reply)) entry.acknowledged();
    promiseMail(entry, email, 'registration-attempted', effectsOf(reply));
  },
};

type Effects = { atLeast: number; atMost: number };

export function promiseMail(entry: Entry, email: string, template: string, effects: Effects): void {
  entry.promise(`mail ${template} to ${email}`, {
    ...effects,
    count: (finalState) => finalState.mailsRequested(email, template),
  });
}

function promiseAccount(entry: Entry, email: string, effects: Effects): void {
  entry.promise(`account ${email}`, { ...effects, count: (finalState) => finalState.accounts(email) });
}

export const registration: readonly TestOperation[] = [register, apply, verify, resend, registerAgain];
