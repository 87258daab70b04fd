import { eventually, outcomes, times, wrongFields } from '@storefront/testing';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { otherThan, password, startIdentity } from './harness.ts';
import type { IdentityHarness } from './harness.ts';

let identity: IdentityHarness;
beforeAll(async () => (identity = await startIdentity()));
afterAll(() => identity.close());

const newPassword = 'another quiet morning';
const asked = 'identity.password-reset-requested';
const logIn = (email: string, given: string) => identity.post('/v1/auth/login', { email, password: given });

async function codeToReset(email: string, count = 1): Promise<string> {
  expect(await identity.post('/v1/auth/password/forgot', { email })).toMatchObject({ status: 202 });
  return identity.codeOf(email, count, asked);
}

describe('a forgotten password', () => {
  it('is set again by a code; every session ends', async () => {
    const { email, user, refreshToken } = await identity.member('ada@one.example');
    const code = await codeToReset(email);
    const answer = await identity.post('/v1/auth/password/reset', { email, code, newPassword });
    expect(answer).toMatchObject({ status: 200, body: { revoked: true, revokedAt: expect.any(String) } });
    expect(answer.headers.get('x-tokens-revoked')).toBe(`${user.id} 2`);
    expect((await identity.post('/v1/auth/refresh', { refreshToken })).status).toBe(401);
    expect(await identity.collection('sessions').countDocuments({ userId: user.id })).toBe(0);
    expect((await logIn(email, password)).status).toBe(401);
    expect((await logIn(email, newPassword)).status).toBe(200);
    await eventually(() => identity.eventsAbout(email, 'identity.password-changed').length === 1, 'the security mail');
    const again = await identity.post('/v1/auth/password/reset', { email, code, newPassword });
    expect(again).toMatchObject({ status: 400, body: { code: 'invalid_code' } });
  });

  it('verifies the email as well', async () => {
    const { email } = await identity.registered('unverified@one.example');
    const code = await codeToReset(email);
    expect((await identity.post('/v1/auth/password/reset', { email, code, newPassword })).status).toBe(200);
    expect(await logIn(email, newPassword)).toMatchObject({ status: 200, body: { user: { status: 'active' } } });
    await eventually(
      () => identity.eventsAbout(email, 'identity.user-verified').length === 1,
      'the event that it is verified',
    );
  });

  it('has a code that is valid for nothing else, and accepts no other', async () => {
    const { email, code: toVerify } = await identity.registered('purpose@one.example');
    const toReset = await codeToReset(email);
    // Two codes may happen to be the same; then there is nothing to see here.
    const isSame = toVerify === toReset;
    const reset = await identity.post('/v1/auth/password/reset', { email, code: toVerify, newPassword });
    expect(isSame || reset.body.code === 'invalid_code').toBe(true);
    const verified = await identity.post('/v1/auth/verify', { email, code: toReset });
    expect(isSame || verified.body.code === 'invalid_code').toBe(true);
    expect((await identity.post('/v1/auth/verify', { email, code: toVerify })).status).toBe(200);
  });

  it('is asked for once a minute and five times an hour', async () => {
    const { email } = await identity.member('often@one.example');
    for (let round = 0; round < 8; round += 1) {
      await identity.post('/v1/auth/password/forgot', { email });
      await identity.post('/v1/auth/password/forgot', { email });
      identity.advance(61);
    }
    await identity.codeOf(email, 5, asked);
    expect((await identity.collection('users').findOne({ email })).codesSent.reset).toHaveLength(5);
  });

  it('is set once by fifty requests at once with one code', async () => {
    const { email } = await identity.member('race@one.example');
    const code = await codeToReset(email);
    const answers = await times(50, () => identity.post('/v1/auth/password/reset', { email, code, newPassword }));
    expect(outcomes(answers)).toEqual({ 200: 1, '400 invalid_code': 49 });
  });

  it('is compared with five of fifty wrong codes at once', async () => {
    const { email } = await identity.member('guess@one.example');
    const code = otherThan(await codeToReset(email));
    await times(50, () => identity.post('/v1/auth/password/reset', { email, code, newPassword }));
    expect((await identity.collection('users').findOne({ email })).codes.reset.attempts).toBe(5);
  });

  it('names a weak password together with the other wrong fields, and counts no try', async () => {
    const { email } = await identity.member('fields@one.example');
    await codeToReset(email);
    const answer = await identity.post('/v1/auth/password/reset', { email, code: 'abc', newPassword: 'fields' });
    expect(answer.body.errors.map((error: any) => `${error.pointer} ${error.code}`).toSorted()).toEqual([
      '/code invalid_format',
      '/newPassword password_contains_personal',
      '/newPassword password_too_short',
    ]);
    expect((await identity.collection('users').findOne({ email })).codes.reset.attempts).toBe(0);
  });

  it('shows the names of the owner to nobody without the code, and does not use up the code', async () => {
    const { email } = await identity.member('names@one.example');
    const code = await codeToReset(email);
    const withName = 'my lovelace garden';
    const stranger = { email, code: otherThan(code), newPassword: withName };
    expect(await identity.post('/v1/auth/password/reset', stranger)).toMatchObject({ body: { code: 'invalid_code' } });
    const owner = await identity.post('/v1/auth/password/reset', { email, code, newPassword: withName });
    expect(owner.body.errors).toMatchObject([{ pointer: '/newPassword', code: 'password_contains_personal' }]);
    expect((await identity.post('/v1/auth/password/reset', { email, code, newPassword })).status).toBe(200);
  });
});

