import { isDeepStrictEqual } from 'node:util';
import { newId, userDataEvents, userDataKeepers, type UserDataKeeper, type Event } from '@storefront/contracts';
import { eventually, newEvent, times } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { erasedBy, exportedBy, password, startIdentity, trade, type IdentityHarness } from './harness.ts';
import { secondFactors } from './second-factors.ts';

const root = { email: 'root@shop.example', password: 'the keeper of the keys' };
let identity: IdentityHarness;
beforeAll(async () => {
  identity = await startIdentity({ ADMIN_EMAIL: root.email, ADMIN_PASSWORD: root.password });
});
afterAll(() => identity.close());

const erase = (as: string, body: unknown = { password }) => identity.call('DELETE', '/v1/users/me', { as, body });
const logIn = (email: string) => identity.post('/v1/auth/login', { email, password });
const isGone = (userId: string) =>
  eventually(() => identity.eventsOf(userId, 'identity.user-erased').length === 1, 'the end of the erasure');

/** The documents of the database that name one of the words, by collection. */
async function documentsWith(...words: string[]): Promise<Record<string, unknown[]>> {
  const db = identity.connection.getClient().db(identity.connection.name);
  const found: Record<string, unknown[]> = {};
  for (const { name } of await db.listCollections().toArray()) {
    const documents = await db.collection(name).find().toArray();
    const hits = documents.filter((document) => words.some((word) => JSON.stringify(document).includes(word)));
    if (hits.length > 0) found[name] = hits;
  }
  return found;
}

/** The services that answer, but for one. */
const allBut = (keeper: UserDataKeeper) => userDataKeepers.filter((each) => each !== keeper);

