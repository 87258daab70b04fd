import { newId } from '@storefront/contracts';
import { eventually, outcomes, statuses, times } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthenticator } from './authenticator.ts';
import { startIdentity, type IdentityHarness } from './harness.ts';
import { secondFactors } from './second-factors.ts';

// With a passkey in software. passkeys-in-chromium.int.test.ts does the same with a browser, where there is one.

let identity: IdentityHarness;
let people: ReturnType<typeof secondFactors>;
beforeAll(async () => {
  identity = await startIdentity();
  people = secondFactors(identity);
});
afterAll(() => identity.close());

const loginOptions = async () => (await identity.post('/v1/auth/passkeys/login/options')).body;
const logInWith = (response: object) => identity.post('/v1/auth/passkeys/login', { response });
const invalidFactor = { status: 400, body: { code: 'invalid_factor' } };
const invalidPasskey = { status: 401, body: { code: 'invalid_passkey' } };

describe('POST /v1/auth/passkeys', () => {
  it('adds a passkey, and the first factor brings ten recovery codes', async () => {
    const { email, accessToken, user } = await identity.member('ada@one.example');
    const begun = await identity.post('/v1/auth/passkeys/options', undefined, accessToken);
    expect(begun).toMatchObject({
      status: 200,
      body: {
        challenge: expect.any(String),
        rp: { id: 'localhost', name: 'Storefront' },
        user: { id: Buffer.from(user.id).toString('base64url'), name: email },
        excludeCredentials: [],
      },
    });
    const response = createAuthenticator().create({ challenge: begun.body.challenge });
    const answer = await identity.post('/v1/auth/passkeys', { name: '  Laptop ', response }, accessToken);
    expect(answer).toMatchObject({ status: 201, body: { name: 'Laptop', lastUsedAt: null, backedUp: false } });
    expect(answer.body.recoveryCodes).toHaveLength(10);
    expect(answer.headers.get('location')).toBe(`/v1/auth/passkeys/${answer.body.id}`);
    expect(await people.stateOf(accessToken)).toMatchObject({
      enabled: true,
      methods: ['passkey', 'recovery-code'],
      passkeys: 1,
    });
    const second = await people.addPasskey(accessToken, createAuthenticator(), 'Phone');
    expect(second.recoveryCodes).toBeNull();
    const { body: list } = await identity.call('GET', '/v1/auth/passkeys', { as: accessToken });
    expect(list.data.map(({ name }: { name: string }) => name)).toEqual(['Laptop', 'Phone']);
    await eventually(
      () => identity.eventsOf(user.id, 'identity.second-factor-changed').length === 2,
      'the events of both passkeys',
    );
  });

  it('answers the same again under the same Idempotency-Key', async () => {
    const { accessToken } = await identity.member('again@one.example');
    const { body: options } = await identity.post('/v1/auth/passkeys/options', undefined, accessToken);
    const body = { name: 'Laptop', response: createAuthenticator().create({ challenge: options.challenge }) };
    const send = () =>
      identity.call('POST', '/v1/auth/passkeys', { as: accessToken, body, headers: { 'idempotency-key': 'once' } });
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
    expect((await people.stateOf(accessToken)).passkeys).toBe(1);
  });

  it('takes a challenge once, within five minutes, from the session that it was made for', async () => {
    const { email, accessToken } = await identity.member('challenge@one.example');
    const { body: other } = await people.logIn(email);
    const challenge = async () =>
      (await identity.post('/v1/auth/passkeys/options', undefined, accessToken)).body.challenge as string;
    const add = (of: string, as = accessToken, ceremony: object = {}) =>
      identity.post(
        '/v1/auth/passkeys',
        { name: 'Laptop', response: createAuthenticator().create({ challenge: of, ...ceremony }) },
        as,
      );
    expect(await add(await challenge(), other.accessToken)).toMatchObject(invalidFactor);
    expect(await add('AAAA')).toMatchObject(invalidFactor);
    expect(await add((await loginOptions()).challenge)).toMatchObject(invalidFactor);
    expect(await add(await challenge(), accessToken, { origin: 'https://evil.example' })).toMatchObject(invalidFactor);
    expect(await add(await challenge(), accessToken, { rpId: 'evil.example' })).toMatchObject(invalidFactor);
    const used = await challenge();
    expect((await add(used)).status).toBe(201);
    expect(await add(used)).toMatchObject(invalidFactor);
    const late = await identity.member('late@one.example');
    const { body: options } = await identity.post('/v1/auth/passkeys/options', undefined, late.accessToken);
    identity.advance(5 * 60);
    expect(await add(options.challenge, late.accessToken)).toMatchObject(invalidFactor);
  });

  it('answers what is no answer of a passkey with the wrong fields, or as not valid', async () => {
    const { accessToken } = await identity.member('garbage@one.example');
    const { body: options } = await identity.post('/v1/auth/passkeys/options', undefined, accessToken);
    const good = createAuthenticator().create({ challenge: options.challenge });
    const attestationObject = Buffer.alloc(9000, 0x81).toString('base64url');
    const broken = { ...good, response: { ...good.response, attestationObject } };
    expect(await identity.post('/v1/auth/passkeys', { name: 'x', response: broken }, accessToken)).toMatchObject(
      invalidFactor,
    );
    const clientDataJSON = Buffer.from('null').toString('base64url');
    const empty = { ...good, response: { ...good.response, clientDataJSON } };
    expect(await identity.post('/v1/auth/passkeys', { name: 'x', response: empty }, accessToken)).toMatchObject(
      invalidFactor,
    );
    const wrong = { ...good, id: '$ne', response: { ...good.response, attestationObject: { $ne: null } } };
    expect((await identity.post('/v1/auth/passkeys', { name: '', response: wrong }, accessToken)).body).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/name' }, { pointer: '/response/id' }, { pointer: '/response/response/attestationObject' }],
    });
  });

  it('takes each passkey once, and twenty of them', async () => {
    const { accessToken } = await identity.member('many@one.example');
    const { authenticator } = await people.addPasskey(accessToken);
    const { body: options } = await identity.post('/v1/auth/passkeys/options', undefined, accessToken);
    expect(options.excludeCredentials).toMatchObject([{ id: authenticator.credential.id, transports: ['internal'] }]);
    const same = { name: 'Twice', response: authenticator.create({ challenge: options.challenge }) };
    expect(await identity.post('/v1/auth/passkeys', same, accessToken)).toMatchObject({
      status: 409,
      body: { code: 'passkey_known' },
    });
    const challenges = await times(
      25,
      async () => (await identity.post('/v1/auth/passkeys/options', undefined, accessToken)).body.challenge,
    );
    const add = (challenge: string) =>
      identity.post(
        '/v1/auth/passkeys',
        { name: 'One of many', response: createAuthenticator().create({ challenge }) },
        accessToken,
      );
    for (const challenge of challenges.slice(0, 17)) expect((await add(challenge)).status).toBe(201);
    const answers = await Promise.all(challenges.slice(17).map(add));
    expect(outcomes(answers)).toEqual({ '201': 2, '422 too_many_passkeys': 6 });
    expect(await identity.post('/v1/auth/passkeys/options', undefined, accessToken)).toMatchObject({
      status: 422,
      body: { code: 'too_many_passkeys' },
    });
  });
});

