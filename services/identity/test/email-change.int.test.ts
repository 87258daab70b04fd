import { eventually, outcomes, statuses, times } from '@storefront/testing';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { erasedBy, otherThan, password, startIdentity, type IdentityHarness } from './harness.ts';
import { secondFactors } from './second-factors.ts';

let identity: IdentityHarness;
let people: ReturnType<typeof secondFactors>;
beforeAll(async () => {
  identity = await startIdentity();
  people = secondFactors(identity);
});
afterAll(() => identity.close());

const request = (as: string, email: string) => identity.post('/v1/users/me/email', { email }, as);
const confirm = (as: string, emailChangeId: string, code: string) =>
  identity.post('/v1/users/me/email/confirm', { emailChangeId, code }, as);
const revert = (token: string) => identity.post('/v1/auth/changes/revert', { token });
const requested = 'identity.email-change-requested';
const invalidCode = { status: 400, body: { code: 'invalid_code' } };
const dayS = 24 * 60 * 60;

async function ask(as: string, email: string) {
  const answer = await request(as, email);
  if (answer.status !== 202) throw new Error(JSON.stringify(answer.body));
  const id = answer.body.emailChangeId as string;
  return { id, code: await identity.codeOf(email, 1, requested) };
}

/** Changes the email; returns what the API answered, and the code of the revert link. */
async function change(as: string, email: string) {
  const { id, code } = await ask(as, email);
  const answer = await confirm(as, id, code);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  const event = await eventually(() => identity.eventsAbout(email, 'identity.email-changed')[0], 'the event');
  return { ...answer, token: (await identity.opened(event)).link ?? '', event };
}

describe('POST /v1/users/me/email', () => {
  it('has a code mailed to the new address, and changes nothing yet', async () => {
    const { email, accessToken, user } = await identity.member('ada@one.example');
    const answer = await request(accessToken, 'Ada@New.example');
    expect(answer).toMatchObject({
      status: 202,
      body: { emailChangeId: expect.stringMatching(/^emch_/), email: 'ada@new.example' },
    });
    const { expiresAt, resendAfter } = answer.body;
    expect(Date.parse(expiresAt) - Date.parse(resendAfter)).toBe(9 * 60 * 1000);
    const [event] = await eventually(() => identity.eventsAbout('ada@new.example', requested), 'the mail');
    expect(event).toMatchObject({ subject: user.id, data: { firstName: 'Ada', email: 'ada@new.example' } });
    expect((await identity.call('GET', '/v1/users/me', { as: accessToken })).body.email).toBe(email);
  });

  it('answers the same where the address has an account, whose owner is informed', async () => {
    const bob = await identity.member('bob@one.example');
    const { accessToken } = await identity.member('eve@one.example');
    const [taken, free] = [
      await request(accessToken, bob.email),
      await request((await identity.member('mallory@one.example')).accessToken, 'free@one.example'),
    ];
    expect(Object.keys(taken.body)).toEqual(Object.keys(free.body));
    expect(taken.status).toBe(202);
    const published = await eventually(
      () => identity.eventsAbout(bob.email, 'identity.email-change-attempted')[0],
      'the mail to the owner',
    );
    expect(published.subject).toBe(bob.user.id);
    // Nothing about the user who requested the change.
    expect(published.data).toEqual({ email: bob.email });
    expect(identity.eventsAbout(bob.email, requested)).toEqual([]);
    expect(await confirm(accessToken, taken.body.emailChangeId, '000000')).toMatchObject(invalidCode);
  });

  it('refuses the email of the account, and one that is none', async () => {
    const { email, accessToken } = await identity.member('same@one.example');
    expect((await request(accessToken, email)).body.errors).toMatchObject([
      { pointer: '/email', code: 'email_unchanged' },
    ]);
    expect((await request(accessToken, 'nonsense')).body.errors).toMatchObject([{ pointer: '/email' }]);
    expect((await identity.post('/v1/users/me/email', { email: 'x@one.example' })).status).toBe(401);
  });

  it('mails once a minute, five times an hour, and once for an Idempotency-Key', async () => {
    const { accessToken } = await identity.member('often@one.example');
    await identity.atOneMoment(async () => {
      const headers = { 'idempotency-key': 'first' };
      const send = () =>
        identity.call('POST', '/v1/users/me/email', { as: accessToken, headers, body: { email: 'o0@new.example' } });
      const [first, second] = [await send(), await send()];
      expect(second.body).toEqual(first.body);
      const soon = await request(accessToken, 'o1@new.example');
      expect(soon).toMatchObject({ status: 429, body: { code: 'too_many_email_changes' } });
      expect(soon.headers.get('retry-after')).toBe('60');
      for (const index of [1, 2, 3, 4]) {
        identity.advance(60);
        await people.reauthenticate(accessToken, { password });
        expect((await request(accessToken, `o${index}@new.example`)).status).toBe(202);
      }
      identity.advance(60);
      expect(Number((await request(accessToken, 'o5@new.example')).headers.get('retry-after'))).toBe(55 * 60);
    });
    expect(identity.eventsAbout('o0@new.example', requested)).toHaveLength(1);
  });
});

