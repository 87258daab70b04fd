import { eventually, outcomes, times, wrongFields } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { otherThan, password, startIdentity, trade } from './harness.ts';
import type { IdentityHarness } from './harness.ts';

let identity: IdentityHarness;
beforeAll(async () => (identity = await startIdentity()));
afterAll(() => identity.close());

/** Whether an older code is no longer valid; true as well where the newest one happens to be the same. */
async function isInvalid(email: string, code: string, newest: string): Promise<boolean> {
  return code === newest || (await identity.post('/v1/auth/verify', { email, code })).body.code === 'invalid_code';
}

const form = (email: string) => ({ email, password, firstName: 'Ada', lastName: 'Lovelace' });

describe('POST /v1/auth/register', () => {
  it('sends a code and says until when', async () => {
    const answer = await identity.post('/v1/auth/register', {
      ...form('  Ada@One.example '),
      phone: '+31 20 123 4567',
    });
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({
      status: 'verification-required',
      email: 'ada@one.example',
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\.\d{3}Z$/),
      resendAfter: expect.any(String),
    });
    expect(Date.parse(answer.body.expiresAt) - Date.parse(answer.body.resendAfter)).toBe(9 * 60 * 1000);
    expect(await identity.codeOf('ada@one.example')).toMatch(/^\d{6}$/);
    const [event] = identity.eventsAbout('ada@one.example');
    expect(event).toMatchObject({
      type: 'identity.user-registered',
      correlationid: answer.headers.get('x-request-id'),
    });
  });

  it('names every wrong field', async () => {
    const answer = await identity.post('/v1/auth/register', { email: 'no', password: '', lastName: 7, role: 'admin' });
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((error: any) => `${error.pointer} ${error.code}`).toSorted()).toEqual([
      '/email invalid_format',
      '/firstName required',
      '/lastName invalid_type',
      '/password too_small',
      '/role unknown_field',
    ]);
  });

  it('names a weak password together with the other wrong fields', async () => {
    const weak = { email: 'no', password: 'lovelace', firstName: 'Ada', lastName: 'Lovelace', role: 'admin' };
    expect(wrongFields(await identity.post('/v1/auth/register', weak))).toEqual({
      '/email': 'invalid_format',
      '/password': 'password_contains_personal',
      '/role': 'unknown_field',
    });
  });

  it.each([
    ['seven77', 'password_too_short'],
    ['Password123', 'password_too_common'],
    ['my lovelace', 'password_contains_personal'],
  ])('refuses the password %j as %s', async (wrong, code) => {
    const answer = await identity.post('/v1/auth/register', { ...form('weak@one.example'), password: wrong });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(answer.body.errors).toEqual([{ pointer: '/password', in: 'body', code, message: expect.any(String) }]);
  });

  it('refuses operators in place of text', async () => {
    const answer = await identity.post('/v1/auth/register', { ...form('x@one.example'), email: { $ne: null } });
    expect(answer.status).toBe(400);
  });

  it('replaces a registration that is not verified, so that only the newest code and password are valid', async () => {
    const { email, code } = await identity.registered('twice@one.example');
    await identity.post('/v1/auth/register', { ...form(email), password: 'another quiet morning', firstName: 'Eve' });
    const newest = await identity.codeOf(email, 2);
    expect(await isInvalid(email, code, newest)).toBe(true);
    const verified = await identity.post('/v1/auth/verify', { email, code: newest });
    expect(verified).toMatchObject({ status: 200, body: { user: { firstName: 'Eve' } } });
    expect((await identity.post('/v1/auth/login', { email, password })).status).toBe(401);
  });

  it('makes one account of fifty at once', async () => {
    const email = 'many@one.example';
    const answers = await times(50, () => identity.post('/v1/auth/register', form(email)));
    expect(outcomes(answers)).toEqual({ 202: 50 });
    expect(await identity.collection('users').countDocuments({ email })).toBe(1);
    expect(await identity.collection('emails').countDocuments({ _id: email })).toBe(1);
    await eventually(() => identity.eventsAbout(email).length === 5, 'the five codes that an hour allows');
  });

  it('answers under one Idempotency-Key once', async () => {
    const headers = { 'idempotency-key': 'register-once' };
    const body = form('key@one.example');
    const first = await identity.call('POST', '/v1/auth/register', { body, headers });
    const second = await identity.call('POST', '/v1/auth/register', { body, headers });
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    await identity.codeOf('key@one.example');
    // A second code would have been published before this later event.
    await identity.registered('after-key@one.example');
    expect(identity.eventsAbout('key@one.example')).toHaveLength(1);
  });

  it('continues where a crash left an email without its user', async () => {
    await identity
      .collection('emails')
      .insertOne({ _id: 'left@one.example', userId: 'user_01h455vb4pex5vsknk084sn02q' });
    const { user } = await identity.member('left@one.example');
    expect(user.id).toBe('user_01h455vb4pex5vsknk084sn02q');
  });
});

