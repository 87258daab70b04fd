import { eventually, outcomes, times, wrongFields } from '@storefront/testing';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { otherThan, password, startIdentity, type IdentityHarness } from './harness.ts';

let identity: IdentityHarness;
beforeAll(async () => (identity = await startIdentity()));
afterAll(() => identity.close());

const newPassword = 'another quiet morning';
const logIn = (email: string, given: string) => identity.post('/v1/auth/login', { email, password: given });

describe('a forgotten password', () => {
  it('is set again by a code; every session ends', async () => {
    const { email, user, refreshToken } = await identity.member('ada@one.example');
    const { recoveryId, code } = await identity.recovery(email);
    const answer = await identity.post('/v1/auth/password/reset', { recoveryId, code, newPassword });
    expect(answer).toMatchObject({ status: 200, body: { revoked: true, revokedAt: expect.any(String) } });
    expect(answer.headers.get('x-tokens-revoked')).toBe(`${user.id} 2`);
    expect((await identity.post('/v1/auth/refresh', { refreshToken })).status).toBe(401);
    expect(await identity.collection('sessions').countDocuments({ userId: user.id })).toBe(0);
    expect((await logIn(email, password)).status).toBe(401);
    expect((await logIn(email, newPassword)).status).toBe(200);
    await eventually(() => identity.eventsAbout(email, 'identity.password-changed').length === 1, 'the security mail');
    const again = await identity.post('/v1/auth/password/reset', { recoveryId, code, newPassword });
    expect(again).toMatchObject({ status: 400, body: { code: 'invalid_code' } });
  });

  it('is set again by the link of the mail, on any device', async () => {
    const { email } = await identity.member('link@one.example');
    const { link } = await identity.recovery(email);
    expect((await identity.post('/v1/auth/password/reset', { code: link, newPassword })).status).toBe(200);
    expect((await logIn(email, newPassword)).status).toBe(200);
    expect(await identity.post('/v1/auth/password/reset', { code: link, newPassword })).toMatchObject({
      status: 400,
      body: { code: 'invalid_code' },
    });
  });

  it('has a link that is valid for an hour, and digits that are valid for ten minutes', async () => {
    const { email } = await identity.member('hour@one.example');
    const { recoveryId, code, link } = await identity.recovery(email);
    identity.advance(601);
    const late = await identity.post('/v1/auth/password/reset', { recoveryId, code, newPassword });
    expect(late).toMatchObject({ body: { code: 'invalid_code' } });
    identity.advance(2999);
    expect((await identity.post('/v1/auth/password/reset', { code: link, newPassword })).status).toBe(400);
    const second = await identity.recovery(email);
    identity.advance(3000);
    expect((await identity.post('/v1/auth/password/reset', { code: second.link, newPassword })).status).toBe(200);
  });

  it('of an administrator is set again by the link alone', async () => {
    const { email, user } = await identity.member('keeper@one.example');
    await identity.collection('users').updateOne({ _id: user.id }, { $set: { role: 'admin' } });
    const { recoveryId, code, link } = await identity.recovery(email);
    expect(code).toBe('');
    const guess = await identity.post('/v1/auth/password/reset', { recoveryId, code: '123456', newPassword });
    expect(guess).toMatchObject({ body: { code: 'invalid_code' } });
    expect((await identity.post('/v1/auth/password/reset', { code: link, newPassword })).status).toBe(200);
  });

  it('has digits that are valid for nothing else, and only for the recovery that they were mailed for', async () => {
    const { email } = await identity.member('purpose@one.example');
    const [first, second] = [await identity.recovery(email), await identity.recovery(email)];
    // Two codes may happen to be the same; then there is nothing to see here.
    const isSame = first.code === second.code;
    const { recoveryId } = first;
    const crossed = await identity.post('/v1/auth/password/reset', { recoveryId, code: second.code, newPassword });
    expect(isSame || crossed.body.code === 'invalid_code').toBe(true);
    const without = await identity.post('/v1/auth/password/reset', { code: first.code, newPassword });
    expect(without).toMatchObject({ status: 400, body: { code: 'invalid_code' } });
    const registration = await identity.registered('other@one.example');
    const asRegistration = { registrationId: registration.registrationId, code: first.code };
    const verified = await identity.post('/v1/auth/verify', asRegistration);
    expect(registration.code === first.code || verified.body.code === 'invalid_code').toBe(true);
    const reset = { ...second, newPassword };
    expect(
      (await identity.post('/v1/auth/password/reset', { recoveryId: reset.recoveryId, code: reset.code, newPassword }))
        .status,
    ).toBe(200);
    // The other one died with it.
    const { link } = first;
    expect((await identity.post('/v1/auth/password/reset', { code: link, newPassword })).status).toBe(400);
  });

  it('is requested five times an hour by one sender, and any time by another', async () => {
    const { email } = await identity.member('often@one.example');
    await identity.atOneMoment(async () => {
      const answers = await times(8, () => identity.post('/v1/auth/password/forgot', { email }));
      expect(outcomes(answers)).toEqual({ 202: 5, '429 too_many_codes': 3 });
      await identity.recovery(email, { 'x-client-ip': '192.0.2.8' });
    });
  });

  it('is set once by fifty requests at once with one code', async () => {
    const { email } = await identity.member('race@one.example');
    const { link } = await identity.recovery(email);
    const answers = await times(50, () => identity.post('/v1/auth/password/reset', { code: link, newPassword }));
    expect(outcomes(answers)).toEqual({ 200: 1, '400 invalid_code': 49 });
  });

  it('is compared with five of fifty wrong codes at once, of one recovery alone', async () => {
    const { email, user } = await identity.member('guess@one.example');
    const strangers = await identity.recovery(email, { 'x-client-ip': '192.0.2.8' });
    const own = await identity.recovery(email);
    const wrong = { recoveryId: strangers.recoveryId, code: otherThan(strangers.code), newPassword };
    await times(50, () => identity.post('/v1/auth/password/reset', wrong));
    const tried = await identity.collection('recoveries').find({ userId: user.id }).toArray();
    expect(new Set(tried.map(({ code }) => code.attempts))).toEqual(new Set([0, 5]));
    const { recoveryId, code } = own;
    expect((await identity.post('/v1/auth/password/reset', { recoveryId, code, newPassword })).status).toBe(200);
  });

  it('names a weak password together with the other wrong fields, and counts no try', async () => {
    const { email, user } = await identity.member('fields@one.example');
    const { recoveryId } = await identity.recovery(email);
    const answer = await identity.post('/v1/auth/password/reset', { recoveryId, code: 'abc', newPassword: 'fields' });
    expect(wrongFields(answer)).toEqual({ '/code': 'invalid_format', '/newPassword': 'password_too_short' });
    expect((await identity.collection('recoveries').findOne({ userId: user.id })).code.attempts).toBe(0);
  });

  it('shows the names of the owner to nobody without the code, and does not use up the code', async () => {
    const { email } = await identity.member('names@one.example');
    const { recoveryId, code } = await identity.recovery(email);
    const withName = 'my lovelace garden';
    const stranger = { recoveryId, code: otherThan(code), newPassword: withName };
    expect(await identity.post('/v1/auth/password/reset', stranger)).toMatchObject({ body: { code: 'invalid_code' } });
    const owner = await identity.post('/v1/auth/password/reset', { recoveryId, code, newPassword: withName });
    expect(wrongFields(owner)).toEqual({ '/newPassword': 'password_contains_personal' });
    expect((await identity.post('/v1/auth/password/reset', { recoveryId, code, newPassword })).status).toBe(200);
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
