import { eventually, outcomes, statuses, times } from '@storefront/testing';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { otherThan, startIdentity, type IdentityHarness } from './harness.ts';
import { secondFactors } from './second-factors.ts';

let identity: IdentityHarness;
let people: ReturnType<typeof secondFactors>;
beforeAll(async () => {
  identity = await startIdentity();
  people = secondFactors(identity);
});
afterAll(() => identity.close());

const changesOf = (userId: string) =>
  identity.eventsOf(userId, 'identity.second-factor-changed').map(({ data }) => data.change);

describe('an authenticator app', () => {
  it('is set up by its first code, which brings ten recovery codes', async () => {
    const { email, accessToken, user } = await identity.member('ada@one.example');
    expect(await people.stateOf(accessToken)).toEqual({
      enabled: false,
      required: false,
      methods: [],
      totp: null,
      passkeys: 0,
      recoveryCodesLeft: 0,
    });
    const { body: begun } = await identity.post('/v1/auth/mfa/totp', undefined, accessToken);
    expect(begun).toEqual({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      otpauthUrl: expect.stringContaining(`otpauth://totp/Storefront:ada%40one.example?secret=${begun.secret}`),
      expiresAt: expect.any(String),
    });
    expect((await people.stateOf(accessToken)).enabled).toBe(false);
    const wrong = otherThan(people.codeOf(begun.secret));
    expect(await identity.post('/v1/auth/mfa/totp/confirm', { code: wrong }, accessToken)).toMatchObject({
      status: 400,
      body: { code: 'invalid_factor' },
    });
    const code = people.codeOf(begun.secret);
    const { status, body } = await identity.post('/v1/auth/mfa/totp/confirm', { code }, accessToken);
    expect(status).toBe(200);
    expect(body.recoveryCodes).toHaveLength(10);
    expect(new Set(body.recoveryCodes).size).toBe(10);
    for (const shown of body.recoveryCodes) expect(shown).toMatch(/^[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}$/);
    expect(await people.stateOf(accessToken)).toMatchObject({
      enabled: true,
      methods: ['totp', 'recovery-code'],
      totp: { confirmedAt: body.confirmedAt },
      recoveryCodesLeft: 10,
    });
    await eventually(() => changesOf(user.id).length === 1, 'the event');
    expect(identity.eventsOf(user.id, 'identity.second-factor-changed')[0]?.data).toEqual({
      email,
      firstName: 'Ada',
      lastName: 'Lovelace',
      change: 'totp-added',
      recoveryCodesLeft: 10,
      sealedCode: expect.any(String),
      linkExpiresAt: expect.any(String),
    });
  });

  it('is confirmed by the session that began it, within ten minutes', async () => {
    const { email, accessToken } = await identity.member('began@one.example');
    const { body: other } = await people.logIn(email);
    const begin = async () => (await identity.post('/v1/auth/mfa/totp', undefined, accessToken)).body.secret;
    const confirm = (secret: string, as: string) =>
      identity.post('/v1/auth/mfa/totp/confirm', { code: people.codeOf(secret) }, as);
    const secret = await begin();
    expect((await confirm(secret, other.accessToken)).status).toBe(400);
    const newer = await begin();
    expect((await confirm(secret, accessToken)).status).toBe(400);
    identity.advance(10 * 60);
    expect((await confirm(newer, accessToken)).status).toBe(400);
  });

  it('makes a login answer mfa_required, with what completes it', async () => {
    const { email, secret, user } = await people.memberWithTotp('asked@one.example');
    const answer = await people.logIn(email);
    expect(answer).toMatchObject({
      status: 401,
      body: {
        code: 'mfa_required',
        mfaToken: expect.stringMatching(/^mfa_/),
        expiresAt: expect.any(String),
        methods: ['totp', 'recovery-code'],
      },
    });
    expect(answer.body).not.toHaveProperty('accessToken');
    const verified = await people.verify({ mfaToken: answer.body.mfaToken, code: people.codeOf(secret) });
    expect(verified).toMatchObject({ status: 200, body: { tokenType: 'Bearer', user: { id: user.id, email } } });
    expect(decodeJwt(verified.body.accessToken)).toMatchObject({ sub: user.id, role: 'retail' });
    expect((await people.logIn(email, 'wrong')).body.code).toBe('invalid_credentials');
  });

  it('takes each code once, and none of a step before it', async () => {
    const { email, secret } = await people.memberWithTotp('once@one.example');
    await identity.atOneMoment(async () => {
      const [before, code] = [people.codeOf(secret, -1), people.codeOf(secret)];
      const tokens = await people.mfaTokensOf(email, 2);
      expect((await people.verify({ mfaToken: tokens[0], code })).status).toBe(200);
      for (const replayed of [code, before])
        expect(await people.verify({ mfaToken: tokens[1], code: replayed })).toMatchObject({
          status: 400,
          body: { code: 'invalid_factor' },
        });
      identity.advance(30);
      expect((await people.verify({ mfaToken: tokens[1], code: people.codeOf(secret) })).status).toBe(200);
    });
  });

  it('takes the code of the step before and of the next one, and of no other', async () => {
    const { email, secret } = await people.memberWithTotp('drift@one.example');
    identity.advance(120);
    await identity.atOneMoment(async () => {
      const codeAt = async (steps: number) => {
        const mfaToken = await people.mfaTokenOf(email);
        return (await people.verify({ mfaToken, code: people.codeOf(secret, steps) })).status;
      };
      expect(await codeAt(-2)).toBe(400);
      expect(await codeAt(2)).toBe(400);
      expect(await codeAt(-1)).toBe(200);
      expect(await codeAt(1)).toBe(200);
    });
  });

  it('gives one pair of tokens to fifty uses of one code at once', async () => {
    const { email, secret } = await people.memberWithTotp('crowd@one.example');
    // Five uses of each.
    const tokens = await people.mfaTokensOf(email, 10);
    const answers = await identity.atOneMoment(() => {
      const code = people.codeOf(secret);
      return times(50, (index) => people.verify({ mfaToken: tokens[index % 10], code }));
    });
    expect(statuses(answers)[200]).toBe(1);
  });

  it('is removed, and with the last factor the recovery codes', async () => {
    const { email, accessToken, user } = await people.memberWithTotp('removed@one.example');
    expect((await identity.call('DELETE', '/v1/auth/mfa/totp', { as: accessToken })).status).toBe(204);
    expect((await identity.call('DELETE', '/v1/auth/mfa/totp', { as: accessToken })).status).toBe(204);
    expect(await people.stateOf(accessToken)).toMatchObject({ enabled: false, methods: [], recoveryCodesLeft: 0 });
    expect((await people.logIn(email)).status).toBe(200);
    await eventually(() => changesOf(user.id).length === 2, 'both events');
    expect(changesOf(user.id)).toEqual(['totp-added', 'totp-removed']);
  });

  it('keeps its secret encrypted', async () => {
    const { secret, user, recoveryCodes } = await people.memberWithTotp('sealed@one.example');
    const stored = JSON.stringify(await identity.collection('factors').findOne({ _id: user.id }));
    expect(stored).not.toContain(secret);
    for (const code of recoveryCodes) expect(stored).not.toContain(code.replaceAll('-', ''));
  });
});