describe('an email that is known', () => {
  it('gets the same answers as one that is not', async () => {
    await identity.member('known@two.example');
    const keys = (body: object) => Object.keys(body).toSorted();
    for (const [path, body] of [
      ['/v1/auth/register', form('')],
      ['/v1/auth/trade/register', trade('')],
      ['/v1/auth/verify/resend', {}],
      ['/v1/auth/password/forgot', {}],
      ['/v1/auth/verify', { code: '123456' }],
      ['/v1/auth/password/reset', { code: '123456', newPassword: password }],
      ['/v1/auth/login', { password: 'not the password' }],
    ] as const) {
      const known = await identity.post(path, { ...body, email: 'known@two.example' });
      const unknown = await identity.post(path, { ...body, email: `unknown@two.example` });
      expect([path, known.status, known.body.code, keys(known.body)]).toEqual([
        path,
        unknown.status,
        unknown.body.code,
        keys(unknown.body),
      ]);
      await identity.collection('users').deleteMany({ email: 'unknown@two.example' });
    }
    await eventually(
      () => identity.eventsAbout('known@two.example', 'identity.registration-attempted').length === 2,
      'two mails to the owner',
    );
  });

  it('has its owner informed five times an hour at most', async () => {
    await identity.member('informed@two.example');
    for (let turn = 0; turn < 7; turn += 1) await identity.post('/v1/auth/register', form('informed@two.example'));
    const informed = () => identity.eventsAbout('informed@two.example', 'identity.registration-attempted').length;
    await eventually(() => informed() >= 5, 'five mails to the owner');
    await identity.member('after@two.example');
    expect(informed()).toBe(5);
  });
});

describe('POST /v1/auth/verify', () => {
  it('verifies the email and logs in', async () => {
    const { email, code } = await identity.registered('proof@three.example');
    const answer = await identity.post('/v1/auth/verify', { email, code });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      accessToken: expect.stringMatching(/^ey/),
      refreshToken: expect.stringMatching(/^rt_[\w-]{64}$/),
      tokenType: 'Bearer',
      expiresIn: 900,
      refreshExpiresIn: 2_592_000,
      user: {
        id: expect.stringMatching(/^user_/),
        email,
        role: 'retail',
        status: 'active',
        firstName: 'Ada',
        lastName: 'Lovelace',
        phone: null,
        emailVerifiedAt: expect.any(String),
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    });
    await eventually(
      () => identity.eventsAbout(email, 'identity.user-verified').length === 1,
      'the event that it is verified',
    );
    expect(await identity.post('/v1/auth/verify', { email, code })).toMatchObject({ body: { code: 'invalid_code' } });
  });

  it('accepts no code after ten minutes', async () => {
    const { email, code } = await identity.registered('late@three.example');
    identity.advance(601);
    expect(await identity.post('/v1/auth/verify', { email, code })).toMatchObject({ status: 400 });
  });

  it('accepts no code after five tries', async () => {
    const { email, code } = await identity.registered('tries@three.example');
    for (let turn = 0; turn < 5; turn += 1) await identity.post('/v1/auth/verify', { email, code: otherThan(code) });
    expect(await identity.post('/v1/auth/verify', { email, code })).toMatchObject({ body: { code: 'invalid_code' } });
  });

  it('accepts none for an hour after ten wrong ones, then again', async () => {
    const { email } = await identity.registered('ten@three.example');
    for (let round = 0; round < 2; round += 1) {
      const code = otherThan(await identity.codeOf(email, round + 1));
      for (let turn = 0; turn < 5; turn += 1) await identity.post('/v1/auth/verify', { email, code });
      await identity.post('/v1/auth/register', form(email));
    }
    const third = await identity.codeOf(email, 3);
    expect(await identity.post('/v1/auth/verify', { email, code: third })).toMatchObject({ status: 400 });
    identity.advance(3601);
    await identity.post('/v1/auth/verify/resend', { email });
    const fourth = await identity.codeOf(email, 4);
    expect(await identity.post('/v1/auth/verify', { email, code: fourth })).toMatchObject({ status: 200 });
  });

  it('gives one token pair to fifty requests at once with the right code', async () => {
    const { email, code } = await identity.registered('race@three.example');
    const answers = await times(50, () => identity.post('/v1/auth/verify', { email, code }));
    expect(outcomes(answers)).toEqual({ 200: 1, '400 invalid_code': 49 });
    expect(
      await identity.collection('sessions').countDocuments({
        device: 'test device',
        userId: answers.find(({ status }) => status === 200)?.body.user.id,
      }),
    ).toBe(1);
  });

  it('compares five of fifty wrong codes at once at most', async () => {
    const { email, code } = await identity.registered('guess@three.example');
    const answers = await times(50, () => identity.post('/v1/auth/verify', { email, code: otherThan(code) }));
    expect(outcomes(answers)).toEqual({ '400 invalid_code': 50 });
    const user = await identity.collection('users').findOne({ email });
    expect(user.codes.verify.attempts).toBe(5);
    expect(user.codeTries).toHaveLength(5);
  });
});

