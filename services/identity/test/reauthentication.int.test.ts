import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthenticator } from './authenticator.ts';
import { password, startIdentity, type IdentityHarness } from './harness.ts';
import { secondFactors } from './second-factors.ts';

let identity: IdentityHarness;
let people: ReturnType<typeof secondFactors>;
beforeAll(async () => {
  identity = await startIdentity();
  people = secondFactors(identity);
});
afterAll(() => identity.close());

const newPassword = 'another quiet morning';
const stale = (methods: string[]) => ({ status: 403, body: { code: 'reauthentication_required', methods } });

/** Everything that needs a fresh proof, as requests that change nothing where they are refused. */
const guarded: readonly (readonly [string, string, object?])[] = [
  ['POST', '/v1/auth/password/change', { currentPassword: password, newPassword }],
  ['POST', '/v1/users/me/email', { email: 'new@address.example' }],
  ['POST', '/v1/auth/mfa/totp'],
  ['DELETE', '/v1/auth/mfa/totp'],
  ['POST', '/v1/auth/mfa/recovery-codes'],
  ['POST', '/v1/auth/passkeys/options'],
  ['POST', '/v1/users/me/export'],
  ['DELETE', '/v1/users/me', { password }],
];
const send = ([method, path, body]: (typeof guarded)[number], as: string) =>
  identity.call(method, path, { as, ...(body && { body }) });

describe('what changes password, email or factors, and what copies or erases all data', () => {
  it('needs a proof of the last five minutes: of the password', async () => {
    const { accessToken, refreshToken } = await identity.member('ada@one.example');
    people.waitUntilStale();
    for (const request of guarded) expect(await send(request, accessToken)).toMatchObject(stale(['password']));
    // A refresh proves nothing.
    const { body: refreshed } = await identity.post('/v1/auth/refresh', { refreshToken });
    expect(await send(['POST', '/v1/auth/mfa/totp'], refreshed.accessToken)).toMatchObject(stale(['password']));
    const wrong = await people.reauthenticate(accessToken, { password: 'wrong' });
    expect(wrong.body.errors).toMatchObject([{ pointer: '/password', code: 'password_wrong' }]);
    expect(await send(['POST', '/v1/auth/mfa/totp'], accessToken)).toMatchObject(stale(['password']));
    const proved = await people.reauthenticate(accessToken, { password });
    expect(proved.status).toBe(200);
    expect(Date.parse(proved.body.freshUntil) - Date.parse(proved.body.authenticatedAt)).toBe(5 * 60 * 1000);
    expect((await send(['POST', '/v1/auth/mfa/totp'], accessToken)).status).toBe(200);
    identity.advance(5 * 60);
    expect(await send(['POST', '/v1/auth/mfa/totp'], accessToken)).toMatchObject(stale(['password']));
  });

  it('needs a proof by a factor where there is one: the password is not enough', async () => {
    const { email, accessToken, secret, recoveryCodes } = await people.memberWithTotp('factor@one.example');
    // A session of before the factor was set up has proved the password only.
    people.waitUntilStale();
    for (const request of guarded)
      expect(await send(request, accessToken)).toMatchObject(stale(['totp', 'recovery-code']));
    const byPassword = await people.reauthenticate(accessToken, { password });
    expect(byPassword.body.errors).toMatchObject([{ pointer: '/password', code: 'second_factor_needed' }]);
    expect((await people.reauthenticate(accessToken, { code: '000000' })).body.code).toBe('invalid_factor');
    expect((await people.reauthenticate(accessToken, { code: people.codeOf(secret) })).status).toBe(200);
    expect((await send(['POST', '/v1/auth/mfa/recovery-codes'], accessToken)).status).toBe(200);
    people.waitUntilStale();
    expect((await people.reauthenticate(accessToken, { recoveryCode: recoveryCodes[0] })).status).toBe(400);
    const login = { mfaToken: await people.mfaTokenOf(email), code: people.codeOf(secret) };
    const { body } = await people.verify(login);
    expect((await send(['DELETE', '/v1/auth/mfa/totp'], body.accessToken)).status).toBe(204);
  });

  it('is not open to another session that was fresh before the factor was set up', async () => {
    const { email, accessToken } = await identity.member('other@one.example');
    const { body: other } = await people.logIn(email);
    await people.addTotp(accessToken);
    expect(await send(['DELETE', '/v1/auth/mfa/totp'], other.accessToken)).toMatchObject(
      stale(['totp', 'recovery-code']),
    );
  });

  it('takes a passkey as proof, of this session and with its user verified', async () => {
    const { email, accessToken, user, passkey } = await people.memberWithPasskey('passkey@one.example');
    const { authenticator } = passkey;
    people.waitUntilStale();
    const remove: (typeof guarded)[number] = ['DELETE', `/v1/auth/passkeys/${passkey.id}`];
    expect(await send(remove, accessToken)).toMatchObject(stale(['passkey', 'recovery-code']));
    const optionsOf = async (as: string) =>
      (await identity.post('/v1/auth/reauthenticate/passkey-options', undefined, as)).body;
    const options = await optionsOf(accessToken);
    expect(options).toMatchObject({ userVerification: 'required', allowCredentials: [{ type: 'public-key' }] });
    const unverified = authenticator.get({ challenge: options.challenge, verifiesUser: false }, user.id);
    expect((await people.reauthenticate(accessToken, { passkey: unverified })).status).toBe(400);
    const { challenge } = await optionsOf(accessToken);
    const { body: login } = await identity.post('/v1/auth/passkeys/login/options');
    const { body: other } = await identity.post('/v1/auth/passkeys/login', {
      response: authenticator.get({ challenge: login.challenge }, user.id),
    });
    const answer = authenticator.get({ challenge }, user.id);
    expect((await people.reauthenticate(other.accessToken, { passkey: answer })).status).toBe(400);
    expect((await people.reauthenticate(accessToken, { passkey: answer })).status).toBe(200);
    const change = await send(
      ['POST', '/v1/auth/password/change', { currentPassword: password, newPassword }],
      accessToken,
    );
    expect(change.status).toBe(200);
    // The new tokens of this device are as fresh as those that they replace.
    expect((await identity.post('/v1/auth/mfa/recovery-codes', undefined, change.body.accessToken)).status).toBe(200);
    expect((await people.logIn(email, newPassword)).body.code).toBe('mfa_required');
  });

  it('names what is wrong with a proof', async () => {
    const { accessToken } = await identity.member('body@one.example');
    for (const body of [{}, { password, code: '000000' }])
      expect((await people.reauthenticate(accessToken, body)).body.code).toBe('validation_failed');
    expect((await people.reauthenticate(accessToken, { code: '000000' })).body.code).toBe('invalid_factor');
    expect(await identity.post('/v1/auth/reauthenticate/passkey-options', undefined, accessToken)).toMatchObject({
      status: 422,
      body: { code: 'second_factor_missing' },
    });
    expect((await identity.post('/v1/auth/reauthenticate', { password })).status).toBe(401);
  });

  it('counts wrong passwords as failed logins', async () => {
    const { accessToken } = await identity.member('throttled@one.example');
    await identity.atOneMoment(async () => {
      for (let round = 0; round < 5; round += 1)
        expect((await people.reauthenticate(accessToken, { password: 'wrong' })).status).toBe(400);
      expect(await people.reauthenticate(accessToken, { password })).toMatchObject({ status: 429 });
    });
  });
});

