import { eventually, outcomes, times } from '@storefront/testing';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { password, startIdentity, type IdentityHarness } from './harness.ts';

let identity: IdentityHarness;
beforeAll(async () => (identity = await startIdentity()));
afterAll(() => identity.close());

const logIn = (email: string, given = password) => identity.post('/v1/auth/login', { email, password: given });
const refresh = (refreshToken: string) => identity.post('/v1/auth/refresh', { refreshToken });

describe('POST /v1/auth/login', () => {
  it('answers tokens and the user', async () => {
    const { email, user } = await identity.member('ada@one.example');
    const answer = await logIn('ADA@one.example');
    expect(answer).toMatchObject({ status: 200, body: { tokenType: 'Bearer', user: { email, status: 'active' } } });
    expect(decodeJwt(answer.body.accessToken)).toMatchObject({
      sub: user.id,
      role: 'retail',
      ver: 1,
      iss: 'storefront',
      aud: 'storefront-api',
      sid: expect.stringMatching(/^sess_/),
    });
  });

  it('counts a password in composed letters, and accepts it however they are composed', async () => {
    const email = 'composed@one.example';
    const composed = 'é'.repeat(101);
    const { proof } = await identity.registered(email, { password: composed.normalize('NFD') });
    await identity.post('/v1/auth/verify', proof);
    for (const given of [composed, composed.normalize('NFD')]) expect((await logIn(email, given)).status).toBe(200);
  });

  it.each([
    ['128 letters with two marks each', 'ΐ'.repeat(128), 202],
    ['129 letters with two marks each', 'ΐ'.repeat(129), 400],
    ['7 letters with a mark each', 'éöüñåêî', 400],
    ['129 signs of two units each', '🍏'.repeat(129), 400],
  ])('takes a password of %s as it is composed', async (_what, composed, status) => {
    const body = { email: 'length@one.example', password: composed.normalize('NFD'), firstName: 'Ada', lastName: 'L' };
    expect((await identity.post('/v1/auth/register', body)).status).toBe(status);
  });

  it('finds an international email by either form of its domain, and shows it as it was typed', async () => {
    const [typed, ascii] = ['ann@bücher.example', 'ann@xn--bcher-kva.example'];
    const begun = await identity.post('/v1/auth/register', { email: typed, password, firstName: 'Ann', lastName: 'B' });
    expect(begun).toMatchObject({ status: 202, body: { email: typed } });
    const { registrationId } = begun.body;
    const code = await identity.codeOfFlow(registrationId);
    expect(identity.eventsAbout(ascii, 'identity.user-registered')).toHaveLength(1);
    await identity.post('/v1/auth/verify', { registrationId, code });
    for (const email of [typed, ascii, 'Ann@BÜCHER.example'.normalize('NFD')])
      expect(await logIn(email)).toMatchObject({ status: 200, body: { user: { email: typed } } });
    expect(await identity.collection('users').findOne({ email: ascii })).toMatchObject({ emailTyped: typed });

    const again = { email: ascii, password: 'seven slow boats upriver', firstName: 'Ann', lastName: 'B' };
    expect(await identity.post('/v1/auth/register', again)).toMatchObject({ status: 202, body: { email: ascii } });
    await eventually(
      () => identity.eventsAbout(ascii, 'identity.registration-attempted').length === 1,
      'the owner was informed that somebody registers the other form',
    );
  });

  it('refuses a wrong password and an unknown email in the same words', async () => {
    await identity.member('words@one.example');
    const [wrong, unknown] = [await logIn('words@one.example', 'wrong'), await logIn('nobody@one.example')];
    expect(wrong).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
    expect({ ...wrong.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' });
    expect(wrong.headers.get('www-authenticate')).toBe(unknown.headers.get('www-authenticate'));
  });

  it('shows the status of an account only after the right password', async () => {
    await identity.registered('unproved@one.example');
    expect(await logIn('unproved@one.example')).toMatchObject({ status: 403, body: { code: 'email_not_verified' } });
    expect(await logIn('unproved@one.example', 'wrong')).toMatchObject({ status: 401 });
    const email = 'pending@one.example';
    await identity.applicant(email);
    for (const [status, code] of [
      ['pending-approval', 'account_pending_approval'],
      ['rejected', 'account_rejected'],
      ['suspended', 'account_suspended'],
    ]) {
      await identity.collection('users').updateOne({ email }, { $set: { status } });
      expect(await logIn(email)).toMatchObject({ status: 403, body: { code } });
      expect(await logIn(email, 'wrong')).toMatchObject({ status: 401 });
    }
  });

  it.each(['known', 'unknown'])(
    'makes a %s email wait longer after each failure, also for the right password',
    async (kind) => {
      const email = `${kind}@two.example`;
      if (kind === 'known') await identity.member(email);
      await identity.atOneMoment(async () => {
        for (let round = 0; round < 5; round += 1) expect((await logIn(email, 'wrong')).status).toBe(401);
        const waits = await logIn(email);
        expect(waits).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
        expect(waits.headers.get('retry-after')).toBe('1');
        identity.advance(1);
        expect((await logIn(email, 'wrong')).status).toBe(401);
        expect((await logIn(email)).headers.get('retry-after')).toBe('2');
        identity.advance(2);
        expect((await logIn(email)).status).toBe(kind === 'known' ? 200 : 401);
      });
    },
  );

  it('informs the owner of failed logins, once in 15 minutes', async () => {
    const { email } = await identity.member('informed@two.example');
    for (let round = 0; round < 8; round += 1) {
      await logIn(email, 'wrong');
      identity.advance(60);
    }
    await eventually(() => identity.eventsAbout(email, 'identity.login-throttled').length > 0, 'the notice');
    expect(identity.eventsAbout(email, 'identity.login-throttled')).toMatchObject([{ data: { failures: 5 } }]);
  });

  it('checks five of fifty wrong passwords at once', async () => {
    const { email } = await identity.member('guessed@two.example');
    const answers = await identity.atOneMoment(() => times(50, () => logIn(email, 'wrong')));
    expect(outcomes(answers)).toEqual({ '401 invalid_credentials': 5, '429 too_many_attempts': 45 });
  });

  it('admits many logins at once with the right password', async () => {
    const { email } = await identity.member('crowd@two.example');
    // More than may fail; each costs a hash, and all of them must be done before the service gives up on the last.
    expect(outcomes(await times(10, () => logIn(email)))).toEqual({ 200: 10 });
  });
});

describe('the failures of a stranger', () => {
  const from = (ip: string, email: string, given: string, more: object = {}) =>
    identity.call('POST', '/v1/auth/login', {
      body: { email, password: given, ...more },
      headers: { 'x-client-ip': ip },
    });
  const waiting = { status: 429, body: { code: 'too_many_attempts' } };

  /** Fails with the email from many addresses, far more often than one could. */
  async function failEverywhere(email: string): Promise<void> {
    for (let round = 0; round < 2; round += 1) await from('198.51.100.1', email, 'wrong');
    // By the held time as well: failures of other tests may have left a document with the same count.
    const { matchedCount } = await identity
      .collection('login_failures')
      .updateMany({ count: 2, last: identity.now().getTime() }, { $set: { count: 500 } });
    expect(matchedCount).toBe(1);
  }

  it('do not slow the owner at another address', async () => {
    const { email } = await identity.member('elsewhere@six.example');
    for (let round = 0; round < 6; round += 1) await from('198.51.100.1', email, 'wrong');
    expect(await from('198.51.100.1', email, password)).toMatchObject(waiting);
    expect((await logIn(email)).status).toBe(200);
    expect((await from('203.0.113.5', email, password)).status).toBe(200);
  });

  it('slow an address that is not known once all addresses have failed far more often, but never one that is', async () => {
    const { email } = await identity.member('everywhere@six.example');
    await identity.atOneMoment(async () => {
      await failEverywhere(email);
      expect(await from('203.0.113.5', email, password)).toMatchObject(waiting);
      // It has logged in before.
      expect((await logIn(email)).status).toBe(200);
    });
  });

  it('do not slow a device that has logged in before, wherever it is', async () => {
    const { email } = await identity.member('device@six.example');
    const { deviceToken } = (await logIn(email)).body;
    await identity.atOneMoment(async () => {
      await failEverywhere(email);
      for (let round = 0; round < 4; round += 1) await from('203.0.113.5', email, 'wrong');
      expect(await from('203.0.113.5', email, password, { deviceToken: 'A'.repeat(22) })).toMatchObject(waiting);
      expect(await from('203.0.113.5', email, password, { deviceToken })).toMatchObject({
        status: 200,
        body: { deviceToken },
      });
    });
  });

  it('count again after thirty days without a login', async () => {
    const { email } = await identity.member('forgotten@six.example');
    identity.advance(30 * 24 * 60 * 60 + 1);
    await identity.atOneMoment(async () => {
      await failEverywhere(email);
      expect(await logIn(email)).toMatchObject(waiting);
    });
  });
});

describe('POST /v1/auth/refresh', () => {
  it('answers a new pair for the same session', async () => {
    const { accessToken, refreshToken } = await identity.member('pair@three.example');
    const answer = await refresh(refreshToken);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).toSorted()).toEqual([
      'accessToken',
      'expiresIn',
      'refreshExpiresIn',
      'refreshToken',
      'tokenType',
    ]);
    expect(decodeJwt(answer.body.accessToken)['sid']).toBe(decodeJwt(accessToken)['sid']);
    expect((await refresh(answer.body.refreshToken)).status).toBe(200);
  });

  it('ends the session when a rotated token comes back', async () => {
    const { email, accessToken, refreshToken, user } = await identity.member('reuse@three.example');
    const { body } = await refresh(refreshToken);
    const { body: newest } = await refresh(body.refreshToken);
    const reused = await refresh(refreshToken);
    expect(reused).toMatchObject({ status: 401, body: { code: 'invalid_refresh_token' } });
    const sid = String(decodeJwt(accessToken)['sid']);
    expect(reused.headers.get('x-tokens-revoked')).toBe(`${user.id} 1 ${sid}`);
    expect(await refresh(newest.refreshToken)).toMatchObject({ status: 401 });
    await eventually(
      () => identity.events.find(({ subject, type }) => subject === user.id && type === 'identity.tokens-revoked'),
      'the event that the session was ended',
    );
    expect(identity.events.findLast(({ subject }) => subject === user.id)?.data).toEqual({
      tokenVersion: 1,
      sessionId: sid,
      reason: 'refresh-reuse',
    });
    expect((await logIn(email)).status).toBe(200);
  });

  it('gives fifty at once one pair at most, to two of them, and ends the session', async () => {
    const { refreshToken, user } = await identity.member('race@three.example');
    const answers = await times(50, () => refresh(refreshToken));
    const pairs = answers.filter(({ status }) => status === 200).map(({ body }) => JSON.stringify(body));
    expect(new Set(pairs).size).toBeLessThanOrEqual(1);
    expect(pairs.length).toBeLessThanOrEqual(2);
    expect(outcomes(answers)['401 invalid_refresh_token']).toBeGreaterThanOrEqual(48);
    for (const pair of pairs) expect((await refresh(JSON.parse(pair).refreshToken)).status).toBe(401);
    await eventually(() => identity.eventsOf(user.id, 'identity.tokens-revoked').length === 1, 'the revocation');
  });

  it('answers a client that lost the answer with the very same pair, once', async () => {
    const { refreshToken, user } = await identity.member('lost@three.example');
    const { body: pair } = await refresh(refreshToken);
    identity.advance(19);
    expect(await refresh(refreshToken)).toMatchObject({ status: 200, body: pair });
    const { status, body: next } = await refresh(pair.refreshToken);
    expect(status).toBe(200);
    // The token before that one is too old by now.
    expect((await refresh(refreshToken)).status).toBe(401);
    expect((await refresh(next.refreshToken)).status).toBe(401);
    expect(await identity.collection('sessions').countDocuments({ userId: user.id })).toBe(0);
  });

  it('leaves two tabs that refresh at once with the same tokens, which both go on with', async () => {
    const { refreshToken } = await identity.member('tabs@three.example');
    const [first, second] = await times(2, () => refresh(refreshToken));
    expect(first?.status).toBe(200);
    expect(second?.body).toEqual(first?.body);
    expect((await identity.call('GET', '/v1/users/me', { as: second?.body.accessToken })).status).toBe(200);
    expect((await refresh(second?.body.refreshToken)).status).toBe(200);
  });

  it.each([
    ['a third use', (refreshToken: string) => refresh(refreshToken), {}],
    ['a use after 20 seconds', async () => identity.advance(21), {}],
    ['a use by another kind of device', async () => undefined, { 'user-agent': 'curl/8.5.0' }],
  ])('ends the session at %s', async (what, before, headers) => {
    const { refreshToken, user } = await identity.member(`${what.replaceAll(' ', '-')}@three.example`);
    const { body: pair } = await refresh(refreshToken);
    await before(refreshToken);
    const options = { body: { refreshToken }, headers };
    const refused = await identity.call('POST', '/v1/auth/refresh', options);
    expect(refused).toMatchObject({ status: 401, body: { code: 'invalid_refresh_token' } });
    expect(refused.headers.get('x-tokens-revoked')).toContain(user.id);
    expect((await refresh(pair.refreshToken)).status).toBe(401);
  });

  it('takes another version of the same browser for the same kind of device', async () => {
    const { refreshToken } = await identity.member('updated@three.example');
    const by = (version: string) =>
      identity.call('POST', '/v1/auth/refresh', {
        body: { refreshToken },
        headers: { 'user-agent': `Mozilla/5.0 (X11; Linux x86_64) Firefox/${version}` },
      });
    const { body: pair } = await by('144.0');
    expect(await by('145.0.1')).toMatchObject({ status: 200, body: pair });
  });

  it.each(['rt_', 'rt_AAAA', `rt_${'A'.repeat(64)}`, `xx_${'A'.repeat(64)}`])('refuses %s', async (token) => {
    expect(await refresh(token)).toMatchObject({ status: 401, body: { code: 'invalid_refresh_token' } });
  });

  it('refuses one that nobody used for thirty days', async () => {
    const { refreshToken } = await identity.member('old@three.example');
    identity.advance(30 * 24 * 60 * 60 + 1);
    expect((await refresh(refreshToken)).status).toBe(401);
  });

  it('ends a session after ninety days, however often it is refreshed', async () => {
    let { refreshToken } = await identity.member('family@three.example');
    for (let month = 0; month < 3; month += 1) {
      identity.advance(29 * 24 * 60 * 60);
      const answer = await refresh(refreshToken);
      expect(answer.status).toBe(200);
      refreshToken = answer.body.refreshToken;
      const left = (90 - 29 * (month + 1)) * 24 * 60 * 60;
      expect(answer.body.refreshExpiresIn).toBeLessThanOrEqual(left);
    }
    identity.advance(3 * 24 * 60 * 60 + 1);
    expect((await refresh(refreshToken)).status).toBe(401);
  });

  it('refuses a user who was suspended meanwhile, even where nothing was revoked', async () => {
    const { refreshToken, user } = await identity.member('suspended@three.example');
    await identity.collection('users').updateOne({ _id: user.id }, { $set: { status: 'suspended' } });
    expect((await refresh(refreshToken)).status).toBe(401);
  });
});