describe('POST /v1/auth/verify/resend', () => {
  it('sends another code after a minute; the older one is no longer valid', async () => {
    const { email, code } = await identity.registered('again@four.example');
    expect(await identity.post('/v1/auth/verify/resend', { email })).toMatchObject({
      status: 202,
      body: { status: 'accepted' },
    });
    identity.advance(61);
    expect((await identity.post('/v1/auth/verify/resend', { email })).status).toBe(202);
    const newest = await identity.codeOf(email, 2);
    expect(identity.eventsAbout(email)).toHaveLength(2);
    expect(await isInvalid(email, code, newest)).toBe(true);
    expect(await identity.post('/v1/auth/verify', { email, code: newest })).toMatchObject({ status: 200 });
  });

  it('sends five an hour', async () => {
    const { email } = await identity.registered('five@four.example');
    for (let turn = 0; turn < 6; turn += 1) {
      identity.advance(61);
      await identity.post('/v1/auth/verify/resend', { email });
    }
    await identity.codeOf(email, 5);
    const user = await identity.collection('users').findOne({ email });
    expect(user.codesSent.verify).toHaveLength(5);
  });
});

describe('POST /v1/auth/trade/register', () => {
  it('accepts an application', async () => {
    const email = 'charles@five.example';
    const answer = await identity.post('/v1/auth/trade/register', { ...trade(email), vatNumber: 'GB123456789' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      status: 'pending-approval',
      email,
      businessName: 'Analytical Engines',
      submittedAt: expect.any(String),
    });
    await identity.codeOf(email);
    expect(identity.eventsAbout(email)[0]).toMatchObject({
      type: 'identity.trade-account-registered',
      data: { businessName: 'Analytical Engines', codeOnly: false },
    });
  });

  it.each(['email', 'password', 'firstName', 'lastName', 'phone', 'businessName', 'businessAddress'])(
    'needs %s',
    async (field) => {
      const { [field]: _left, ...body } = trade('field@five.example') as Record<string, string>;
      const answer = await identity.post('/v1/auth/trade/register', body);
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toMatchObject([{ pointer: `/${field}`, code: 'required' }]);
    },
  );

  it('names a weak password together with the other wrong fields', async () => {
    const { phone: _phone, ...body } = { ...trade('all@five.example'), password: 'engines', firstName: '' };
    const answer = await identity.post('/v1/auth/trade/register', { ...body, businessName: 'Engines' });
    expect(answer.body.errors.map((error: any) => `${error.pointer} ${error.code}`).toSorted()).toEqual([
      '/firstName too_small',
      '/password password_contains_personal',
      '/password password_too_short',
      '/phone required',
    ]);
  });

  it('refuses the business name in the password', async () => {
    const body = { ...trade('name@five.example'), password: 'analytical-engines' };
    expect((await identity.post('/v1/auth/trade/register', body)).body.errors).toMatchObject([
      { pointer: '/password', code: 'password_contains_personal' },
    ]);
  });

  it('gets its email verified by the code, and still waits', async () => {
    const email = 'waits@five.example';
    await identity.post('/v1/auth/trade/register', trade(email));
    const code = await identity.codeOf(email);
    expect(await identity.post('/v1/auth/verify', { email, code })).toMatchObject({
      status: 403,
      body: { code: 'account_pending_approval' },
    });
    await eventually(
      () => identity.eventsAbout(email, 'identity.user-verified').length === 1,
      'the event that it is verified',
    );
    expect(await identity.post('/v1/auth/verify', { email, code })).toMatchObject({ body: { code: 'invalid_code' } });
  });
});
