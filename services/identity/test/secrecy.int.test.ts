import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { otherThan, password, startIdentity, trade, type IdentityHarness } from './harness.ts';
import { secondFactors } from './second-factors.ts';

let identity: IdentityHarness;
beforeAll(async () => (identity = await startIdentity()));
afterAll(() => identity.close());

async function everythingKept(): Promise<string> {
  const db = identity.connection.getClient().db(identity.connection.name);
  const names = (await db.listCollections().toArray()).map(({ name }) => name);
  const documents = await Promise.all(names.map((name) => db.collection(name).find().toArray()));
  return JSON.stringify({ documents, events: identity.events, lines: identity.lines });
}

describe('nothing that is kept, published or logged', () => {
  it('holds a code, a password or a token in clear', async () => {
    const email = 'ada@one.example';
    const { registrationId, code } = await identity.registered(email);
    await identity.post('/v1/auth/verify', { registrationId, code: otherThan(code) });
    // Before it is used up, so that everything about it is still there.
    const whileWaiting = await everythingKept();
    const { body: tokens } = await identity.post('/v1/auth/verify', { registrationId, code });
    const { body: pair } = await identity.post('/v1/auth/refresh', { refreshToken: tokens.refreshToken });
    const { recoveryId, code: resetCode, link } = await identity.recovery(email);
    await identity.post('/v1/auth/trade/register', trade('charles@one.example'));
    const tradeCode = await identity.codeOf('charles@one.example');
    await identity.post('/v1/auth/login', { email, password: 'wrong but secret' });
    await eventually(() => identity.lines.some((line) => line.includes('/v1/auth/login')), 'the log of it');

    const everything = whileWaiting + (await everythingKept());
    // As a separate word: six digits occur by chance within a time or a hash.
    for (const secret of [code, resetCode, tradeCode])
      expect(everything).not.toMatch(new RegExp(`(?<![\\w.-])${secret}(?![\\w.-])`));
    for (const secret of [
      password,
      'wrong but secret',
      tokens.accessToken,
      tokens.refreshToken,
      pair.accessToken,
      pair.refreshToken,
      tokens.deviceToken,
      registrationId,
      recoveryId,
      link,
    ])
      expect(everything).not.toContain(secret);
  });

  it('holds what proves a second factor, or puts an email back', async () => {
    const people = secondFactors(identity);
    const { email, accessToken, secret, recoveryCodes } = await people.memberWithTotp('grace@one.example');
    const mfaToken = await people.mfaTokenOf(email);
    await people.verify({ mfaToken: await people.mfaTokenOf(email), recoveryCode: recoveryCodes[0] });
    const begun = await identity.post('/v1/users/me/email', { email: 'hopper@one.example' }, accessToken);
    const code = await identity.codeOf('hopper@one.example', 1, 'identity.email-change-requested');
    const whileWaiting = await everythingKept();
    const { emailChangeId } = begun.body;
    await identity.post('/v1/users/me/email/confirm', { emailChangeId, code }, accessToken);
    const event = await eventually(
      () => identity.eventsAbout('hopper@one.example', 'identity.email-changed')[0],
      'the new email',
    );
    const { link } = await identity.opened(event);
    const everything = whileWaiting + (await everythingKept());
    expect(everything).not.toMatch(new RegExp(`(?<![\\w.-])${code}(?![\\w.-])`));
    const plainCodes = recoveryCodes.flatMap((shown) => [shown, shown.replaceAll('-', '')]);
    for (const kept of [secret, mfaToken, link, ...plainCodes]) expect(everything).not.toContain(kept);
  });

  it('is shown to a client that is not theirs to see', async () => {
    const { accessToken } = await identity.member('shown@one.example');
    const { body } = await identity.call('GET', '/v1/users/me', { as: accessToken });
    expect(JSON.stringify(body)).not.toMatch(/argon2|hash|outbox|tokenVersion|codes/i);
  });
});
