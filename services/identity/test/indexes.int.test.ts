import { eventually, findSlow, recordQueries } from '@storefront/testing';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { erasedBy, exportedBy, password, startIdentity, trade, type IdentityHarness } from './harness.ts';
import { secondFactors } from './second-factors.ts';

const root = { email: 'root@shop.example', password: 'the keeper of the keys' };
let identity: IdentityHarness;
beforeAll(async () => {
  identity = await startIdentity({ ADMIN_EMAIL: root.email, ADMIN_PASSWORD: root.password });
});
afterAll(() => identity.close());

/** Exports and erases somebody, with every service answering. */
async function erase({ accessToken: as, user }: { accessToken: string; user: { id: string } }): Promise<void> {
  const { body: requested } = await identity.call('POST', '/v1/users/me/export', { as });
  await identity.publish(...exportedBy(user.id, requested.id));
  const copy = `/v1/users/me/exports/${requested.id}`;
  await eventually(async () => (await identity.call('GET', copy, { as })).body.status === 'ready', 'the export');
  await identity.call('DELETE', '/v1/users/me', { as, body: { password } });
  await identity.publish(...erasedBy(user.id));
  await eventually(() => identity.events.some(({ type }) => type === 'identity.user-erased'), 'the erasure');
}

/** Sets factors up, logs in by each of them, changes the email, and puts it back. */
async function useFactors(): Promise<void> {
  const people = secondFactors(identity);
  const { email, accessToken, user, secret, recoveryCodes } = await people.memberWithTotp('grace@one.example');
  const { authenticator, id } = await people.addPasskey(accessToken);
  await people.stateOf(accessToken);
  await people.verify({ mfaToken: await people.mfaTokenOf(email), code: people.codeOf(secret) });
  await people.verify({ mfaToken: await people.mfaTokenOf(email), recoveryCode: recoveryCodes[0] });
  const mfaToken = await people.mfaTokenOf(email);
  const { body: second } = await identity.post('/v1/auth/mfa/passkey-options', { mfaToken });
  await people.verify({ mfaToken, passkey: authenticator.get({ challenge: second.challenge }, null) });
  const { body: alone } = await identity.post('/v1/auth/passkeys/login/options');
  const response = authenticator.get({ challenge: alone.challenge }, user.id);
  await identity.post('/v1/auth/passkeys/login', { response });
  await identity.post('/v1/auth/reauthenticate/passkey-options', undefined, accessToken);
  await people.reauthenticate(accessToken, { recoveryCode: recoveryCodes[1] });
  await identity.call('GET', '/v1/auth/passkeys', { as: accessToken });
  await identity.call('PATCH', `/v1/auth/passkeys/${id}`, { as: accessToken, body: { name: 'Phone' } });
  await identity.call('DELETE', `/v1/auth/passkeys/${id}`, { as: accessToken });
  await identity.post('/v1/auth/mfa/recovery-codes', undefined, accessToken);
  const { body: begun } = await identity.post('/v1/users/me/email', { email: 'hopper@one.example' }, accessToken);
  const code = await identity.codeOf('hopper@one.example', 1, 'identity.email-change-requested');
  await identity.post('/v1/users/me/email/confirm', { emailChangeId: begun.emailChangeId, code }, accessToken);
  const event = await eventually(
    () => identity.eventsAbout('hopper@one.example', 'identity.email-changed')[0],
    'the new email',
  );
  const { link } = await identity.opened(event);
  expect((await identity.post('/v1/auth/changes/revert', { token: link })).status).toBe(200);
}

it('finds everything by an index', async () => {
  const recorded = await recordQueries(identity.connection);

  const { email, accessToken, refreshToken } = await identity.member('ada@one.example');
  await identity.post('/v1/auth/register', { email, password, firstName: 'Ada', lastName: 'Lovelace' });
  await identity.post('/v1/auth/verify/resend', { email, password });
  await identity.post('/v1/auth/login', { email, password });
  await identity.post('/v1/auth/login', { email, password: 'wrong' });
  await identity.post('/v1/auth/refresh', { refreshToken });
  await identity.post('/v1/auth/refresh', { refreshToken });
  const { body: page } = await identity.call('GET', '/v1/auth/sessions?limit=1', { as: accessToken });
  await identity.call('GET', `/v1/auth/sessions?cursor=${page.nextCursor ?? ''}`, { as: accessToken });
  await identity.call('DELETE', `/v1/auth/sessions/${page.data[0].id}`, { as: accessToken });
  await identity.call('GET', '/v1/users/me', { as: accessToken });
  await identity.call('PATCH', '/v1/users/me', { as: accessToken, body: { firstName: 'Augusta' } });
  await identity.call('GET', '/internal/revocations');
  const { sub, sid } = decodeJwt(accessToken);
  await identity.call('GET', `/internal/token-state/${String(sub)}/${String(sid)}`);
  const { body: stream } = await identity.post('/v1/notifications/stream-tickets', undefined, accessToken);
  expect((await identity.post('/internal/stream-tickets/take', { ticket: stream.ticket })).status).toBe(200);
  await identity.post('/v1/auth/logout', undefined, accessToken);
  const { recoveryId, code } = await identity.recovery(email);
  await identity.post('/v1/auth/password/reset', { recoveryId, code, newPassword: 'another quiet morning' });
  const { link } = await identity.recovery(email);
  await identity.post('/v1/auth/password/reset', { code: link, newPassword: password });

  await erase(await identity.member('mary@one.example'));

  await useFactors();

  for (const name of ['charles', 'george']) await identity.applicant(`${name}@one.example`);
  for (const name of ['john', 'paul']) await identity.post('/v1/auth/trade/register', trade(`${name}@one.example`));
  const { body: admin } = await identity.post('/v1/auth/login', root);
  for (const query of ['limit=1', 'limit=1&status=pending-approval', 'limit=1&proved=false']) {
    const { body } = await identity.call('GET', `/v1/trade-accounts?${query}`, { as: admin.accessToken });
    const next = `/v1/trade-accounts?${query}&cursor=${body.nextCursor}`;
    expect((await identity.call('GET', next, { as: admin.accessToken })).body.data).toHaveLength(1);
  }

  for (const query of [
    '',
    '&role=trade',
    '&status=active',
    '&role=trade&status=pending-approval',
    '&q=one',
    '&q=one+ex&role=trade',
  ]) {
    const list = `/v1/users?limit=1${query}`;
    const { body } = await identity.call('GET', list, { as: admin.accessToken });
    const next = await identity.call('GET', `${list}&cursor=${body.nextCursor}`, { as: admin.accessToken });
    expect(next.body.data).toHaveLength(1);
  }
  await identity.call('GET', `/v1/users/${admin.user.id}`, { as: admin.accessToken });

  const queries = await recorded();
  expect(queries.length).toBeGreaterThan(30);
  // A search reads and sorts all users with a rare word.
  const [searches, others] = [true, false].map((isSearch) =>
    queries.filter(({ command }) => command.includes('"hint":"by_word"') === isSearch),
  );
  expect(searches).not.toEqual([]);
  expect(findSlow(searches ?? [], 0).byNoIndex).toEqual([]);
  expect(findSlow(others ?? [], 3)).toEqual({ byNoIndex: [], readMuch: [], sorted: [] });
});