describe('POST /v1/users/me/email/confirm', () => {
  it('changes the email, ends all other sessions, and answers new tokens', async () => {
    const { email, accessToken, refreshToken, user } = await identity.member('charles@two.example');
    const { body: other } = await people.logIn(email);
    const { status, headers, body, event } = await change(accessToken, 'babbage@two.example');
    expect(status).toBe(200);
    expect(body.user).toMatchObject({ id: user.id, email: 'babbage@two.example' });
    expect(headers.get('x-tokens-revoked')).toBe(`${user.id} 2`);
    expect(decodeJwt(body.accessToken)['ver']).toBe(2);
    for (const revoked of [refreshToken, other.refreshToken])
      expect((await identity.post('/v1/auth/refresh', { refreshToken: revoked })).status).toBe(401);
    expect((await people.logIn('babbage@two.example')).status).toBe(200);
    expect((await people.logIn(email)).body.code).toBe('invalid_credentials');
    expect(event).toMatchObject({
      subject: user.id,
      data: { email: 'babbage@two.example', previousEmail: email, sealedCode: expect.any(String) },
    });
  });

  it('shows an international address as it was typed, also when it is the former one again', async () => {
    const { accessToken, email } = await identity.member('ann@one.example');
    const [typed, ascii] = ['ann@пример.рф', 'ann@xn--e1afmkfd.xn--p1ai'];
    const begun = await request(accessToken, typed);
    expect(begun).toMatchObject({ status: 202, body: { email: typed } });
    const code = await identity.codeOf(ascii, 1, requested);
    const changed = await confirm(accessToken, begun.body.emailChangeId, code);
    expect(changed).toMatchObject({ status: 200, body: { user: { email: typed } } });
    // The first change can't be undone any more, so the second one leads back to it.
    identity.advance(7 * dayS);
    await people.reauthenticate(changed.body.accessToken, { password });
    const next = await change(changed.body.accessToken, 'ann@two.example');
    expect(next.body.user).toMatchObject({ email: 'ann@two.example' });
    expect(next.event.data).toMatchObject({ previousEmail: ascii });
    expect((await revert(next.token)).status).toBe(200);
    const users = identity.collection('users');
    expect(await users.findOne({ email: ascii })).toMatchObject({ emailTyped: typed });
    expect(await users.countDocuments({ email })).toBe(0);
  });

  it('takes a code once, within ten minutes, for its own request and user', async () => {
    const { accessToken } = await identity.member('codes@two.example');
    const eve = await identity.member('eve@two.example');
    const { id, code } = await ask(accessToken, 'codes@new.example');
    expect(await confirm(eve.accessToken, id, code)).toMatchObject(invalidCode);
    const other = await ask(eve.accessToken, 'eve@new.example');
    expect(await confirm(accessToken, other.id, other.code)).toMatchObject(invalidCode);
    expect(await confirm(accessToken, id, otherThan(code))).toMatchObject(invalidCode);
    expect((await confirm(accessToken, id, code)).status).toBe(200);
    expect(await confirm(accessToken, id, code)).toMatchObject(invalidCode);
    identity.advance(10 * 60);
    expect(await confirm(eve.accessToken, other.id, other.code)).toMatchObject(invalidCode);
  });

  it('compares five of fifty wrong codes at once, and takes the right one once in fifty', async () => {
    const { accessToken, user } = await identity.member('wrong@two.example');
    const { id, code } = await ask(accessToken, 'wrong@new.example');
    expect(outcomes(await times(50, () => confirm(accessToken, id, otherThan(code))))).toEqual({
      '400 invalid_code': 50,
    });
    expect(await identity.collection('email_changes').findOne({ _id: user.id })).toMatchObject({
      code: { attempts: 5 },
    });
    expect(await confirm(accessToken, id, code)).toMatchObject(invalidCode);
    const right = await identity.member('right@two.example');
    const begun = await ask(right.accessToken, 'right@new.example');
    const answers = await times(50, () => confirm(right.accessToken, begun.id, begun.code));
    expect(statuses(answers)[200]).toBe(1);
  });

  it('gives an address to the first of two who prove it', async () => {
    const [ada, eve] = [await identity.member('first@two.example'), await identity.member('second@two.example')];
    const changes = [
      await request(ada.accessToken, 'both@new.example'),
      await request(eve.accessToken, 'both@new.example'),
    ];
    await eventually(() => identity.eventsAbout('both@new.example', requested).length === 2, 'both mails');
    const codeFor = async (userId: string) => {
      const event = identity.eventsAbout('both@new.example', requested).find(({ subject }) => subject === userId);
      return event ? identity.digitsIn(event) : '';
    };
    const codes = [await codeFor(ada.user.id), await codeFor(eve.user.id)];
    const answers = await Promise.all([
      confirm(ada.accessToken, changes[0]?.body.emailChangeId, codes[0] ?? ''),
      confirm(eve.accessToken, changes[1]?.body.emailChangeId, codes[1] ?? ''),
    ]);
    expect(outcomes(answers)).toEqual({ '200': 1, '400 invalid_code': 1 });
    const owners = await identity.collection('users').find({ email: 'both@new.example' }).toArray();
    expect(owners).toHaveLength(1);
    expect(await identity.collection('emails').findOne({ _id: 'both@new.example' })).toMatchObject({
      userId: owners[0]?._id,
    });
  });

  it('ends recoveries that were mailed to the former address', async () => {
    const { email, accessToken } = await identity.member('recovery@two.example');
    const { recoveryId, code } = await identity.recovery(email);
    await change(accessToken, 'recovery@new.example');
    const reset = { recoveryId, code, newPassword: 'another quiet morning' };
    expect(await identity.post('/v1/auth/password/reset', reset)).toMatchObject(invalidCode);
  });
});

