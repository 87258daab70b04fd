import { eventually, outcomes, times, wrongFields } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { otherThan, password, startIdentity, trade, type IdentityHarness } from './harness.ts';

let identity: IdentityHarness;
beforeAll(async () => (identity = await startIdentity()));
afterAll(() => identity.close());

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
      registrationId: expect.stringMatching(/^reg_[0-7][0-9a-z]{25}$/),
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

  it('keeps the language that the client asks for, for the code and for the user', async () => {
    const german = { 'accept-language': 'fr;q=0.9, de-AT;q=0.8, en;q=0.5' };
    const { email, proof } = await identity.registered('sprache@one.example', {}, german);
    expect(identity.eventsAbout(email).map(({ data }) => data.locale)).toEqual(['de']);
    const verified = await identity.post('/v1/auth/verify', proof);
    expect(verified.body.user).toMatchObject({ locale: 'de', timeZone: null });
    await eventually(() => identity.eventsAbout(email, 'identity.user-verified')[0]?.data.locale === 'de', 'the event');
    // Who registers the email of an account does not choose how its owner is written to.
    await identity.call('POST', '/v1/auth/register', { body: form(email), headers: { 'accept-language': 'en' } });
    const attempt = await eventually(() => identity.eventsAbout(email, 'identity.registration-attempted')[0], 'it');
    expect(attempt.data.locale).toBe('de');
  });

  it.each(['*', 'fr', ''])('knows no language where the client asks for %j', async (wanted) => {
    const email = `any${wanted.length}${wanted.charCodeAt(0) || ''}@one.example`;
    const { proof } = await identity.registered(email, {}, { 'accept-language': wanted });
    expect((await identity.post('/v1/auth/verify', proof)).body.user.locale).toBeNull();
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

  it('keeps every registration of an email apart, and the first one that is proved gets it', async () => {
    const email = 'several@one.example';
    const first = await identity.registered(email);
    const second = await identity.registered(email, { password: 'another quiet morning', firstName: 'Eve' });
    // Each code is for its own registration.
    const isSame = first.code === second.code;
    const crossed = await identity.post('/v1/auth/verify', { registrationId: first.registrationId, code: second.code });
    expect(isSame || crossed.body.code === 'invalid_code').toBe(true);
    expect(await identity.post('/v1/auth/verify', first.proof)).toMatchObject({
      status: 200,
      body: { user: { firstName: 'Ada' } },
    });
    expect(await identity.post('/v1/auth/verify', second.proof)).toMatchObject({ body: { code: 'invalid_code' } });
    expect((await identity.post('/v1/auth/login', { email, password })).status).toBe(200);
    expect((await identity.post('/v1/auth/login', { email, password: 'another quiet morning' })).status).toBe(401);
  });

  it('gives the email to one of many registrations that are proved at once', async () => {
    const email = 'crowd@one.example';
    const proofs = await Promise.all(
      Array.from(
        { length: 5 },
        async (_, index) => (await identity.registered(email, { firstName: `A${index}` })).proof,
      ),
    );
    expect(outcomes(await Promise.all(proofs.map((proof) => identity.post('/v1/auth/verify', proof))))).toEqual({
      200: 1,
      '400 invalid_code': 4,
    });
    expect(await identity.collection('users').countDocuments({ email })).toBe(1);
  });

  it('is refused to a sender who registers one email more than five times an hour, and to nobody else', async () => {
    const email = 'many@one.example';
    await identity.atOneMoment(async () => {
      const answers = await times(50, () => identity.post('/v1/auth/register', form(email)));
      expect(outcomes(answers)).toEqual({ 202: 5, '429 too_many_codes': 45 });
      const refused = answers.find(({ status }) => status === 429);
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    });
    const headers = { 'x-client-ip': '192.0.2.8' };
    const other = await identity.call('POST', '/v1/auth/register', { body: form(email), headers });
    expect(other.status).toBe(202);
    // Every one that was answered is kept and mailed.
    expect(await identity.collection('registrations').countDocuments({ email })).toBe(6);
    await eventually(() => identity.eventsAbout(email).length === 6, 'a mail for each registration');
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
      ['/v1/auth/verify/resend', { password }],
      ['/v1/auth/password/forgot', {}],
      ['/v1/auth/verify', { password, code: '123456' }],
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
      await identity.collection('registrations').deleteMany({ email: 'unknown@two.example' });
    }
    await eventually(
      () => identity.eventsAbout('known@two.example', 'identity.registration-attempted').length === 1,
      'the mail to the owner',
    );
  });

  it('has its owner informed once an hour', async () => {
    const email = 'informed@two.example';
    const { accessToken } = await identity.member(email);
    const informed = () => identity.eventsAbout(email, 'identity.registration-attempted').length;
    for (let turn = 0; turn < 3; turn += 1) await identity.post('/v1/auth/register', form(email));
    await eventually(() => informed() === 1, 'the mail to the owner');
    identity.advance(3601);
    await identity.post('/v1/auth/register', form(email));
    await eventually(() => informed() === 2, 'the next mail to the owner');
    expect((await identity.call('GET', '/v1/users/me', { as: accessToken })).body).toMatchObject({ firstName: 'Ada' });
  });

  it('has registrations that look like others, and become nothing', async () => {
    const email = 'taken@two.example';
    await identity.member(email);
    const answer = await identity.post('/v1/auth/register', form(email));
    const { registrationId } = answer.body;
    expect(await identity.post('/v1/auth/verify/resend', { registrationId })).toMatchObject({ status: 202 });
    for (let turn = 0; turn < 6; turn += 1)
      expect(await identity.post('/v1/auth/verify', { registrationId, code: '123456' })).toMatchObject({
        status: 400,
        body: { code: 'invalid_code' },
      });
    expect(await identity.collection('users').countDocuments({ email })).toBe(1);
  });
});