describe('POST /v1/auth/logout', () => {
  it('ends every session and informs the gateway', async () => {
    const { email, accessToken, refreshToken, user } = await identity.member('out@four.example');
    const { body: second } = await logIn(email);
    const answer = await identity.post('/v1/auth/logout', undefined, accessToken);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ revoked: true, revokedAt: expect.any(String) });
    expect(answer.headers.get('x-tokens-revoked')).toBe(`${user.id} 2`);
    for (const token of [refreshToken, second.refreshToken]) expect((await refresh(token)).status).toBe(401);
    expect(await identity.collection('sessions').countDocuments({ userId: user.id })).toBe(0);
    const revoked = await eventually(
      () => identity.events.find(({ subject, type }) => subject === user.id && type === 'identity.tokens-revoked'),
      'the event that all tokens are revoked',
    );
    expect(revoked.data).toEqual({ tokenVersion: 2, sessionId: null, reason: 'logout' });
    expect(decodeJwt((await logIn(email)).body.accessToken)['ver']).toBe(2);
  });

  it('ends no session that began after the token was revoked, as where an earlier try arrives late', async () => {
    const { email, accessToken, user } = await identity.member('late@four.example');
    const { body: first } = await identity.post('/v1/auth/logout', undefined, accessToken);
    const { body: session } = await logIn(email);
    identity.advance(30);
    const late = await identity.post('/v1/auth/logout', undefined, accessToken);
    expect((await refresh(session.refreshToken)).status).toBe(200);
    expect(late).toMatchObject({ status: 200, body: first });
    expect(late.headers.get('x-tokens-revoked')).toBe(`${user.id} 2`);
    expect(await identity.collection('users').findOne({ _id: user.id })).toMatchObject({ tokenVersion: 2 });
  });

  it('needs somebody who is logged in', async () => {
    expect(await identity.post('/v1/auth/logout')).toMatchObject({
      status: 401,
      body: { code: 'authentication_required' },
    });
  });
});