describe('POST /v1/auth/mfa/verify', () => {
  it('takes a token once, within five minutes, from the device that logged in', async () => {
    const { email, secret } = await people.memberWithTotp('token@two.example');
    const refused = { status: 401, body: { code: 'invalid_mfa_token' } };
    const used = await people.mfaTokenOf(email);
    expect((await people.verify({ mfaToken: used, code: people.codeOf(secret) })).status).toBe(200);
    identity.advance(30);
    expect(await people.verify({ mfaToken: used, code: people.codeOf(secret) })).toMatchObject(refused);
    const elsewhere = { mfaToken: await people.mfaTokenOf(email), code: people.codeOf(secret) };
    const headers = { 'user-agent': 'another device' };
    expect(await identity.call('POST', '/v1/auth/mfa/verify', { body: elsewhere, headers })).toMatchObject(refused);
    const late = await people.mfaTokenOf(email);
    identity.advance(5 * 60);
    expect(await people.verify({ mfaToken: late, code: people.codeOf(secret) })).toMatchObject(refused);
    expect(await people.verify({ mfaToken: 'mfa_nothing', code: '000000' })).toMatchObject(refused);
  });

  it('refuses a token after a logout everywhere', async () => {
    const { email, secret, accessToken } = await people.memberWithTotp('out@two.example');
    const mfaToken = await people.mfaTokenOf(email);
    await identity.post('/v1/auth/logout', undefined, accessToken);
    expect((await people.verify({ mfaToken, code: people.codeOf(secret) })).body.code).toBe('invalid_mfa_token');
  });

  it('compares five codes of fifty at once for one token', async () => {
    const { email, secret } = await people.memberWithTotp('tries@two.example');
    const mfaToken = await people.mfaTokenOf(email);
    const wrong = otherThan(people.codeOf(secret));
    const answers = await times(50, () => people.verify({ mfaToken, code: wrong }));
    expect(outcomes(answers)).toEqual({ '400 invalid_factor': 5, '401 invalid_mfa_token': 45 });
  });

  it('compares ten wrong codes within 15 minutes, and informs the owner', async () => {
    const { email, secret, user } = await people.memberWithTotp('guessed@two.example');
    await identity.atOneMoment(async () => {
      const wrong = otherThan(people.codeOf(secret));
      for (let round = 0; round < 3; round += 1) {
        const mfaToken = await people.mfaTokenOf(email);
        const answers = await times(4, () => people.verify({ mfaToken, code: wrong }));
        const limited =
          round === 2 ? { '400 invalid_factor': 2, '429 too_many_attempts': 2 } : { '400 invalid_factor': 4 };
        expect(outcomes(answers)).toEqual(limited);
      }
      const mfaToken = await people.mfaTokenOf(email);
      const waits = await people.verify({ mfaToken, code: people.codeOf(secret) });
      expect(waits).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
      expect(Number(waits.headers.get('retry-after'))).toBeGreaterThan(14 * 60);
      identity.advance(15 * 60);
      const later = { mfaToken: await people.mfaTokenOf(email), code: people.codeOf(secret) };
      expect((await people.verify(later)).status).toBe(200);
    });
    const notice = await eventually(
      () => identity.eventsOf(user.id, 'identity.second-factor-guessed')[0],
      'the notice',
    );
    expect(notice.data).toMatchObject({ email, tries: 10 });
  });

  it('compares a hundred wrong codes of the app in a row ever; then a recovery code helps', async () => {
    const { email, secret, user, recoveryCodes } = await people.memberWithTotp('ever@two.example');
    await identity.collection('factors').updateOne({ _id: user.id }, { $set: { triesInRow: 100 } });
    const mfaToken = await people.mfaTokenOf(email);
    expect((await people.verify({ mfaToken, code: people.codeOf(secret) })).status).toBe(429);
    expect((await people.verify({ mfaToken, recoveryCode: recoveryCodes[0] })).status).toBe(200);
    const again = { mfaToken: await people.mfaTokenOf(email), code: people.codeOf(secret) };
    expect((await people.verify(again)).status).toBe(200);
  });

  it('names what is wrong with its body', async () => {
    const mfaToken = 'mfa_nothing';
    for (const body of [{ mfaToken }, { mfaToken, code: '000000', recoveryCode: 'aaaa-aaaa-aaaa' }, { code: '000000' }])
      expect(await people.verify(body)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect((await people.verify({ mfaToken, code: 12, userId: 'user_1' })).body.errors).toMatchObject([
      { pointer: '/code' },
      { pointer: '/userId', code: 'unknown_field' },
    ]);
  });

  it('keeps a suspended user out', async () => {
    const { email, secret, user } = await people.memberWithTotp('erasing@two.example');
    const mfaToken = await people.mfaTokenOf(email);
    await identity.collection('users').updateOne({ _id: user.id }, { $set: { status: 'erasing' } });
    expect((await people.verify({ mfaToken, code: people.codeOf(secret) })).status).toBe(401);
  });
});

describe('a recovery code', () => {
  it('completes a login once, however it is typed, and informs the owner', async () => {
    const { email, recoveryCodes, user } = await people.memberWithTotp('lost@three.example');
    const recoveryCode = recoveryCodes[3]?.toUpperCase().replaceAll('-', ' ');
    const verified = await people.verify({ mfaToken: await people.mfaTokenOf(email), recoveryCode });
    expect(verified.status).toBe(200);
    expect((await people.stateOf(verified.body.accessToken)).recoveryCodesLeft).toBe(9);
    const again = await people.verify({ mfaToken: await people.mfaTokenOf(email), recoveryCode });
    expect(again).toMatchObject({ status: 400, body: { code: 'invalid_factor' } });
    await eventually(() => changesOf(user.id).includes('recovery-code-used'), 'the event');
  });

  it('works once in fifty uses at once', async () => {
    const { email, recoveryCodes } = await people.memberWithTotp('fifty@three.example');
    const tokens = await people.mfaTokensOf(email, 10);
    const answers = await times(50, (index) =>
      people.verify({ mfaToken: tokens[index % 10], recoveryCode: recoveryCodes[0] }),
    );
    expect(statuses(answers)[200]).toBe(1);
    const session = answers.find(({ status }) => status === 200);
    expect((await people.stateOf(session?.body.accessToken)).recoveryCodesLeft).toBe(9);
  });

  it('is of no use to another user', async () => {
    const [ada, eve] = [
      await people.memberWithTotp('hers@three.example'),
      await people.memberWithTotp('eve@three.example'),
    ];
    const stolen = { mfaToken: await people.mfaTokenOf(eve.email), recoveryCode: ada.recoveryCodes[0] };
    expect((await people.verify(stolen)).status).toBe(400);
  });

  it('is invalid once new ones are made', async () => {
    const { email, accessToken, recoveryCodes } = await people.memberWithTotp('renewed@three.example');
    const { status, body } = await identity.post('/v1/auth/mfa/recovery-codes', undefined, accessToken);
    expect(status).toBe(200);
    expect(body.recoveryCodes).toHaveLength(10);
    const mfaToken = await people.mfaTokenOf(email);
    expect((await people.verify({ mfaToken, recoveryCode: recoveryCodes[0] })).status).toBe(400);
    expect((await people.verify({ mfaToken, recoveryCode: body.recoveryCodes[0] })).status).toBe(200);
  });

  it('is not made where there is nothing to recover', async () => {
    const { accessToken } = await identity.member('nothing@three.example');
    expect(await identity.post('/v1/auth/mfa/recovery-codes', undefined, accessToken)).toMatchObject({
      status: 422,
      body: { code: 'second_factor_missing' },
    });
  });
});

describe('a second factor', () => {
  it('outlives a password reset, which does not log in, once its change can not be undone any more', async () => {
    const { email, secret } = await people.memberWithTotp('reset@four.example');
    identity.advance(7 * 24 * 60 * 60);
    const { recoveryId, code } = await identity.recovery(email);
    const newPassword = 'another quiet morning';
    const reset = await identity.post('/v1/auth/password/reset', { recoveryId, code, newPassword });
    expect(reset.status).toBe(200);
    expect(reset.body).not.toHaveProperty('accessToken');
    const { body } = await people.logIn(email, newPassword);
    expect(body.code).toBe('mfa_required');
    expect((await people.verify({ mfaToken: body.mfaToken, code: people.codeOf(secret) })).status).toBe(200);
  });
});
