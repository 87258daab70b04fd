import { newId } from '@storefront/contracts';
import { eventually, runCommand, startCommand, times } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { password, startIdentity, type IdentityHarness } from './harness.ts';
import { secondFactors } from './second-factors.ts';

const root = { email: 'root@shop.example', password: 'the keeper of the keys' };
let identity: IdentityHarness;
let people: ReturnType<typeof secondFactors>;
beforeAll(async () => {
  identity = await startIdentity({ ADMIN_EMAIL: root.email, ADMIN_PASSWORD: root.password });
  people = secondFactors(identity);
});
afterAll(() => identity.close());

type Administrator = Awaited<ReturnType<typeof administrator>>;

/** An administrator who has just proved a second factor. */
async function administrator(email: string) {
  const { user, secret, recoveryCodes } = await people.memberWithTotp(email);
  await identity.collection('users').updateOne({ _id: user.id }, { $set: { role: 'admin' }, $inc: { version: 1 } });
  const { body } = await people.verify({ mfaToken: await people.mfaTokenOf(email), code: people.codeOf(secret) });
  identity.advance(30);
  return {
    email,
    id: user.id,
    secret,
    recoveryCodes,
    as: body.accessToken as string,
    refreshToken: body.refreshToken as string,
  };
}

const reason = 'Left the shop.';
const disable = (by: Administrator, { id }: { id: string }) =>
  identity.post(`/v1/staff/${id}/disable`, { reason }, by.as);
const enable = (by: Administrator, { id }: { id: string }) => identity.post(`/v1/staff/${id}/enable`, {}, by.as);
const read = async (by: Administrator, id: string) =>
  (await identity.call('GET', `/v1/staff/${id}`, { as: by.as })).body;
const entriesOf = async ({ as }: Administrator, action: string, userId: string): Promise<any[]> =>
  (await identity.call('GET', `/v1/audit?user=${userId}&action=${action}`, { as })).body.data;
const enabled = () => identity.collection('users').countDocuments({ role: 'admin', status: 'active' });
const refusedAs = (code: string, status: number) => ({ status, body: { code } });

describe('the list of the staff', () => {
  it('shows role, status, second factors and devices, to administrators alone', async () => {
    const ada = await administrator('ada@list.example');
    const { accessToken, user } = await identity.member('retail@list.example');
    const { body } = await identity.call('GET', '/v1/staff?limit=1', { as: ada.as });
    expect(body.data).toEqual([
      {
        id: ada.id,
        email: ada.email,
        firstName: 'Ada',
        lastName: 'Lovelace',
        role: 'admin',
        status: 'enabled',
        totp: { confirmedAt: expect.any(String) },
        passkeys: [],
        recoveryCodesLeft: 10,
        sessions: 2,
        lastSeenAt: expect.any(String),
        createdAt: expect.any(String),
      },
    ]);
    const { body: next } = await identity.call('GET', `/v1/staff?cursor=${body.nextCursor}`, { as: ada.as });
    expect(next.data).toMatchObject([{ email: root.email, totp: null, sessions: 0, lastSeenAt: null }]);
    expect(await read(ada, ada.id)).toEqual(body.data[0]);
    for (const path of ['', `/${ada.id}`])
      expect((await identity.call('GET', `/v1/staff${path}`, { as: accessToken })).status).toBe(403);
    expect(await disable(ada, user)).toMatchObject(refusedAs('not_found', 404));
  });
});

