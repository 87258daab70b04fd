import { eventually, statuses, times } from '@storefront/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { password, startIdentity, type IdentityHarness } from './harness.ts';
import { secondFactors } from './second-factors.ts';

let identity: IdentityHarness;
let people: ReturnType<typeof secondFactors>;
beforeAll(async () => {
  identity = await startIdentity();
  people = secondFactors(identity);
});
afterAll(() => identity.close());

const revert = (token: string) => identity.post('/v1/auth/changes/revert', { token });
const newPassword = 'another quiet morning';
const dayS = 24 * 60 * 60;

/** The code of the link in the mail about the user's newest change of this type. */
async function revertLinkFields(userId: string, type: string, count = 1): Promise<string> {
  const event = await eventually(() => identity.eventsOf(userId, type)[count - 1], 'the mail about the change');
  return (await identity.opened(event)).link ?? '';
}

async function resetPassword(email: string): Promise<void> {
  const { recoveryId, code } = await identity.recovery(email);
  const answer = await identity.post('/v1/auth/password/reset', { recoveryId, code, newPassword });
  expect(answer.status).toBe(200);
}

it('a passkey that a thief has added does not outlive a password reset by mail', async () => {
  const { email, user } = await identity.member('phished@one.example');
  const { body: thief } = await people.logIn(email);
  const { authenticator } = await people.addPasskey(thief.accessToken);
  await resetPassword(email);
  const { body: options } = await identity.post('/v1/auth/passkeys/login/options');
  const response = authenticator.get({ challenge: options.challenge }, user.id);
  expect(await identity.post('/v1/auth/passkeys/login', { response })).toMatchObject({
    status: 401,
    body: { code: 'invalid_passkey' },
  });
  const login = await people.logIn(email, newPassword);
  expect(login.status).toBe(200);
  expect(await people.stateOf(login.body.accessToken)).toMatchObject({ enabled: false, recoveryCodesLeft: 0 });
  const mailed = await eventually(() => identity.eventsOf(user.id, 'identity.password-changed')[0], 'the mail');
  expect(mailed.data).toMatchObject({ how: 'reset', factorsDropped: true });
});

it('the link in the mail about a new factor undoes all changes, and the owner has the factors of before', async () => {
  const { email, user, secret, recoveryCodes } = await people.memberWithTotp('chain@one.example');
  const [codeOfBefore = '', another = ''] = recoveryCodes;
  identity.advance(7 * dayS);
  const logIn = async (given: string, recoveryCode: string) => {
    const { body } = await people.logIn(email, given);
    return (await people.verify({ mfaToken: body.mfaToken, recoveryCode })).body;
  };
  const thief = await logIn(password, codeOfBefore);
  const { authenticator } = await people.addPasskey(thief.accessToken);
  const token = await revertLinkFields(user.id, 'identity.second-factor-changed', 3);
  expect((await identity.call('DELETE', '/v1/auth/mfa/totp', { as: thief.accessToken })).status).toBe(204);
  const { body: codes } = await identity.post('/v1/auth/mfa/recovery-codes', undefined, thief.accessToken);
  const change = { currentPassword: password, newPassword: 'the keeper of the keys' };
  expect((await identity.post('/v1/auth/password/change', change, thief.accessToken)).status).toBe(200);

  const answers = await times(5, () => revert(token));
  expect(statuses(answers)).toEqual({ 200: 1, 400: 4 });
  expect(answers.find(({ status }) => status === 200)?.body).toMatchObject({
    revoked: true,
    undone: ['passkey-added', 'totp-removed', 'recovery-codes-made', 'password-changed'],
  });
  expect(await revert(await revertLinkFields(user.id, 'identity.password-changed'))).toMatchObject({
    status: 400,
    body: { code: 'invalid_revert_token' },
  });
  for (const given of [password, change.newPassword])
    expect((await people.logIn(email, given)).body.code).toBe('invalid_credentials');
  await resetPassword(email);
  const { body: login } = await people.logIn(email, newPassword);
  expect(login.methods).toEqual(['totp', 'recovery-code']);
  // The code that the thief has used stays used, and the thief's own ones are invalid.
  for (const recoveryCode of [codeOfBefore, codes.recoveryCodes[0]])
    expect((await people.verify({ mfaToken: login.mfaToken, recoveryCode })).body.code).toBe('invalid_factor');
  const passkey = authenticator.get({ challenge: 'AAAA' }, user.id);
  expect((await people.verify({ mfaToken: login.mfaToken, passkey })).body.code).toBe('invalid_factor');
  identity.advance(30);
  expect((await people.verify({ mfaToken: login.mfaToken, code: people.codeOf(secret) })).status).toBe(200);
  expect((await logIn(newPassword, another)).user.email).toBe(email);
});

it('a session that has ended meanwhile changes nothing any more', async () => {
  const { email, accessToken, user } = await identity.member('late@one.example');
  const { body: thief } = await people.logIn(email);
  const { body: begun } = await identity.post('/v1/auth/mfa/totp', undefined, thief.accessToken);
  await people.addPasskey(accessToken);
  expect((await revert(await revertLinkFields(user.id, 'identity.second-factor-changed'))).status).toBe(200);
  // As a request that passed the gateway just before.
  const late = { code: people.codeOf(begun.secret) };
  expect((await identity.post('/v1/auth/mfa/totp/confirm', late, thief.accessToken)).status).not.toBe(200);
  expect((await identity.collection('factors').findOne({ _id: user.id })).totp).toBeNull();
});

it('a link works for seven days', async () => {
  const { accessToken, user } = await identity.member('week@one.example');
  await people.addPasskey(accessToken);
  const token = await revertLinkFields(user.id, 'identity.second-factor-changed');
  identity.advance(7 * dayS);
  expect((await revert(token)).status).toBe(400);
});
