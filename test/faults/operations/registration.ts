import { type Reply, effectsOf, isSuccess } from '../client.ts';
import type { Entry } from '../ledger.ts';
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
    registrations: [],
    done: new Set(),
    fields: new Map(),
    addresses: [],
    orders: [],
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
    account.fields.set('firstName', new Set(['Ada']));
    const reply = await sendRegistration(user, entry, account);
    if (isSuccess(reply)) account.state = 'registered';
  },
};

/** Each registration of an email has its own password, code and mail. */
const registerTwice: TestOperation = {
  name: 'register an email that waits for its code',
  weight: 3,
  needs: { account: ({ state, kind, done }) => kind === 'retail' && state === 'registered' && !done.has('twice') },
  async run(user, entry, account) {
    account.done.add('twice');
    await sendRegistration(user, entry, account);
  },
};

async function sendRegistration(user: VirtualUser, entry: Entry, account: TestAccount): Promise<Reply> {
  const { email } = account;
  const own = account.registrations.length === 0 ? password : `${password}, once more`;
  const body = { email, password: own, firstName: 'Ada', lastName: 'Byron' };
  const reply = await user.client.call('POST', '/v1/auth/register', { body, key: user.unique('key') });
  if (isSuccess(reply)) {
    entry.acknowledged();
    account.registrations.push({ id: reply.body.registrationId, password: own });
  }
  promiseRegistration(entry, email, effectsOf(reply));
  promiseMail(entry, email, 'verification-code', effectsOf(reply));
  return reply;
}

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
        businessAddress: '1 Canal Street, Amsterdam, Netherlands',
      },
    });
    account.fields.set('firstName', new Set(['Grace']));
    if (isSuccess(reply)) {
      entry.acknowledged();
      account.state = 'applied';
      account.registrations.push({ id: reply.body.registrationId, password });
    }
    promiseRegistration(entry, email, effectsOf(reply));
    promiseMail(entry, email, 'trade-application-received', effectsOf(reply));
  },
};

const verify: TestOperation = {
  name: 'verify',
  weight: 20,
  needs: { account: ({ state, kind }) => kind === 'retail' && state === 'registered' },
  async run(user, entry, account) {
    const { email } = account;
    const registration = user.random.pick(account.registrations);
    const reply = await enterCodes(user, email, registration.id);
    // The mail has not arrived yet.
    if (!reply) return;
    // A code works once. After a lost response only a login shows whether it was used.
    const verified =
      isSuccess(reply) || reply.uncertainTries === 0
        ? reply
        : await user.client.call('POST', '/v1/auth/login', { body: { email, password: registration.password } });
    if (isSuccess(verified)) {
      entry.acknowledged();
      account.state = 'active';
      account.id = verified.body.user.id;
      account.tokens = verified.body;
      account.password = registration.password;
      account.registrations = account.registrations.filter((each) => each !== registration);
    } else account.state = reply.uncertainTries > 0 ? 'unclear' : 'registered';
    promiseMail(entry, email, 'welcome', isSuccess(verified) ? { atLeast: 1, atMost: 1 } : effectsOf(reply));
    if (!isSuccess(verified)) return;
    const { id } = account;
    entry.promise(`welcome in the app of ${email}`, {
      atLeast: 1,
      atMost: 1,
      count: (finalState) => finalState.notifications(id, 'welcome'),
    });
    promiseProof(entry, email);
  },
};

const verifyApplication: TestOperation = {
  name: 'verify an application',
  weight: 12,
  needs: { account: ({ state }) => state === 'applied' },
  async run(user, entry, account) {
    const { email, registrations } = account;
    const [registration = { id: '', password }] = registrations;
    const reply = await enterCodes(user, email, registration.id);
    if (!reply) return;
    // A code works once. After a lost response only a login shows whether it was used: it says that the account waits.
    const isProved =
      isSuccess(reply) ||
      (reply.uncertainTries > 0 &&
        (await user.client.call('POST', '/v1/auth/login', { body: { email, password } })).code ===
          'account_pending_approval');
    if (isProved) {
      entry.acknowledged();
      account.state = 'submitted';
      account.registrations = [];
    } else account.state = reply.uncertainTries > 0 ? 'unclear' : 'applied';
    promiseSubmission(entry, account, isProved ? { atLeast: 1, atMost: 1 } : effectsOf(reply));
    if (!isProved) return;
    promiseProof(entry, email);
    promiseTradeStatus(entry, email, ['pending-approval']);
  },
};

/** Enters the codes that were mailed to the email until one is right. Returns null if no mail has come. */
async function enterCodes(user: VirtualUser, email: string, registrationId: string): Promise<Reply | null> {
  const codes = user.mails
    .to(email)
    .flatMap(({ subject }) => /^(\d{6}) is your code(?! for a new)/.exec(subject)?.[1] ?? []);
  let [last, uncertainTries]: [Reply | null, number] = [null, 0];
  for (const code of codes) {
    last = await user.client.call('POST', '/v1/auth/verify', { body: { registrationId, code } });
    uncertainTries += last.uncertainTries;
    if (last.code !== 'invalid_code') break;
  }
  return last && { ...last, uncertainTries };
}

const verifyOther: TestOperation = {
  name: 'verify a registration whose email is taken by now',
  weight: 3,
  needs: {
    account: ({ state, registrations, done }) =>
      state === 'active' && registrations.length > 0 && !done.has('verify other'),
  },
  async run(user, entry, { email, registrations, done }) {
    done.add('verify other');
    const reply = await enterCodes(user, email, registrations[0]?.id ?? '');
    if (!reply) return;
    entry.acknowledged();
    if (isSuccess(reply)) entry.violated(`second proof of ${email}`, 'invalid_code', '200');
  },
};

const resend: TestOperation = {
  name: 'send the code again',
  weight: 2,
  needs: { account: ({ state, kind, done }) => kind === 'retail' && state === 'registered' && !done.has('resend') },
  async run(user, entry, { email, registrations, done }) {
    done.add('resend');
    const reply = await user.client.call('POST', '/v1/auth/verify/resend', {
      body: { registrationId: registrations[0]?.id ?? '' },
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

/** A registration stays until it becomes an account, so that there is always one of both. */
function promiseRegistration(entry: Entry, email: string, effects: Effects): void {
  entry.promise(`registration of ${email}, or account`, {
    ...effects,
    count: (finalState) => finalState.registrations(email) + finalState.accounts(email),
  });
}

function promiseProof(entry: Entry, email: string): void {
  entry.replace(`account of ${email}, verified`, {
    atLeast: 1,
    atMost: 1,
    count: (finalState) =>
      finalState.accounts(email) * Number(finalState.user(email)?.['emailVerifiedAt'] instanceof Date),
  });
}

/** What follows when an application waits for an administrator. */
export function promiseSubmission(entry: Entry, { email, businessName = '' }: TestAccount, effects: Effects): void {
  promiseMail(entry, email, 'trade-account-submitted', effects);
  entry.promise(`notice to administrators about ${businessName}`, {
    ...effects,
    count: (finalState) => finalState.notifications('role:admin', 'trade-account-waiting', businessName),
  });
}

export function promiseTradeStatus(entry: Entry, email: string, possible: readonly string[]): void {
  entry.replace(`trade status of ${email}`, {
    atLeast: 1,
    atMost: 1,
    count: (finalState) => Number(possible.includes(finalState.user(email)?.['status'])),
  });
}

export const registration: readonly TestOperation[] = [
  register,
  registerTwice,
  apply,
  verify,
  verifyApplication,
  verifyOther,
  resend,
  registerAgain,
];