describe('the former address', () => {
  it('belongs to nobody else, and not to its user either, for seven days', async () => {
    const { email, accessToken, user } = await identity.member('former@three.example');
    const { body } = await change(accessToken, 'later@three.example');
    const { registrationId, code } = await identity.registered(email);
    expect(await identity.post('/v1/auth/verify', { registrationId, code })).toMatchObject(invalidCode);
    const eve = await identity.member('eve@three.example');
    const begun = await ask(eve.accessToken, email);
    expect(await confirm(eve.accessToken, begun.id, begun.code)).toMatchObject(invalidCode);
    const reserved = await identity.collection('emails').findOne({ _id: email });
    expect(reserved?.userId).toBe(user.id);
    const left = reserved?.reservedUntil.getTime() - identity.now().getTime();
    expect(left / 1000).toBeGreaterThan(7 * dayS - 300);
    expect(left / 1000).toBeLessThanOrEqual(7 * dayS);
    // Its user may go back to it as to any other address.
    identity.advance(61);
    const back = await request(body.accessToken, email);
    expect(back.status).toBe(202);
    const event = await eventually(
      () => identity.eventsAbout(email, requested).find(({ subject }) => subject === user.id),
      'the mail',
    );
    expect((await confirm(body.accessToken, back.body.emailChangeId, await identity.digitsIn(event))).status).toBe(200);
    expect(await identity.collection('emails').findOne({ _id: email })).toEqual({ _id: email, userId: user.id });
  });

  it('is put back by the link of its mail, with everything that a thief has left undone', async () => {
    const { email, user, secret } = await people.memberWithTotp('stolen@three.example');
    identity.advance(7 * dayS);
    const first = await people.logIn(email);
    const { body } = await people.verify({ mfaToken: first.body.mfaToken, code: people.codeOf(secret) });
    identity.advance(30);
    const { accessToken } = body;
    const thief = await change(accessToken, 'thief@three.example');
    await people.addPasskey(thief.body.accessToken);
    await request(thief.body.accessToken, 'next@three.example');
    const { recoveryId, code } = await identity.recovery('thief@three.example');

    const answer = await revert(thief.token);
    expect(answer).toMatchObject({ status: 200, body: { revoked: true } });
    expect(answer.headers.get('x-tokens-revoked')).toBe(`${user.id} 3`);
    const { refreshToken } = thief.body;
    expect((await identity.post('/v1/auth/refresh', { refreshToken })).status).toBe(401);
    const reset = { recoveryId, code, newPassword: 'the thief comes back' };
    expect(await identity.post('/v1/auth/password/reset', reset)).toMatchObject(invalidCode);
    // The password works at neither address, and the thief's address is free.
    for (const address of [email, 'thief@three.example'])
      expect((await people.logIn(address)).body.code).toBe('invalid_credentials');
    expect(await identity.collection('emails').findOne({ _id: 'thief@three.example' })).toBeNull();
    expect(await revert(thief.token)).toMatchObject({ status: 400, body: { code: 'invalid_revert_token' } });

    const recovery = await identity.recovery(email);
    const newPassword = 'another quiet morning';
    const own = { recoveryId: recovery.recoveryId, code: recovery.code, newPassword };
    expect((await identity.post('/v1/auth/password/reset', own)).status).toBe(200);
    // The former app is still needed, the thief's passkey is gone.
    const login = await people.logIn(email, newPassword);
    expect(login.body.methods).toEqual(['totp', 'recovery-code']);
    const verified = await people.verify({ mfaToken: login.body.mfaToken, code: people.codeOf(secret) });
    expect(verified.body.user).toMatchObject({ id: user.id, email });
    const published = await eventually(() => identity.eventsAbout(email, 'identity.changes-reverted')[0], 'the mail');
    expect(published.data).toMatchObject({
      previousEmail: 'thief@three.example',
      undone: ['email-changed', 'passkey-added'],
    });
    expect(published.data).not.toHaveProperty('sealedCode');
  });

  it('is put back over later changes, whose own links end then', async () => {
    const { email, accessToken } = await identity.member('chain@three.example');
    const first = await change(accessToken, 'chain-1@three.example');
    identity.advance(61);
    const second = await change(first.body.accessToken, 'chain-2@three.example');
    expect((await revert(first.token)).status).toBe(200);
    expect((await revert(second.token)).status).toBe(400);
    for (const freed of ['chain-1@three.example', 'chain-2@three.example'])
      expect(await identity.collection('emails').findOne({ _id: freed })).toBeNull();
    expect(await identity.collection('users').findOne({ email })).not.toBeNull();
  });

  it('is put back by one of ten requests at once, and not after seven days', async () => {
    const { accessToken } = await identity.member('ten@three.example');
    const { token } = await change(accessToken, 'ten-1@three.example');
    expect(statuses(await times(10, () => revert(token)))).toEqual({ 200: 1, 400: 9 });
    const late = await identity.member('late@three.example');
    const changed = await change(late.accessToken, 'late-1@three.example');
    identity.advance(7 * dayS);
    expect((await revert(changed.token)).status).toBe(400);
    expect((await revert('x'.repeat(43))).status).toBe(400);
    expect((await revert('x')).body.code).toBe('validation_failed');
  });

  it('limits the changes: twenty-five can be undone at a time', async () => {
    let { accessToken } = await identity.member('five@three.example');
    for (let index = 1; index <= 25; index += 1) {
      accessToken = (await change(accessToken, `change-${index}@three.example`)).body.accessToken;
      identity.advance(15 * 60);
      await people.reauthenticate(accessToken, { password });
    }
    expect(await request(accessToken, 'change-26@three.example')).toMatchObject({
      status: 429,
      body: { code: 'too_many_control_changes' },
    });
  });

  it('is erased with its user, and so are the factors', async () => {
    const { email, accessToken, user } = await people.memberWithTotp('erased@three.example');
    const { body } = await change(accessToken, 'gone@three.example');
    await identity.call('DELETE', '/v1/users/me', { as: body.accessToken, body: { password } });
    await identity.publish(...erasedBy(user.id));
    await eventually(() => identity.eventsOf(user.id, 'identity.user-erased').length === 1, 'the erasure');
    const left = await eventually(async () => {
      const found: string[] = [];
      for (const name of ['users', 'emails', 'factors', 'mfa_tokens', 'email_changes', 'control_changes', 'sessions']) {
        const documents = JSON.stringify(await identity.collection(name).find().toArray());
        if ([user.id, email, 'gone@three.example'].some((mark) => documents.includes(mark))) found.push(name);
      }
      return found.length === 0 ? 'nothing' : null;
    }, 'nothing left about the user');
    expect(left).toBe('nothing');
  });
});