describe('POST /v1/auth/verify', () => {
  it('verifies the email and logs in', async () => {
    const { email, proof } = await identity.registered('proof@three.example');
    const answer = await identity.post('/v1/auth/verify', proof);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      accessToken: expect.stringMatching(/^ey/),
      refreshToken: expect.stringMatching(/^rt_[\w-]{64}$/),
      tokenType: 'Bearer',
      expiresIn: 900,
      refreshExpiresIn: 2_592_000,
      deviceToken: expect.stringMatching(/^[\w-]{22}$/),
      user: {
        id: expect.stringMatching(/^user_/),
        email,
        role: 'retail',
        status: 'active',
        firstName: 'Ada',
        lastName: 'Lovelace',
        phone: null,
        locale: null,
        timeZone: null,
        emailVerifiedAt: expect.any(String),
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    });
    await eventually(
      () => identity.eventsAbout(email, 'identity.user-verified').length === 1,
      'the event that it is verified',
    );
    expect(await identity.post('/v1/auth/verify', proof)).toMatchObject({ body: { code: 'invalid_code' } });
  });

  it('takes email and password in place of the registration, on a device that does not have it', async () => {
    const email = 'elsewhere@three.example';
    const { code } = await identity.registered(email);
    const wrong = { email, code, password: 'not the password' };
    expect(await identity.post('/v1/auth/verify', wrong)).toMatchObject({ body: { code: 'invalid_code' } });
    expect(await identity.post('/v1/auth/verify', { email, code, password })).toMatchObject({
      status: 200,
      body: { user: { email } },
    });
  });

  it('needs the registration, or email and password, and not both', async () => {
    const { registrationId, email, code } = await identity.registered('fields@three.example');
    const wrong = async (body: object) => wrongFields(await identity.post('/v1/auth/verify', body));
    expect(await wrong({ code })).toEqual({ '/email': 'required', '/password': 'required' });
    expect(await wrong({ code, email })).toEqual({ '/password': 'required' });
    expect(await wrong({ code, registrationId, email })).toEqual({ '/email': 'invalid_value' });
    expect(await wrong({ code: '12345', registrationId: 'reg_1' })).toEqual({
      '/code': 'invalid_format',
      '/registrationId': 'invalid_value',
    });
    expect((await identity.post('/v1/auth/verify', { registrationId, code })).status).toBe(200);
  });

  it('accepts no code after ten minutes', async () => {
    const { proof } = await identity.registered('late@three.example');
    identity.advance(601);
    expect(await identity.post('/v1/auth/verify', proof)).toMatchObject({ status: 400 });
  });

  it('accepts no code after five tries, of this registration alone', async () => {
    const email = 'tries@three.example';
    const { registrationId, code, proof } = await identity.registered(email);
    const another = await identity.registered(email);
    for (let turn = 0; turn < 5; turn += 1)
      await identity.post('/v1/auth/verify', { registrationId, code: otherThan(code) });
    expect(await identity.post('/v1/auth/verify', proof)).toMatchObject({ body: { code: 'invalid_code' } });
    expect(await identity.post('/v1/auth/verify', another.proof)).toMatchObject({ status: 200 });
  });

  it('counts no try of a stranger, who has neither the registration nor its password', async () => {
    const email = 'strangers@three.example';
    const { proof, code } = await identity.registered(email);
    for (let turn = 0; turn < 8; turn += 1)
      await identity.post('/v1/auth/verify', { email, password: `a guess ${turn}`, code: otherThan(code) });
    expect(await identity.post('/v1/auth/verify', proof)).toMatchObject({ status: 200 });
  });

  it('gives one token pair to fifty requests at once with the right code', async () => {
    const { proof } = await identity.registered('race@three.example');
    const answers = await times(50, () => identity.post('/v1/auth/verify', proof));
    expect(outcomes(answers)).toEqual({ 200: 1, '400 invalid_code': 49 });
    const userId = answers.find(({ status }) => status === 200)?.body.user.id;
    expect(await identity.collection('sessions').countDocuments({ device: 'test device', userId })).toBe(1);
  });

  it('compares five of fifty wrong codes at once at most', async () => {
    const { email, registrationId, code } = await identity.registered('guess@three.example');
    const wrong = { registrationId, code: otherThan(code) };
    const answers = await times(50, () => identity.post('/v1/auth/verify', wrong));
    expect(outcomes(answers)).toEqual({ '400 invalid_code': 50 });
    expect((await identity.collection('registrations').findOne({ email })).code.attempts).toBe(5);
  });

  it('mails long codes once twenty of six digits were mailed and none was entered, and six digits again after', async () => {
    const email = 'guessed@three.example';
    const digits = /^\d{6}$/;
    for (let turn = 0; turn < 20; turn += 1) {
      const headers = { 'x-client-ip': `192.0.2.${100 + turn}` };
      expect((await identity.registered(email, {}, headers)).code).toMatch(digits);
    }
    const { code, proof } = await identity.registered(email, {}, { 'x-client-ip': '192.0.2.200' });
    expect(code).toMatch(/^[\w-]{43}$/);
    expect(await identity.post('/v1/auth/verify', proof)).toMatchObject({ status: 200 });
    expect((await identity.recovery(email)).code).toMatch(digits);
  });
});