describe('where administrators need a second factor', () => {
  const root = { email: 'root@shop.example', password: 'the keeper of the keys' };
  const logIn = (at: IdentityHarness) => at.post('/v1/auth/login', root);
  const roleOf = (token: string) => decodeJwt(token)['role'];
  let strict: IdentityHarness;
  let admins: ReturnType<typeof secondFactors>;
  beforeAll(async () => {
    strict = await startIdentity({ ADMIN_EMAIL: root.email, ADMIN_PASSWORD: root.password, ADMIN_MFA: 'required' });
    admins = secondFactors(strict);
  });
  afterAll(() => strict.close());

  it('one without gets a session that may only set one up, and is an administrator after that', async () => {
    const { status, body } = await logIn(strict);
    expect(status).toBe(200);
    expect(roleOf(body.accessToken)).toBe('enrolling');
    // Whoever else knows the password at that time has such a session as well.
    const { body: thief } = await logIn(strict);
    const as = body.accessToken;
    expect((await admins.stateOf(as)).required).toBe(true);
    for (const [method, path] of [
      ['GET', '/v1/trade-accounts'],
      ['GET', '/v1/users/me'],
      ['GET', '/v1/auth/sessions'],
      ['POST', '/v1/auth/password/change'],
      ['POST', '/v1/users/me/email'],
      ['POST', '/v1/users/me/export'],
      ['DELETE', '/v1/auth/mfa/totp'],
    ] as const)
      expect(await strict.call(method, path, { as })).toMatchObject({ status: 403, body: { code: 'session_limited' } });

    const { secret } = await admins.addTotp(as);
    const { body: refreshed } = await strict.post('/v1/auth/refresh', { refreshToken: body.refreshToken });
    expect(roleOf(refreshed.accessToken)).toBe('admin');
    expect((await strict.call('GET', '/v1/trade-accounts', { as: refreshed.accessToken })).status).toBe(200);
    const { body: stolen } = await strict.post('/v1/auth/refresh', { refreshToken: thief.refreshToken });
    expect(roleOf(stolen.accessToken)).toBe('enrolling');
    expect(await strict.post('/v1/auth/passkeys/options', undefined, stolen.accessToken)).toMatchObject({
      body: { code: 'reauthentication_required' },
    });

    strict.advance(30);
    const { body: waiting } = await logIn(strict);
    const verified = await admins.verify({ mfaToken: waiting.mfaToken, code: admins.codeOf(secret) });
    expect(roleOf(verified.body.accessToken)).toBe('admin');

    const last = await strict.call('DELETE', '/v1/auth/mfa/totp', { as: verified.body.accessToken });
    expect(last).toMatchObject({ status: 422, body: { code: 'last_factor_required' } });
    const { id } = await admins.addPasskey(verified.body.accessToken, createAuthenticator());
    expect((await strict.call('DELETE', '/v1/auth/mfa/totp', { as: verified.body.accessToken })).status).toBe(204);
    const path = `/v1/auth/passkeys/${id}`;
    expect((await strict.call('DELETE', path, { as: verified.body.accessToken })).status).toBe(422);
  });

  it('everybody else logs in as before', async () => {
    const { email } = await strict.member('retail@one.example');
    const { body } = await admins.logIn(email);
    expect(roleOf(body.accessToken)).toBe('retail');
  });

  it('an administrator logs in without one where it is optional', async () => {
    const lenient = await startIdentity({ ADMIN_EMAIL: root.email, ADMIN_PASSWORD: root.password });
    try {
      const { body } = await logIn(lenient);
      expect(roleOf(body.accessToken)).toBe('admin');
    } finally {
      await lenient.close();
    }
  });
});