describe('what changes an administrator', () => {
  it('needs a proof by a second factor of the last five minutes', async () => {
    const [ada, bob] = [await administrator('ada@proof.example'), await administrator('bob@proof.example')];
    const { body } = await identity.post('/v1/auth/login', root);
    const byPassword = { ...ada, as: body.accessToken as string };
    people.waitUntilStale();
    const requests: readonly (readonly [string, string, object?])[] = [
      ['POST', 'disable', { reason }],
      ['POST', 'enable', {}],
      ['DELETE', 'sessions'],
      ['DELETE', 'totp'],
    ];
    for (const [method, what, given] of requests) {
      const send = (as: string) => identity.call(method, `/v1/staff/${bob.id}/${what}`, { as, body: given });
      expect(await send(byPassword.as)).toMatchObject(refusedAs('second_factor_missing', 422));
      expect(await send(ada.as)).toMatchObject(refusedAs('reauthentication_required', 403));
    }
    await people.reauthenticate(ada.as, { code: people.codeOf(ada.secret) });
    expect(await disable(ada, bob)).toMatchObject({ status: 200, body: { status: 'disabled', sessions: 0 } });
  });
});

describe('a disabled administrator', () => {
  it('has no tokens and no way in, until enabled again', async () => {
    const [ada, bob] = [await administrator('ada@leave.example'), await administrator('bob@leave.example')];
    const passkey = await people.addPasskey(bob.as);
    const waiting = await people.mfaTokenOf(bob.email);
    const { ver } = JSON.parse(Buffer.from(bob.as.split('.')[1] ?? '', 'base64url').toString()) as { ver: number };

    const done = await disable(ada, bob);
    expect(done.headers.get('x-tokens-revoked')).toContain(bob.id);
    expect(done.body).toMatchObject({ id: bob.id, status: 'disabled', sessions: 0, lastSeenAt: null });
    const revoked = await eventually(
      () => identity.events.find(({ type, subject }) => type === 'identity.tokens-revoked' && subject === bob.id),
      'the event for the gateways',
    );
    expect(revoked.data).toEqual({ tokenVersion: ver + 1, sessionId: null, reason: 'disabled' });
    const changes = () => identity.eventsAbout(bob.email, 'identity.staff-changed');
    await eventually(() => changes().length === 1, 'the event for the mail');
    expect(changes()[0]?.data).toMatchObject({ firstName: 'Ada', change: 'disabled', reason });
    await eventually(
      async () => (await entriesOf(ada, 'staff-disabled', bob.id)).length === 1,
      'the entry in the audit log',
    );

    const isDisabled = refusedAs('account_disabled', 403);
    expect(await people.logIn(bob.email)).toMatchObject(isDisabled);
    expect(await people.logIn(bob.email, 'wrong')).toMatchObject(refusedAs('invalid_credentials', 401));
    expect(await people.verify({ mfaToken: waiting, code: people.codeOf(bob.secret) })).toMatchObject(
      refusedAs('invalid_mfa_token', 401),
    );
    expect(await identity.post('/v1/auth/refresh', { refreshToken: bob.refreshToken })).toMatchObject(
      refusedAs('invalid_refresh_token', 401),
    );
    const { body: options } = await identity.post('/v1/auth/passkeys/login/options');
    const response = passkey.authenticator.get({ challenge: options.challenge }, bob.id);
    expect(await identity.post('/v1/auth/passkeys/login', { response })).toMatchObject(isDisabled);
    const { link } = await identity.recovery(bob.email);
    const newPassword = 'another quiet morning';
    expect((await identity.post('/v1/auth/password/reset', { code: link, newPassword })).status).toBe(200);
    expect(await people.logIn(bob.email, newPassword)).toMatchObject(isDisabled);
    // Requests that were under way while it happened.
    for (const [path, body] of [
      ['/v1/auth/password/change', { currentPassword: newPassword, newPassword: password }],
      ['/v1/auth/mfa/totp'],
    ] as const)
      expect((await identity.post(path, body, bob.as)).status).toBe(403);

    expect(await disable(ada, bob)).toMatchObject(refusedAs('invalid_transition', 409));
    expect(await enable(ada, bob)).toMatchObject({ status: 200, body: { status: 'enabled' } });
    expect(await enable(ada, bob)).toMatchObject(refusedAs('invalid_transition', 409));
    // The reset has dropped the factors, which were added on the same day.
    expect(await people.logIn(bob.email, newPassword)).toMatchObject({ status: 200 });
  });

  it('is never the last one, also where all disable each other at once', async () => {
    await identity.collection('users').updateMany({ role: 'admin' }, { $set: { status: 'disabled' } });
    const all = [await administrator('one@last.example'), await administrator('two@last.example')];
    const third = await administrator('three@last.example');
    const [one, two] = all as [Administrator, Administrator];
    const rounds = await times(5, async () => {
      const answers = await Promise.all([disable(one, two), disable(two, one), disable(third, third)]);
      return answers.map(({ status }) => status);
    });
    expect(rounds.flat().filter((status) => status === 200)).toHaveLength(2);
    expect(await enabled()).toBe(1);
    for (const each of [one, two, third]) {
      const { status } = await read(each, each.id);
      const code = status === 'enabled' ? refusedAs('last_administrator', 422) : { status: 403 };
      expect(await disable(each, each)).toMatchObject(code);
    }
    expect(await enabled()).toBe(1);
  });
});