describe('POST /v1/auth/password/change', () => {
  const change = (as: string, currentPassword: string, next = newPassword) =>
    identity.post('/v1/auth/password/change', { currentPassword, newPassword: next }, as);

  it('answers new tokens for this device and ends all others', async () => {
    const { email, accessToken, refreshToken, user } = await identity.member('ada@two.example');
    const answer = await change(accessToken, password);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-tokens-revoked')).toBe(`${user.id} 2`);
    expect(decodeJwt(answer.body.accessToken)['ver']).toBe(2);
    expect((await identity.post('/v1/auth/refresh', { refreshToken })).status).toBe(401);
    expect((await identity.post('/v1/auth/refresh', { refreshToken: answer.body.refreshToken })).status).toBe(200);
    expect((await logIn(email, newPassword)).status).toBe(200);
    await eventually(
      () => identity.eventsAbout(email, 'identity.password-changed').find(({ data }) => data.how === 'change'),
      'the security mail',
    );
  });

  it('needs the current password, and counts the wrong ones as failed logins', async () => {
    const { email, accessToken } = await identity.member('wrong@two.example');
    await identity.atOneMoment(async () => {
      for (let round = 0; round < 5; round += 1) {
        const answer = await change(accessToken, 'wrong');
        expect(answer.body.errors).toMatchObject([{ pointer: '/currentPassword', code: 'password_wrong' }]);
      }
      expect(await change(accessToken, password)).toMatchObject({ status: 429 });
      expect((await logIn(email, password)).status).toBe(429);
    });
  });

  it('refuses a weak one', async () => {
    const { accessToken } = await identity.member('weak@two.example');
    expect((await change(accessToken, password, 'iloveyou')).body.errors).toMatchObject([
      { pointer: '/newPassword', code: 'password_too_common' },
    ]);
  });

  it('names a weak password together with the other wrong fields', async () => {
    const { accessToken } = await identity.member('fields@two.example');
    expect(wrongFields(await change(accessToken, '', 'iloveyou'))).toEqual({
      '/currentPassword': 'too_small',
      '/newPassword': 'password_too_common',
    });
  });

  it('refuses the names of the owner, whom it knows', async () => {
    const { accessToken } = await identity.member('names@two.example');
    expect(wrongFields(await change(accessToken, password, 'my lovelace garden'))).toEqual({
      '/newPassword': 'password_contains_personal',
    });
  });

  it('is only for who is logged in', async () => {
    const answer = await identity.post('/v1/auth/password/change', { currentPassword: password, newPassword });
    expect(answer.status).toBe(401);
  });
});