describe('a passkey', () => {
  it('logs in alone: that counts as both factors', async () => {
    const { email, user, passkey } = await people.memberWithPasskey('alone@two.example');
    const options = await loginOptions();
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect(options).not.toHaveProperty('allowCredentials');
    const answer = await logInWith(passkey.authenticator.get({ challenge: options.challenge }, user.id));
    expect(answer).toMatchObject({ status: 200, body: { tokenType: 'Bearer', user: { id: user.id, email } } });
    const { body: list } = await identity.call('GET', '/v1/auth/passkeys', { as: answer.body.accessToken });
    expect(list.data[0].lastUsedAt).not.toBeNull();
    // The proof is fresh: factors can be changed at once.
    expect((await identity.post('/v1/auth/mfa/totp', undefined, answer.body.accessToken)).status).toBe(200);
  });

  it('does not log in with another challenge, origin or domain, nor without its user', async () => {
    const { user, passkey } = await people.memberWithPasskey('strict@two.example');
    const { authenticator } = passkey;
    const challenge = async () => (await loginOptions()).challenge as string;
    const wrong: [string, object][] = [
      ['AAAA', {}],
      [await challenge(), { origin: 'https://evil.example' }],
      [await challenge(), { rpId: 'evil.example' }],
      [await challenge(), { verifiesUser: false }],
    ];
    for (const [made, ceremony] of wrong)
      expect(await logInWith(authenticator.get({ challenge: made, ...ceremony }, user.id))).toMatchObject(
        invalidPasskey,
      );
    for (const userId of [null, newId('user'), 'user_1'])
      expect(await logInWith(authenticator.get({ challenge: await challenge() }, userId))).toMatchObject(
        invalidPasskey,
      );
    const answer = authenticator.get({ challenge: await challenge() }, user.id);
    const forged = { ...answer, response: { ...answer.response, signature: 'MEUCIQDx3nY' } };
    expect(await logInWith(forged)).toMatchObject(invalidPasskey);
    // The challenge was used up by the forged answer.
    expect(await logInWith(answer)).toMatchObject(invalidPasskey);
  });

  it('is of no use for another user', async () => {
    const ada = await people.memberWithPasskey('hers@two.example');
    const eve = await people.memberWithPasskey('eve@two.example');
    const { challenge } = await loginOptions();
    expect(await logInWith(eve.passkey.authenticator.get({ challenge }, ada.user.id))).toMatchObject(invalidPasskey);
  });

  it('gives one pair of tokens to fifty uses of one answer at once', async () => {
    const { user, passkey } = await people.memberWithPasskey('fifty@two.example');
    const { challenge } = await loginOptions();
    const answer = passkey.authenticator.get({ challenge }, user.id);
    const answers = await times(50, () => logInWith(answer));
    expect(outcomes(answers)).toEqual({ '200': 1, '401 invalid_passkey': 49 });
  });

  it('is refused when its counter goes back: then there is a copy', async () => {
    const { user, passkey } = await people.memberWithPasskey('copied@two.example');
    const { authenticator } = passkey;
    const use = async () => logInWith(authenticator.get({ challenge: (await loginOptions()).challenge }, user.id));
    authenticator.setCounter(7);
    expect((await use()).status).toBe(200);
    authenticator.setCounter(5);
    expect(await use()).toMatchObject(invalidPasskey);
    authenticator.setCounter(8);
    expect((await use()).status).toBe(200);
  });

  it('completes a login by password, with options of its own', async () => {
    const { email, user, passkey } = await people.memberWithPasskey('second@two.example');
    const { authenticator } = passkey;
    const { body } = await people.logIn(email);
    expect(body).toMatchObject({ code: 'mfa_required', methods: ['passkey', 'recovery-code'] });
    const { mfaToken } = body;
    const { body: options } = await identity.post('/v1/auth/mfa/passkey-options', { mfaToken });
    expect(options.allowCredentials).toMatchObject([{ id: authenticator.credential.id }]);
    const other = authenticator.get({ challenge: (await loginOptions()).challenge }, user.id);
    expect(await people.verify({ mfaToken, passkey: other })).toMatchObject(invalidFactor);
    // A browser sends no user here, and a passkey need not verify one after the password.
    const answer = authenticator.get({ challenge: options.challenge, verifiesUser: false }, null);
    expect((await people.verify({ mfaToken, passkey: answer })).status).toBe(200);
    expect(await identity.post('/v1/auth/mfa/passkey-options', { mfaToken })).toMatchObject({
      status: 401,
      body: { code: 'invalid_mfa_token' },
    });
  });

  it('is renamed and deleted by its owner alone', async () => {
    const ada = await people.memberWithPasskey('owner@two.example');
    const eve = await people.memberWithPasskey('foreign@two.example');
    const path = `/v1/auth/passkeys/${ada.passkey.id}`;
    const body = { name: 'Old laptop' };
    for (const [method, options] of [
      ['PATCH', { body }],
      ['DELETE', {}],
    ] as const)
      expect((await identity.call(method, path, { as: eve.accessToken, ...options })).status).toBe(404);
    expect(await identity.call('PATCH', path, { as: ada.accessToken, body })).toMatchObject({ status: 200, body });
    expect((await identity.call('DELETE', path, { as: ada.accessToken })).status).toBe(204);
    expect((await identity.call('DELETE', path, { as: ada.accessToken })).status).toBe(404);
    expect(await people.stateOf(ada.accessToken)).toMatchObject({ enabled: false, recoveryCodesLeft: 0 });
    const { challenge } = await loginOptions();
    expect(await logInWith(ada.passkey.authenticator.get({ challenge }, ada.user.id))).toMatchObject(invalidPasskey);
    expect((await people.logIn(ada.email)).status).toBe(200);
  });

  it('of a suspended account does not log in', async () => {
    const { user, passkey } = await people.memberWithPasskey('suspended@two.example');
    await identity.collection('users').updateOne({ _id: user.id }, { $set: { status: 'suspended' } });
    const { challenge } = await loginOptions();
    expect(await logInWith(passkey.authenticator.get({ challenge }, user.id))).toMatchObject({
      status: 403,
      body: { code: 'account_suspended' },
    });
  });
});

it('fifty requests for options make fifty challenges', async () => {
  const answers = await times(50, () => identity.post('/v1/auth/passkeys/login/options'));
  expect(statuses(answers)).toEqual({ 200: 50 });
  expect(new Set(answers.map(({ body }) => body.challenge)).size).toBe(50);
});