describe('a role', () => {
  const give = (by: Administrator, { id }: { id: string }, role: string, headers = {}) =>
    identity.call('PUT', `/v1/users/${id}/role`, { as: by.as, body: { role }, headers });
  const roleIn = (token: string) =>
    (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { role: string }).role;

  it('is given to a consumer and taken away, and every change ends all sessions at once', async () => {
    const ada = await administrator('ada@role.example');
    const carol = await identity.member('carol@role.example');
    const { email, user } = carol;
    const { id } = user;
    for (const [role, former] of [
      ['catalog', carol.refreshToken],
      ['support', null],
      ['retail', null],
    ] as const) {
      const refreshToken = former ?? (await people.logIn(email)).body.refreshToken;
      const given = await give(ada, { id }, role);
      expect(given).toMatchObject({ status: 200, body: { id, role, status: 'active' } });
      expect(given.headers.get('x-tokens-revoked')).toContain(id);
      expect(await identity.post('/v1/auth/refresh', { refreshToken })).toMatchObject({ status: 401 });
      const { body } = await people.logIn(email);
      expect([body.user.role, roleIn(body.accessToken)]).toEqual([role, role]);
      const { body: found } = await identity.call('GET', `/v1/users?role=${role}&q=carol`, { as: ada.as });
      expect(found.data.map((one: { email: string }) => one.email)).toContain(email);
    }
    const { status, headers } = await give(ada, { id }, 'retail');
    expect([status, headers.get('x-tokens-revoked')]).toEqual([200, null]);
    const published = () => identity.eventsAbout(email, 'identity.staff-changed').map(({ data }) => data.role);
    await eventually(() => published().length === 3, 'the events for the mails');
    expect(published()).toEqual(['catalog', 'support', 'retail']);
    const entries = await eventually(async () => {
      const found = await entriesOf(ada, 'role-changed', id);
      return found.length === 3 ? found : null;
    }, 'the entries in the audit log');
    expect(entries.map(({ details }) => details.role)).toEqual(['retail', 'support', 'catalog']);
  });

  it('is given by an administrator with a fresh second factor alone', async () => {
    const ada = await administrator('ada@giving.example');
    const carol = await identity.member('carol@giving.example');
    await give(ada, carol.user, 'support');
    const { body } = await people.logIn(carol.email);
    expect(await give({ ...ada, as: body.accessToken }, carol.user, 'admin')).toMatchObject({
      status: 403,
      body: { code: 'role_required', roles: ['admin'] },
    });
    expect(await give(ada, carol.user, 'trade')).toMatchObject(refusedAs('validation_failed', 400));
    expect(await give(ada, { id: newId('user') }, 'sales')).toMatchObject(refusedAs('not_found', 404));
    expect(await give(ada, carol.user, 'sales', { 'if-match': '"0"' })).toMatchObject(
      refusedAs('version_mismatch', 412),
    );
    people.waitUntilStale();
    expect(await give(ada, carol.user, 'sales')).toMatchObject(refusedAs('reauthentication_required', 403));
    const eve = await identity.member('eve@giving.example');
    await identity
      .collection('users')
      .updateOne({ _id: eve.user.id }, { $set: { role: 'admin' }, $inc: { version: 1 } });
    const { accessToken } = (await people.logIn(eve.email)).body;
    expect(await give({ ...ada, as: accessToken }, carol.user, 'sales')).toMatchObject(
      refusedAs('second_factor_missing', 422),
    );
  });

  it('is not for a trade account, nor for an account that is disabled, and staff are not erased', async () => {
    const ada = await administrator('ada@trader.example');
    const carol = await identity.member('carol@trader.example');
    const users = identity.collection('users');
    await users.updateOne(
      { _id: carol.user.id },
      { $set: { role: 'trade', status: 'approved' }, $inc: { version: 1 } },
    );
    expect(await give(ada, carol.user, 'sales')).toMatchObject(refusedAs('trade_account_not_staff', 422));
    await users.updateOne({ _id: carol.user.id }, { $set: { role: 'sales', status: 'active' }, $inc: { version: 1 } });
    const { body } = await people.logIn(carol.email);
    expect(await identity.call('DELETE', '/v1/users/me', { as: body.accessToken, body: { password } })).toMatchObject(
      refusedAs('staff_not_erasable', 422),
    );
    expect((await disable(ada, carol.user)).body).toMatchObject({ role: 'sales', status: 'disabled' });
    for (const role of ['retail', 'support'])
      expect(await give(ada, carol.user, role)).toMatchObject(refusedAs('invalid_transition', 409));
  });

  it('of the last administrator stays, also where all lose theirs at once', async () => {
    await identity.collection('users').updateMany({ role: 'admin' }, { $set: { status: 'disabled' } });
    const one = await administrator('one@kept.example');
    const two = await administrator('two@kept.example');
    const answers = await Promise.all([give(one, two, 'retail'), give(two, one, 'support')]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await enabled()).toBe(1);
  });
});

