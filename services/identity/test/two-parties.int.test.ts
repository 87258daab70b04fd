import { hash } from 'node:crypto';
import { eventually } from '@storefront/testing';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { otherThan, startIdentity, trade, type IdentityHarness } from './harness.ts';

// Two people register one email. One of them reads its mailbox: it is theirs, whatever the other does, before, after or in
// between.

const root = { email: 'root@shop.example', password: 'the keeper of the keys' };
let identity: IdentityHarness;
let admin: string;
beforeAll(async () => {
  identity = await startIdentity({ ADMIN_EMAIL: root.email, ADMIN_PASSWORD: root.password });
  admin = (await identity.post('/v1/auth/login', root)).body.accessToken;
});
afterAll(() => identity.close());

type Party = 'owner' | 'stranger';
const addresses = { owner: '192.0.2.1', stranger: '198.51.100.1' };
const passwords = { owner: 'seven slow boats upriver', stranger: 'nine quick foxes below' };
const actions = [
  'owner registers',
  'owner applies',
  'owner enters the code',
  'owner enters the newest code of the mailbox',
  'owner sets a password',
  'administrator rejects',
  'administrator asks for more',
  'stranger registers',
  'stranger applies',
  'stranger guesses',
  'stranger asks again',
  'stranger recovers',
] as const;
type Action = (typeof actions)[number];

/** One email, its two parties, and what each of them holds. */
function newWorld(email: string) {
  const newest: Partial<Record<Party, string>> = {};
  const answered: string[] = [];
  const call = (party: Party, path: string, body: object) =>
    identity.call('POST', path, { body, headers: { 'x-client-ip': addresses[party] } });

  async function register(party: Party, kind: 'register' | 'trade/register'): Promise<void> {
    const application = trade(email, { password: passwords[party], firstName: party });
    const form = kind === 'register' ? personOf(application) : application;
    const { status, body } = await call(party, `/v1/auth/${kind}`, form);
    if (status === 429) return;
    expect([201, 202]).toContain(status);
    newest[party] = body.registrationId;
    answered.push(digest(body.registrationId));
  }

  /** The code that was mailed for the party's newest registration; null where there was none. */
  async function codeOf(party: Party): Promise<string | null> {
    const registrationId = newest[party];
    if (registrationId === undefined) return null;
    const purpose = (await identity.collection('registrations').findOne({ _id: digest(registrationId) }))?.purpose;
    if (!purpose || purpose.kind === 'none') return null;
    return identity.codeOfFlow(registrationId);
  }

  /** The owner enters a code; returns whether it made an account. */
  async function enter(code: string | null): Promise<boolean> {
    if (code === null) return false;
    return (await call('owner', '/v1/auth/verify', { registrationId: newest.owner ?? '', code })).status === 200;
  }

  async function setPassword(): Promise<void> {
    const { status, body } = await call('owner', '/v1/auth/password/forgot', { email });
    if (status === 429 || !(await identity.collection('emails').findOne({ _id: email }))) return;
    const subjects = () => identity.eventsAbout(email, 'identity.password-reset-requested');
    const mail = await eventually(() => subjects().at(-1), 'the mail to the owner');
    const code = (await identity.opened(mail)).link ?? '';
    const reset = { recoveryId: body.recoveryId, code, newPassword: passwords.owner };
    await call('owner', '/v1/auth/password/reset', reset);
  }

  async function review(action: 'reject' | 'request-info'): Promise<void> {
    const id = (await identity.collection('emails').findOne({ _id: email }))?.userId;
    if (id) await identity.post(`/v1/trade-accounts/${id}/${action}`, { reason: 'Because.' }, admin);
  }

  const act: Record<Action, () => Promise<unknown>> = {
    'owner registers': () => register('owner', 'register'),
    'owner applies': () => register('owner', 'trade/register'),
    'owner enters the code': async () => enter(await codeOf('owner')),
    'owner enters the newest code of the mailbox': async () => {
      const mail = identity.eventsAbout(email).findLast(({ data }) => data.sealedCode && data.registeredAt);
      return enter(mail && newest.owner ? await identity.digitsIn(mail) : null);
    },
    'owner sets a password': setPassword,
    'administrator rejects': () => review('reject'),
    'administrator asks for more': () => review('request-info'),
    'stranger registers': () => register('stranger', 'register'),
    'stranger applies': () => register('stranger', 'trade/register'),
    'stranger guesses': async () => {
      const own = await codeOf('stranger');
      const code = otherThan(own ?? '000000');
      await call('stranger', '/v1/auth/verify', { registrationId: newest.stranger ?? newRegistrationId, code });
      await call('stranger', '/v1/auth/verify', { email, password: passwords.stranger, code });
    },
    'stranger asks again': () => call('stranger', '/v1/auth/verify/resend', { email, password: passwords.stranger }),
    'stranger recovers': async () => {
      const { body } = await call('stranger', '/v1/auth/password/forgot', { email });
      const reset = { recoveryId: body.recoveryId, code: '000000', newPassword: passwords.stranger };
      if (body.recoveryId) await call('stranger', '/v1/auth/password/reset', reset);
    },
  };

  return { call, act, register, codeOf, enter, answered };
}