describe('POST /v1/auth/verify/resend', () => {
  it('sends another code after a minute; the older one is no longer valid', async () => {
    const { registrationId, code } = await identity.registered('again@four.example');
    const resend = () => identity.post('/v1/auth/verify/resend', { registrationId });
    expect(await resend()).toMatchObject({ status: 202, body: { status: 'accepted' } });
    identity.advance(61);
    expect((await resend()).status).toBe(202);
    const newest = await identity.codeOfFlow(registrationId, 2);
    const older = await identity.post('/v1/auth/verify', { registrationId, code });
    expect(code === newest || older.body.code === 'invalid_code').toBe(true);
    // Two codes may happen to be the same; then the first answer was good.
    const newer = code === newest ? older : await identity.post('/v1/auth/verify', { registrationId, code: newest });
    expect(newer.status).toBe(200);
    // The first event begins the registration. Tries of a code count as versions, too.
    const published = identity.eventsAbout('again@four.example', 'identity.user-registered');
    expect(published.map(({ sequence }) => sequence === 1)).toEqual([true, false]);
  });

  it('takes email and password in place of the registration', async () => {
    const { email, registrationId } = await identity.registered('elsewhere@four.example');
    identity.advance(61);
    expect((await identity.post('/v1/auth/verify/resend', { email, password: 'not the password' })).status).toBe(202);
    expect((await identity.post('/v1/auth/verify/resend', { email, password })).status).toBe(202);
    await identity.codeOfFlow(registrationId, 2);
    expect(identity.eventsAbout(email)).toHaveLength(2);
  });

  it('sends five an hour', async () => {
    const { email, registrationId } = await identity.registered('five@four.example');
    for (let turn = 0; turn < 6; turn += 1) {
      identity.advance(61);
      await identity.post('/v1/auth/verify/resend', { registrationId });
    }
    await identity.codeOfFlow(registrationId, 5);
    expect((await identity.collection('registrations').findOne({ email })).codesSent).toHaveLength(5);
  });
});

describe('POST /v1/auth/trade/register', () => {
  it('accepts an application', async () => {
    const email = 'charles@five.example';
    const answer = await identity.post('/v1/auth/trade/register', { ...trade(email), vatNumber: 'GB123456789' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      status: 'pending-approval',
      registrationId: expect.stringMatching(/^reg_/),
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
    const { registrationId, ...applied } = (await identity.post('/v1/auth/trade/register', trade(email))).body;
    const proof = { registrationId, code: await identity.codeOfFlow(registrationId) };
    const proved = await identity.post('/v1/auth/verify', proof);
    // No tokens, and nothing but what the registration answered.
    expect([proved.status, proved.body]).toEqual([200, applied]);
    const { userId } = await identity.collection('emails').findOne({ _id: email });
    expect(await identity.collection('sessions').countDocuments({ userId })).toBe(0);
    await eventually(
      () => identity.eventsAbout(email, 'identity.trade-account-submitted').length === 1,
      'the event that it waits for an administrator',
    );
    expect(identity.eventsAbout(email, 'identity.user-verified')).toHaveLength(1);
    expect(await identity.post('/v1/auth/verify', proof)).toMatchObject({ body: { code: 'invalid_code' } });
  });
});