describe('an administrator who lost something', () => {
  it('is logged out on every device by another one', async () => {
    const [ada, bob] = [await administrator('ada@lost.example'), await administrator('bob@lost.example')];
    const ended = await identity.call('DELETE', `/v1/staff/${bob.id}/sessions`, { as: ada.as });
    expect(ended.status).toBe(204);
    expect(ended.headers.get('x-tokens-revoked')).toContain(bob.id);
    expect(await identity.post('/v1/auth/refresh', { refreshToken: bob.refreshToken })).toMatchObject({ status: 401 });
    expect(await read(ada, bob.id)).toMatchObject({ status: 'enabled', sessions: 0 });
    await eventually(
      async () => (await entriesOf(ada, 'staff-sessions-ended', bob.id)).length === 1,
      'the entry in the audit log',
    );
  });

  it('gets rid of the phone or a passkey, and logs in without it', async () => {
    const [ada, bob] = [await administrator('ada@phone.example'), await administrator('bob@phone.example')];
    const passkey = await people.addPasskey(bob.as);
    const at = `/v1/staff/${bob.id}`;
    const remove = (what: string) => identity.call('DELETE', `${at}/${what}`, { as: ada.as });
    expect((await remove('totp')).status).toBe(204);
    expect(await remove('totp')).toMatchObject(refusedAs('not_found', 404));
    expect(await read(ada, bob.id)).toMatchObject({ totp: null, passkeys: [{ id: passkey.id, name: 'Laptop' }] });
    expect((await remove(`passkeys/${passkey.id}`)).status).toBe(204);
    expect(await remove(`passkeys/${passkey.id}`)).toMatchObject(refusedAs('not_found', 404));
    expect(await read(ada, bob.id)).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 });
    expect((await people.logIn(bob.email)).status).toBe(200);
    const mails = () =>
      identity.eventsAbout(bob.email, 'identity.second-factor-changed').map(({ data }) => data.change);
    await eventually(() => mails().includes('passkey-removed') && mails().includes('totp-removed'), 'the mails');
    const entries = await eventually(async () => {
      const found = await entriesOf(ada, 'factor-removed', bob.id);
      return found.length === 2 ? found : null;
    }, 'the entries in the audit log');
    expect(new Set(entries.map(({ details }) => details.factor))).toEqual(new Set(['passkey', 'totp']));
  });
});