describe('DELETE /v1/users/me', () => {
  it('revokes all tokens at once, refuses logins, and informs every service', async () => {
    const { email, accessToken, refreshToken, user } = await identity.member('ada@one.example');
    const answer = await erase(accessToken);
    expect(answer).toMatchObject({ status: 202, body: { status: 'erasing', requestedAt: expect.any(String) } });
    expect(answer.headers.get('x-tokens-revoked')).toBe(`${user.id} 2`);
    expect(await logIn(email)).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
    expect((await identity.post('/v1/auth/refresh', { refreshToken })).status).toBe(401);
    const [requested] = await eventually(
      () => identity.eventsOf(user.id, 'identity.user-erasure-requested'),
      'the request',
    );
    expect(requested?.data).toEqual({ email, role: 'retail', registrations: [] });
    await eventually(() => identity.eventsOf(user.id, 'identity.tokens-revoked').length === 1, 'the revocation');
    expect(identity.eventsOf(user.id, 'identity.tokens-revoked')[0]?.data).toMatchObject({
      tokenVersion: 2,
      reason: 'erased',
    });
  });

  it('names the registrations of the email whose codes were mailed', async () => {
    const { email } = await identity.registered('twice@one.example');
    const { accessToken, user } = await identity.member(email);
    await erase(accessToken);
    const [requested] = await eventually(
      () => identity.eventsOf(user.id, 'identity.user-erasure-requested'),
      'the request',
    );
    const mailed = identity.eventsAbout(email, 'identity.user-registered').map(({ subject }) => subject);
    expect(mailed).toHaveLength(2);
    // The other one was proved, and is gone: the mails of its codes name it.
    expect(requested?.data.registrations).toEqual([mailed[0]]);
  });

  it('needs the current password', async () => {
    const { accessToken, user } = await identity.member('wrong@one.example');
    expect(await erase(accessToken, { password: 'another one' })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ pointer: '/password', code: 'password_wrong' }] },
    });
    expect(await erase(accessToken, {})).toMatchObject({ status: 400 });
    expect(await erase(accessToken, { password, userId: user.id })).toMatchObject({ status: 400 });
    expect((await identity.call('DELETE', '/v1/users/me', { body: { password } })).status).toBe(401);
    expect((await identity.call('GET', '/v1/users/me', { as: accessToken })).body.status).toBe('active');
  });

  it('is one erasure when it is requested many times at once', async () => {
    const { accessToken, user } = await identity.member('many@one.example');
    const answers = await times(5, () => erase(accessToken));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.requestedAt}`)).size).toBe(1);
    await eventually(() => identity.eventsOf(user.id, 'identity.user-erasure-requested').length > 0, 'the request');
    expect(identity.eventsOf(user.id, 'identity.user-erasure-requested')).toHaveLength(1);
  });

  it('leaves no way to log in: not by a code, not by a new password', async () => {
    const { email, accessToken } = await identity.member('back@one.example');
    const { recoveryId, code, link } = await identity.recovery(email);
    await erase(accessToken);
    const newPassword = 'another quiet morning';
    for (const proof of [{ recoveryId, code }, { code: link }])
      expect((await identity.post('/v1/auth/password/reset', { ...proof, newPassword })).status).toBe(400);
    const change = { currentPassword: password, newPassword };
    expect((await identity.post('/v1/auth/password/change', change, accessToken)).status).toBe(403);
  });

  it('is not for administrators', async () => {
    const { body } = await identity.post('/v1/auth/login', root);
    expect(await erase(body.accessToken, { password: root.password })).toMatchObject({
      status: 422,
      body: { code: 'staff_not_erasable' },
    });
  });

  it('ends when all services have answered, leaves nothing, and frees the email', async () => {
    const { email, accessToken, user } = await identity.member('gone@one.example');
    await identity.post('/v1/auth/login', { email, password: 'wrong' });
    await identity.recovery(email);
    await identity.post('/v1/auth/register', { email, password, firstName: 'Eve', lastName: 'Else' });
    await identity.call('POST', '/v1/users/me/export', { as: accessToken });
    await erase(accessToken);
    await identity.publish(...erasedBy(user.id, allBut('account')));
    await identity.publish(...erasedBy(user.id, allBut('account')));
    await eventually(async () => {
      const request = await identity.collection('data_requests').findOne({ _id: `erasure/${user.id}` });
      return isDeepStrictEqual(request?.waitingFor, ['account']);
    }, 'the answers of the others');
    expect(identity.eventsOf(user.id, 'identity.user-erased')).toEqual([]);
    expect((await documentsWith(email))['users']).toHaveLength(1);

    await identity.publish(...erasedBy(user.id, ['account']));
    await isGone(user.id);
    const left = await eventually(async () => {
      const found = await documentsWith(user.id, email);
      return Object.keys(found).length === 1 && found;
    }, 'nothing left about the user');
    expect(left).toEqual({ erased_users: [{ _id: user.id, ver: 2, until: expect.any(Date) }] });

    await identity.publish(...erasedBy(user.id));
    const again = await identity.registered(email);
    const { body } = await identity.post('/v1/auth/verify', again.proof);
    expect(body.user).toMatchObject({ email, status: 'active' });
    expect(body.user.id).not.toBe(user.id);
    expect(identity.eventsOf(user.id, 'identity.user-erased')).toHaveLength(1);
  });

  it('keeps gateways that start later from accepting the last tokens', async () => {
    const { accessToken, user } = await identity.member('late@one.example');
    await erase(accessToken);
    await identity.publish(...erasedBy(user.id));
    await eventually(async () => !(await documentsWith(user.id))['users'], 'the user to be gone');
    const { body } = await identity.call('GET', '/internal/revocations');
    expect(body.users).toContainEqual({ id: user.id, ver: 2 });
    expect((await identity.call('GET', `/internal/token-state/${user.id}/${newId('sess')}`)).status).toBe(404);
  });

  it('continues after a crash at any point of its end', async () => {
    const { email, accessToken, user } = await identity.member('crash@one.example');
    await erase(accessToken);
    // As a crash leaves it after the last service has answered, but before the end.
    await identity.collection('data_requests').updateOne({ _id: `erasure/${user.id}` }, { $set: { waitingFor: [] } });
    await identity.collection('emails').deleteOne({ _id: email });
    await identity.publish(...erasedBy(user.id, ['account']));
    await isGone(user.id);
    await eventually(async () => !(await documentsWith(user.id, email))['users'], 'the user to be gone');
    expect(await identity.collection('data_requests').findOne({ _id: `erasure/${user.id}` })).toBeNull();
  });

  it('erases the trade application too', async () => {
    const form = trade('business@one.example');
    const id = await identity.applicant(form.email);
    const admin = (await identity.post('/v1/auth/login', root)).body.accessToken;
    await identity.post(`/v1/trade-accounts/${id}/approve`, {}, admin);
    const { body } = await identity.post('/v1/auth/login', { email: form.email, password });
    await erase(body.accessToken);
    expect(await identity.post(`/v1/trade-accounts/${id}/suspend`, { reason: 'No' }, admin)).toMatchObject({
      status: 409,
    });
    await identity.publish(...erasedBy(id));
    await isGone(id);
    expect((await identity.call('GET', `/v1/trade-accounts/${id}`, { as: admin })).status).toBe(404);
    await eventually(
      async () => Object.keys(await documentsWith(form.email, form.businessName)).length === 0,
      'nothing left of the business',
    );
  });
});

describe('an erasure by an administrator', () => {
  const eraseUser = (id: string, as?: string) => identity.call('DELETE', `/v1/users/${id}`, { as });
  const administrator = async () => (await identity.post('/v1/auth/login', root)).body.accessToken as string;

  it('revokes all tokens at once, says by whom it is, and is an entry of the audit log', async () => {
    const { email, refreshToken, user } = await identity.member('asked@staff.example');
    const admin = await administrator();
    const answer = await eraseUser(user.id, admin);
    expect(answer).toMatchObject({ status: 202, body: { status: 'erasing', requestedAt: expect.any(String) } });
    expect(answer.headers.get('x-tokens-revoked')).toBe(`${user.id} 2`);
    expect((await identity.post('/v1/auth/refresh', { refreshToken })).status).toBe(401);
    expect((await eraseUser(user.id, admin)).body).toEqual(answer.body);
    const [requested] = await eventually(
      () => identity.eventsOf(user.id, 'identity.user-erasure-requested'),
      'the request',
    );
    expect(requested?.data).toEqual({ email, role: 'retail', registrations: [], byStaff: true });
    const entry = await eventually(async () => {
      const { body } = await identity.call('GET', `/v1/audit?user=${user.id}&action=erasure-requested`, { as: admin });
      return body.data[0];
    }, 'the entry');
    expect(entry).toMatchObject({ outcome: 'done', who: { role: 'admin' } });
    await identity.publish(...erasedBy(user.id));
    await isGone(user.id);
  });

  it('is for administrators with a fresh proof alone, and never for staff', async () => {
    const people = secondFactors(identity);
    const { email, accessToken, user } = await identity.member('kept@staff.example');
    const admin = await administrator();
    expect((await eraseUser(user.id, accessToken)).status).toBe(403);
    expect((await eraseUser(user.id)).status).toBe(401);
    expect((await eraseUser(newId('user'), admin)).status).toBe(404);
    const { body: self } = await identity.call('GET', '/v1/users/me', { as: admin });
    expect(await eraseUser(self.id, admin)).toMatchObject({ status: 422, body: { code: 'staff_not_erasable' } });
    people.waitUntilStale();
    expect(await eraseUser(user.id, admin)).toMatchObject({
      status: 403,
      body: { code: 'reauthentication_required' },
    });
    expect((await logIn(email)).status).toBe(200);
  });
});

describe('an erasure that a service does not answer', () => {
  const stored = (userId: string) => identity.collection('data_requests').findOne({ _id: `erasure/${userId}` });
  const hours = (count: number) => new Date(Date.now() - count * 60 * 60 * 1000);
  const isDueSince = (userId: string, since: Date) =>
    identity
      .collection('data_requests')
      .updateOne({ _id: `erasure/${userId}` }, { $set: { watch: { since, nextAt: hours(1) } } });
  /** What is published as it arrives, repetitions included. */
  const requests: Event<any>[] = [];
  beforeAll(() =>
    identity.bus.broadcast({
      name: 'requests',
      types: ['identity.user-erasure-requested'],
      handle: (event) => requests.push(event),
    }),
  );

  it('is requested again, by one of several instances and as the same event, until it is done', async () => {
    const { email, accessToken, user } = await identity.member('unanswered@one.example');
    for (let count = 0; count < 3; count += 1) await identity.another();
    await erase(accessToken);
    await identity.publish(...erasedBy(user.id, allBut('account')));
    await identity.idle();
    await eventually(async () => (await stored(user.id)).watch, 'the first check', 60_000);
    const seen = await stored(user.id);
    expect(seen).toMatchObject({ asks: 1, waitingFor: ['account'] });
    expect(seen.watch.nextAt.getTime() - seen.watch.since.getTime()).toBe(5 * 60 * 1000);

    await isDueSince(user.id, hours(1));
    await eventually(async () => (await stored(user.id)).asks === 2, 'the second request', 60_000);
    // Another round of all instances finds that it is done.
    await isDueSince(user.id, hours(1));
    await eventually(async () => (await stored(user.id)).asks === 3, 'the third request', 60_000);
    const again = await stored(user.id);
    expect(again.version - seen.version).toBe(2);
    expect(again.watch.nextAt.getTime() - Date.now()).toBeGreaterThan(55 * 60 * 1000);
    const requested = () => requests.filter(({ subject }) => subject === user.id);
    await eventually(
      () => requested().some(({ sequence }) => sequence === again.version),
      'the event of the third request',
    );
    const data = { email, role: 'retail', registrations: [] };
    expect(requested()[0]?.data).toEqual(data);
    for (const { id, data: repeated } of requested().slice(1)) {
      expect(id).toBe(requested()[0]?.id);
      expect(repeated).toEqual({ ...data, waitingFor: ['account'] });
    }

    await identity.publish(...erasedBy(user.id, ['account']));
    await isGone(user.id);
    await eventually(async () => (await stored(user.id)) === null, 'the request to be gone');
  });

  it('is an alarm after a day', async () => {
    const { accessToken, user } = await identity.member('overdue@one.example');
    await erase(accessToken);
    await eventually(async () => (await stored(user.id)).watch, 'the first check', 60_000);
    // Half an hour more, since the service's clock may be some milliseconds behind.
    await isDueSince(user.id, hours(25.5));
    const line = await eventually(
      () => identity.lines.find((text) => text.includes('not done after a day') && text.includes(user.id)),
      'the alarm',
      60_000,
    );
    expect(JSON.parse(line)).toMatchObject({ level: 50, kind: 'erasure', waitingHours: 25 });
    const probe = async (path: string) => (await fetch(`${identity.url()}${path}`)).text();
    await eventually(
      async () => /data_requests_overdue\{[^}]*erasure[^}]*\} 1/.test(await probe('/metrics')),
      'metric',
    );
    expect(JSON.parse(await probe('/readyz')).checks.dataRequests).toEqual({
      ok: true,
      overdue: { erasure: 1, export: 0 },
    });
    await identity.publish(...erasedBy(user.id));
    await isGone(user.id);
  });

  it('is finished where the last answer came, but identity failed afterwards', async () => {
    const { accessToken, user } = await identity.member('own@one.example');
    await erase(accessToken);
    await identity
      .collection('data_requests')
      .updateOne(
        { _id: `erasure/${user.id}` },
        { $set: { waitingFor: [], watch: { since: hours(1), nextAt: hours(1) } }, $inc: { version: 1 } },
      );
    await eventually(() => identity.eventsOf(user.id, 'identity.user-erased').length > 0, 'the end', 60_000);
    expect(identity.eventsOf(user.id, 'identity.user-erased')).toHaveLength(1);
  });
});

describe('POST /v1/users/me/export', () => {
  const ask = (as: string) => identity.call('POST', '/v1/users/me/export', { as });
  const read = (as: string, id: string) => identity.call('GET', `/v1/users/me/exports/${id}`, { as });

  it('requests data from every service, merges their parts, and says when it is ready', async () => {
    const { email, accessToken, user } = await identity.member('copy@one.example');
    const requested = await ask(accessToken);
    expect(requested).toMatchObject({ status: 202, body: { status: 'pending', readyAt: null, data: null } });
    expect(requested.headers.get('location')).toBe(`/v1/users/me/exports/${requested.body.id}`);
    await eventually(() => identity.eventsOf(user.id, 'identity.user-export-requested').length === 1, 'the request');
    expect(identity.eventsOf(user.id, 'identity.user-export-requested')[0]?.data).toEqual({
      exportId: requested.body.id,
      email,
    });
    expect((await ask(accessToken)).body).toEqual(requested.body);

    const parts = exportedBy(user.id, requested.body.id);
    await identity.publish(...parts.slice(1), ...exportedBy(user.id, newId('exp')));
    expect((await read(accessToken, requested.body.id)).body).toEqual(requested.body);
    await identity.publish(...parts, ...parts);
    const ready = await eventually(async () => {
      const answer = await read(accessToken, requested.body.id);
      return answer.body.status === 'ready' ? answer : null;
    }, 'the export');
    expect(ready.headers.get('content-disposition')).toBe(`attachment; filename="${requested.body.id}.json"`);
    expect(ready.body.data).toEqual({
      identity: {
        user: expect.objectContaining({ id: user.id, email, firstName: 'Ada', role: 'retail' }),
        sessions: [expect.objectContaining({ device: 'test device', ip: '192.0.2.7' })],
        activity: expect.arrayContaining([expect.objectContaining({ action: 'login', by: 'you', ip: '192.0.2.7' })]),
        secondFactors: null,
        changes: [],
      },
      account: { from: 'account' },
      engagement: { from: 'engagement' },
      billing: { from: 'billing' },
      orders: { from: 'orders' },
    });
    expect(JSON.stringify(ready.body)).not.toMatch(/hash|secret|argon|tokenVersion/i);
    await eventually(() => identity.eventsOf(user.id, 'identity.user-export-ready').length > 0, 'the event');
    expect(identity.eventsOf(user.id, 'identity.user-export-ready').map(({ data }) => data)).toEqual([
      { email, firstName: 'Ada', lastName: 'Lovelace', exportId: requested.body.id },
    ]);

    const next = await ask(accessToken);
    expect(next.body.id).not.toBe(requested.body.id);
    expect((await read(accessToken, requested.body.id)).status).toBe(404);
  });

  it('takes the parts of services in pages, in any order, however large, and shows the same form', async () => {
    const { email, accessToken, user } = await identity.member('large@one.example');
    const { _id: _one, ...session } = await identity.collection('sessions').findOne({ userId: user.id });
    const sessions = Array.from({ length: 1500 }, (_, index) => ({
      ...session,
      _id: newId('sess'),
      family: `family ${email} ${index}`,
      device: 'd'.repeat(200),
    }));
    await identity.collection('sessions').insertMany(sessions);
    const requested = (await ask(accessToken)).body;
    const letters = (page: number) => Array.from({ length: 100 }, (_, index) => `${page}-${index} ${'x'.repeat(2000)}`);
    const pageOf = (page: number, more: object = {}) =>
      newEvent(userDataEvents.account.pageExported, user.id, {
        exportId: requested.id,
        collection: 'whole',
        page,
        data: { letters: letters(page) },
        ...more,
      });
    // Of a reading that was broken off; and a page of another export.
    await identity.publish(pageOf(1, { collection: 'broken off' }), pageOf(2, { exportId: newId('exp') }));
    await identity.publish(...exportedBy(user.id, requested.id, allBut('account')));
    const pages = Array.from({ length: 100 }, (_, index) => pageOf(index + 1, index === 99 ? { pages: 100 } : {}));
    await identity.publish(...pages.toReversed().slice(0, -1));
    await identity.publish(...pages.slice(50));
    expect((await read(accessToken, requested.id)).body.status).toBe('pending');
    await identity.publish(...pages.slice(0, 2));
    const ready = await eventually(async () => {
      const answer = await read(accessToken, requested.id);
      return answer.body.status === 'ready' ? answer : null;
    }, 'the export');
    expect(Object.keys(ready.body)).toEqual(['id', 'status', 'requestedAt', 'readyAt', 'expiresAt', 'data']);
    expect(ready.headers.get('content-disposition')).toBe(`attachment; filename="${requested.id}.json"`);
    expect(ready.body.data.engagement).toEqual({ from: 'engagement' });
    expect(ready.body.data.account).toEqual({ letters: pages.flatMap((_, index) => letters(index + 1)) });
    expect(ready.body.data.identity.sessions).toHaveLength(1501);
    expect(ready.body.data.identity.user).toMatchObject({ id: user.id, email });
    const kept = await identity.collection('export_pages').find({ exportId: requested.id }).toArray();
    expect(Math.min(...kept.map(({ expiresAt }) => expiresAt.getTime()))).toBeGreaterThan(
      Date.parse(ready.body.expiresAt),
    );

    await erase(accessToken);
    await identity.publish(...erasedBy(user.id));
    await isGone(user.id);
    await eventually(async () => !(await documentsWith(user.id))['export_pages'], 'the pages to be gone');
  });

  it('is requested again where a service does not answer', async () => {
    const { email, accessToken, user } = await identity.member('ask-again@one.example');
    const requested = (await ask(accessToken)).body;
    await identity.publish(...exportedBy(user.id, requested.id, allBut('engagement')));
    const dataRequests = identity.collection('data_requests');
    await eventually(async () => {
      const request = await dataRequests.findOne({ _id: `export/${user.id}` });
      return isDeepStrictEqual(request?.waitingFor, ['engagement']);
    }, 'the answers of the others');
    const past = new Date(Date.now() - 60_000);
    await dataRequests.updateOne(
      { _id: `export/${user.id}` },
      { $set: { watch: { since: past, nextAt: past } }, $inc: { version: 1 } },
    );
    const requests = () => identity.eventsOf(user.id, 'identity.user-export-requested');
    await eventually(() => requests().length === 2, 'the second request', 60_000);
    expect(requests()[1]?.data).toEqual({ exportId: requested.id, email, waitingFor: ['engagement'] });
  });

  it('is one export when it is requested again under the same Idempotency-Key after a crash', async () => {
    const { accessToken, user } = await identity.member('once@one.example');
    const askAgain = () =>
      identity.call('POST', '/v1/users/me/export', {
        as: accessToken,
        headers: { 'idempotency-key': 'crashed-in-between' },
      });
    const first = (await askAgain()).body;
    await identity.publish(...exportedBy(user.id, first.id));
    await eventually(() => identity.eventsOf(user.id, 'identity.user-export-ready').length === 1, 'the event');
    await identity.collection('idempotency_keys').updateMany({}, { $set: { answer: null, holder: '' } });
    expect((await askAgain()).body).toMatchObject({ id: first.id, status: 'ready' });
  });

  it('shows its data only after a fresh proof, with the second factor where there is one', async () => {
    const people = secondFactors(identity);
    const { accessToken, user, secret } = await people.memberWithTotp('proof@one.example');
    const requested = (await ask(accessToken)).body;
    people.waitUntilStale();
    expect((await read(accessToken, requested.id)).body.status).toBe('pending');
    await identity.publish(...exportedBy(user.id, requested.id));
    const refused = await eventually(async () => {
      const answer = await read(accessToken, requested.id);
      return answer.status === 200 ? null : answer;
    }, 'the export to be ready');
    expect(refused).toMatchObject({ status: 403, body: { code: 'reauthentication_required' } });
    expect((await people.reauthenticate(accessToken, { code: people.codeOf(secret) })).status).toBe(200);
    expect((await read(accessToken, requested.id)).body.data.identity.user.id).toBe(user.id);
  });

  it('is only for its owner', async () => {
    const [ada, eve] = [await identity.member('mine@one.example'), await identity.member('eve@one.example')];
    const { body } = await ask(ada.accessToken);
    const [foreign, absent] = [await read(eve.accessToken, body.id), await read(eve.accessToken, newId('exp'))];
    expect(foreign.status).toBe(404);
    expect(foreign.body.detail).toBe(absent.body.detail);
    expect((await read(ada.accessToken, 'exp_1')).status).toBe(404);
    expect((await identity.call('POST', '/v1/users/me/export')).status).toBe(401);
  });

  it('is made for administrators with a fresh proof, who are entries of the audit log', async () => {
    const people = secondFactors(identity);
    const { email, accessToken, user } = await identity.member('asked@export.example');
    const admin = (await identity.post('/v1/auth/login', root)).body.accessToken as string;
    const path = `/v1/users/${user.id}`;
    const asked = await identity.call('POST', `${path}/export`, { as: admin });
    expect(asked).toMatchObject({ status: 202, body: { status: 'pending', data: null } });
    expect(asked.headers.get('location')).toBe(`${path}/exports/${asked.body.id}`);
    const readAs = (as: string, id = user.id) =>
      identity.call('GET', `/v1/users/${id}/exports/${asked.body.id}`, { as });
    await identity.publish(...exportedBy(user.id, asked.body.id));
    const ready = await eventually(() => identity.eventsOf(user.id, 'identity.user-export-ready')[0], 'the event');
    expect(ready.data).toMatchObject({ exportId: asked.body.id, byStaff: true });
    const answer = await readAs(admin);
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${asked.body.id}.json"`);
    expect(answer.body.data.identity.user).toMatchObject({ id: user.id, email });
    expect((await read(accessToken, asked.body.id)).body.data).toEqual(answer.body.data);
    for (const action of ['export-requested', 'export-read'])
      await eventually(async () => {
        const { body } = await identity.call('GET', `/v1/audit?user=${user.id}&action=${action}`, { as: admin });
        return body.data.length === 1 && body.data[0].who.role === 'admin';
      }, `one entry of ${action}`);

    expect((await readAs(admin, newId('user'))).status).toBe(404);
    expect((await readAs(accessToken)).status).toBe(403);
    expect((await identity.call('POST', `${path}/export`, { as: accessToken })).status).toBe(403);
    expect((await identity.call('POST', `/v1/users/${newId('user')}/export`, { as: admin })).status).toBe(404);
    people.waitUntilStale();
    const stale = { status: 403, body: { code: 'reauthentication_required' } };
    expect(await readAs(admin)).toMatchObject(stale);
    expect(await identity.call('POST', `${path}/export`, { as: admin })).toMatchObject(stale);
  });

  it('may be requested again when services have not answered for a day, and expires after a week', async () => {
    const { accessToken } = await identity.member('wait@one.example');
    const first = (await ask(accessToken)).body;
    await identity
      .collection('data_requests')
      .updateOne({ exportId: first.id }, { $set: { requestedAt: new Date(Date.now() - 25 * 60 * 60 * 1000) } });
    const second = (await ask(accessToken)).body;
    expect(second.id).not.toBe(first.id);
    expect(Date.parse(second.expiresAt) - Date.parse(second.requestedAt)).toBe(7 * 24 * 60 * 60 * 1000);
    await identity.collection('data_requests').updateOne({ exportId: second.id }, { $set: { expiresAt: new Date(0) } });
    expect((await read(accessToken, second.id)).status).toBe(404);
  });
});
