import { hash } from 'node:crypto';
import { password as rightPassword, otherThan, startIdentity, trade, type IdentityHarness } from './harness.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

// A stranger sends thirty requests a minute about somebody's email, the worst that it can think of. The owner, at another
// address, registers, recovers and logs in within a minute all the same.

let identity: IdentityHarness;
beforeAll(async () => (identity = await startIdentity()));
afterAll(() => identity.close());

const everySeconds = 2;
const requests = 120;

/** What a stranger may send about an email, in turns. */
function attack(email: string) {
  let sent = 0;
  let registrationId: string | undefined;
  let recoveryId: string | undefined;
  const password = 'nine quick foxes below';
  const moves = [
    () => call('/v1/auth/login', { email, password: `a guess ${sent}` }),
    () => call('/v1/auth/register', { email, password, firstName: 'Eve', lastName: 'Else' }),
    () => call('/v1/auth/verify', { registrationId: registrationId ?? `reg_${'0'.repeat(26)}`, code: '000000' }),
    () => call('/v1/auth/login', { email, password }),
    () => call('/v1/auth/trade/register', { ...trade(email), password }),
    () => call('/v1/auth/verify', { email, password, code: '000000' }),
    () => call('/v1/auth/password/forgot', { email }),
    () =>
      call('/v1/auth/password/reset', {
        recoveryId: recoveryId ?? `rec_${'0'.repeat(26)}`,
        code: '000000',
        newPassword: password,
      }),
    () => call('/v1/auth/verify/resend', registrationId ? { registrationId } : { email, password }),
  ];

  /** From one address at first, then from another one each time. */
  async function call(path: string, body: object): Promise<void> {
    const address = sent < requests / 2 ? '198.51.100.1' : `203.0.113.${sent - requests / 2}`;
    const answer = await identity.call('POST', path, { body, headers: { 'x-client-ip': address } });
    expect(answer.status).toBeLessThan(500);
    registrationId = answer.body?.registrationId ?? registrationId;
    recoveryId = answer.body?.recoveryId ?? recoveryId;
  }

  return async () => {
    for (sent = 0; sent < requests; sent += 1) {
      await moves[sent % moves.length]?.();
      identity.advance(everySeconds);
    }
  };
}

/** Sends a request of the owner, once more after the pause that a 429 asks for, which is a minute at most. */
async function asOwner(path: string, body: object) {
  const send = () => identity.call('POST', path, { body, headers: { 'x-client-ip': '192.0.2.99' } });
  const first = await send();
  if (first.status !== 429) return first;
  const pause = Number(first.headers.get('retry-after'));
  expect(pause).toBeLessThanOrEqual(60);
  identity.advance(pause);
  return send();
}

it('the owner registers, although a stranger does all it can with the email', { timeout: 60_000 }, async () => {
  const email = 'register@one.example';
  await attack(email)();
  const form = { email, password: rightPassword, firstName: 'Ada', lastName: 'Lovelace' };
  const { status, body } = await asOwner('/v1/auth/register', form);
  expect(status).toBe(202);
  const code = await identity.codeOfFlow(body.registrationId);
  expect(await asOwner('/v1/auth/verify', { registrationId: body.registrationId, code })).toMatchObject({
    status: 200,
  });
});

it(
  'the owner logs in and recovers, although a stranger does all it can with the email',
  { timeout: 60_000 },
  async () => {
    const email = 'recover@one.example';
    await identity.member(email);
    await attack(email)();
    expect(await asOwner('/v1/auth/login', { email, password: rightPassword })).toMatchObject({ status: 200 });
    const { recoveryId, code, link } = await identity.recovery(email, { 'x-client-ip': '192.0.2.99' });
    const newPassword = 'seven slow boats upriver';
    const proof = code === '' ? { code: link } : { recoveryId, code };
    expect(await asOwner('/v1/auth/password/reset', { ...proof, newPassword })).toMatchObject({ status: 200 });
    expect(await asOwner('/v1/auth/login', { email, password: newPassword })).toMatchObject({ status: 200 });
  },
);

it('never more than a hundred wrong codes in a row are compared for one email', { timeout: 60_000 }, async () => {
  const email = 'codes@one.example';
  await identity.member(email);
  const withDigits: string[] = [];
  for (let turn = 0; turn < 24; turn += 1) {
    const stranger = await identity.recovery(email, { 'x-client-ip': `203.0.113.${turn}` });
    if (stranger.code !== '') withDigits.push(hash('sha256', stranger.recoveryId, 'base64url'));
    const code = otherThan(stranger.code);
    const reset = { recoveryId: stranger.recoveryId, code, newPassword: 'nine quick foxes below' };
    for (let attempt = 0; attempt < 6; attempt += 1) await identity.post('/v1/auth/password/reset', reset);
  }
  // Beyond twenty there are no digits that a guess could meet.
  expect(withDigits).toHaveLength(20);
  const guessable = await identity
    .collection('recoveries')
    .find({ _id: { $in: withDigits } })
    .toArray();
  expect(guessable.map(({ code }) => code.attempts)).toEqual(Array.from({ length: 20 }, () => 5));
  // From then on the mail has a link, which nobody can guess.
  const own = await identity.recovery(email);
  expect(own.code).toBe('');
  const reset = { code: own.link, newPassword: 'seven slow boats upriver' };
  expect((await identity.post('/v1/auth/password/reset', reset)).status).toBe(200);
});