describe('npm run identity -- staff', () => {
  const cli = new URL('../src/cli.ts', import.meta.url);
  const command = (...args: string[]) => {
    const { MONGODB_URL } = identity.settings;
    return runCommand(cli, ['staff', ...args], { MONGODB_URL });
  };

  const commandAsProcess = (...args: string[]) => {
    const { MONGODB_URL } = identity.settings;
    return startCommand(cli, ['staff', ...args], { MONGODB_URL }).outcome;
  };

  it('does the same, while the service runs', async () => {
    await identity.collection('users').updateMany({ role: 'admin' }, { $set: { status: 'disabled' } });
    const [ada, bob] = [await administrator('ada@cli.example'), await administrator('bob@cli.example')];
    const by = (action: string, { email }: { email: string }, ...more: string[]) =>
      command(action, '--email', email, ...more);
    expect((await command('list')).out).toContain(`${bob.email}  admin  enabled  totp\n`);
    expect(await commandAsProcess('disable', '--email', bob.email, '--reason', reason)).toEqual({
      out: `${bob.email} is disabled now.\n`,
      err: '',
      code: 0,
    });
    await eventually(
      () => identity.events.some(({ type, subject }) => type === 'identity.tokens-revoked' && subject === bob.id),
      'the running service to publish that the tokens are revoked',
    );
    expect(await people.logIn(bob.email)).toMatchObject(refusedAs('account_disabled', 403));
    expect(await by('disable', ada)).toMatchObject({ code: 1, err: expect.stringContaining('only administrator') });
    expect(await enabled()).toBe(1);
    expect((await by('enable', bob)).out).toBe(`${bob.email} is enabled now.\n`);
    expect((await by('remove-factor', bob, '--factor', 'totp')).code).toBe(0);
    const { body } = await people.logIn(bob.email);
    expect((await by('end-sessions', bob)).code).toBe(0);
    expect(await identity.post('/v1/auth/refresh', { refreshToken: body.refreshToken })).toMatchObject({ status: 401 });
    const [entry] = await eventually(async () => {
      const found = await entriesOf(ada, 'staff-disabled', bob.id);
      return found.length > 0 ? found : null;
    }, 'the entry in the audit log');
    expect(entry).toMatchObject({ who: { role: 'operator' }, outcome: 'done' });
    expect((await command('disable', '--email', 'nobody@cli.example')).err).toContain('Nobody has the email');
    const retail = await identity.member('retail@cli.example');
    expect((await by('disable', retail)).code).toBe(1);
    expect((await by('set-role', retail, '--role', 'trade')).err).toContain('Name the role');
    expect((await by('set-role', retail, '--role', 'sales')).out).toBe(`${retail.email} has the role sales now.\n`);
    expect((await people.logIn(retail.email)).body.user.role).toBe('sales');
    expect((await command('list')).out).toContain(`${retail.email}  sales  enabled  no second factor\n`);
    const second = await identity.member('second@cli.example');
    const both = (...more: string[]) => by('set-role', retail, '--role', 'support', '--email', second.email, ...more);
    expect((await both()).err).toContain('Name the role');
    expect((await both('--role', 'trade')).err).toContain('Name the role');
    expect((await by('disable', retail, '--email', second.email)).err).toContain('Name the email');
    expect((await people.logIn(retail.email)).body.user.role).toBe('sales');
    const said = [retail, second].map(({ email }) => `${email} has the role support now.\n`).join('');
    expect(await both('--role', 'support')).toMatchObject({ code: 0, out: said });
    expect((await people.logIn(second.email)).body.user.role).toBe('support');
    expect(await by('set-role', ada, '--role', 'retail')).toMatchObject({ code: 0 });
    expect(await by('set-role', bob, '--role', 'retail')).toMatchObject({
      code: 1,
      err: expect.stringContaining('only administrator'),
    });
  });
});