const newRegistrationId = 'reg_01h455vb4pex5vsknk084sn02q';
const digest = (registrationId: string) => hash('sha256', registrationId, 'base64url');
const personOf = ({ email, password, firstName, lastName }: ReturnType<typeof trade>) => ({
  email,
  password,
  firstName,
  lastName,
});

let made = 0;

/** Plays the actions, then looks at whose the account is. */
async function expectOwners(played: readonly Action[]): Promise<void> {
  made += 1;
  const email = `shared${made}@one.example`;
  const { call, act, register, codeOf, enter, answered } = newWorld(email);
  for (const action of played) await act[action]();

  // No registration that was answered is lost: it is kept, or it became the account.
  const account = await identity.collection('emails').findOne({ _id: email });
  const kept = await identity.collection('registrations').find({ email }).toArray();
  const used = kept.filter(({ deletedAt }) => deletedAt).length;
  expect(kept.length - used).toBeGreaterThanOrEqual(answered.length - (account ? 1 : 0));
  for (const { _id, purpose, deletedAt } of kept)
    if (purpose?.kind === 'new' && !deletedAt)
      await eventually(() => identity.events.some(({ subject }) => subject === _id), 'the mail of the registration');

  // The owner is not kept out: without an account they get one now.
  if (!account) {
    await register('owner', 'register');
    await enter(await codeOf('owner'));
  }
  const logIn = (party: Party) => call(party, '/v1/auth/login', { email, password: passwords[party] });
  const own = await logIn('owner');
  expect(['200 undefined', '403 account_pending_approval', '403 account_rejected']).toContain(
    `${own.status} ${own.body.code}`,
  );
  // The stranger has no account, whatever was entered where.
  expect((await logIn('stranger')).status).toBe(401);
  const user = await identity.collection('users').findOne({ email });
  expect(user.firstName).toBe('owner');
}

it(
  'gives an email to whoever proves it, for sequences of up to six actions of two parties',
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...actions), { minLength: 1, maxLength: 6 }), expectOwners),
      {
        numRuns: inject('isProof') ? 100 : 10,
        endOnFailure: true,
      },
    );
  },
);

const strangers: Action[] = ['stranger registers', 'stranger applies'];
const owners: Action[] = ['owner registers', 'owner applies'];

it.each(
  owners.flatMap((own) =>
    strangers.flatMap((other): [string, Action[]][] => [
      ['first', [other, own, 'owner enters the code']],
      ['last', [own, other, 'owner enters the code']],
      ['after', [own, 'owner enters the code', other, 'stranger guesses']],
      ['on both sides', [other, own, other, 'owner enters the code']],
      ['five times', [other, other, other, other, other, own, 'owner enters the code']],
      ['with both kinds', [...strangers, own, ...strangers, 'owner enters the code']],
    ]),
  ),
)('gives it to the owner where the stranger comes %s: %j', async (_when, played) => {
  await expectOwners(played);
});