describe('sessions', () => {
  it('are listed newest first, page by page, and end one by one', async () => {
    const { email, accessToken, user } = await identity.member('list@five.example');
    const { body: second } = await logIn(email);
    const { body: third } = await logIn(email);
    const { body: page } = await identity.call('GET', '/v1/auth/sessions?limit=2', { as: accessToken });
    expect(page.data).toMatchObject([
      { id: decodeJwt(third.accessToken)['sid'], current: false, device: 'test device', ip: '192.0.2.7' },
      { id: decodeJwt(second.accessToken)['sid'], current: false },
    ]);
    const next = `/v1/auth/sessions?limit=2&cursor=${page.nextCursor}`;
    const { body: last } = await identity.call('GET', next, { as: accessToken });
    expect(last).toMatchObject({ data: [{ id: decodeJwt(accessToken)['sid'], current: true }], nextCursor: null });

    const ended = await identity.call('DELETE', `/v1/auth/sessions/${page.data[0].id}`, { as: accessToken });
    expect(ended.status).toBe(204);
    expect(ended.headers.get('x-tokens-revoked')).toBe(`${user.id} 1 ${page.data[0].id}`);
    expect((await refresh(third.refreshToken)).status).toBe(401);
    expect((await refresh(second.refreshToken)).status).toBe(200);
    const again = await identity.call('DELETE', `/v1/auth/sessions/${page.data[0].id}`, { as: accessToken });
    expect(again.status).toBe(404);
  });

  it('are a hundred at most: a login ends the oldest', async () => {
    const { email, refreshToken, user } = await identity.member('hundred@five.example');
    const [first] = await identity.collection('sessions').find({ userId: user.id }).toArray();
    const copies = Array.from({ length: 99 }, (_, index) => ({
      ...first,
      _id: `copy ${index}`,
      family: `copy ${index}`,
      createdAt: new Date(first.createdAt.getTime() + 1 + index),
    }));
    await identity.collection('sessions').insertMany(copies);
    identity.advance(60);
    expect((await logIn(email)).status).toBe(200);
    expect(await identity.collection('sessions').countDocuments({ userId: user.id })).toBe(100);
    expect((await refresh(refreshToken)).status).toBe(401);
    const { endedSessions } = await identity.collection('users').findOne({ _id: user.id });
    expect(endedSessions).toMatchObject([{ id: first._id }]);
  });

  it('of another user get the same answer as sessions that do not exist', async () => {
    const [ada, eve] = [await identity.member('ada@five.example'), await identity.member('eve@five.example')];
    const sid = decodeJwt(ada.accessToken)['sid'];
    const foreign = await identity.call('DELETE', `/v1/auth/sessions/${String(sid)}`, { as: eve.accessToken });
    const malformed = await identity.call('DELETE', '/v1/auth/sessions/nonsense', { as: eve.accessToken });
    for (const answer of [foreign, malformed])
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await refresh(ada.refreshToken)).status).toBe(200);
    const { body: page } = await identity.call('GET', '/v1/auth/sessions?limit=1', { as: ada.accessToken });
    expect(page.data).toHaveLength(1);
  });

  it('are ended completely when a crash stopped it half-way', async () => {
    const { accessToken, user, refreshToken } = await identity.member('crash@five.example');
    const sid = String(decodeJwt(accessToken)['sid']);
    await identity.collection('sessions').updateOne({ _id: sid }, { $set: { endedAt: new Date() } });
    expect((await refresh(refreshToken)).status).toBe(401);
    expect((await identity.call('DELETE', `/v1/auth/sessions/${sid}`, { as: accessToken })).status).toBe(204);
    const kept = await identity.collection('users').findOne({ _id: user.id });
    expect(kept.endedSessions).toMatchObject([{ id: sid }]);
  });
});
