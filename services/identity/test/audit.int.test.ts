import { auditEvents, auditRecord, newId, type Actor, type AuditAction } from '@storefront/contracts';
import { eventually, newEvent, times } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { erasedBy, exportedBy, otherThan, password, startIdentity, type IdentityHarness } from './harness.ts';
import { secondFactors } from './second-factors.ts';

const root = { email: 'root@shop.example', password: 'the keeper of the keys' };
let identity: IdentityHarness;
let admin: { accessToken: string; id: string };
beforeAll(async () => {
  identity = await startIdentity({ ADMIN_EMAIL: root.email, ADMIN_PASSWORD: root.password });
  const { body } = await identity.post('/v1/auth/login', root);
  admin = { accessToken: body.accessToken, id: body.user.id };
});
afterAll(() => identity.close());

interface Entry {
  id: string;
  at: string;
  action: string;
  outcome: string;
  reason: string | null;
  who: { userId: string | null; role: string; ip: string | null; device: string | null; addressHash: string | null };
  object: { type: string; id: string | null };
  about: string | null;
  details: Record<string, unknown>;
  erased: boolean;
}

async function list(query = '', as = admin.accessToken): Promise<Entry[]> {
  const answer = await identity.call('GET', `/v1/audit?limit=100${query && `&${query}`}`, { as });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.data;
}

/** The newest entry of that action about the user, once there is one. */
const entryOf = (userId: string, action: AuditAction, outcome = 'done') =>
  eventually(
    async () => (await list(`user=${userId}&action=${action}&outcome=${outcome}`))[0],
    `the entry ${action} (${outcome})`,
  );

const activity = async (as: string) =>
  (await identity.call('GET', '/v1/users/me/activity?limit=100', { as })).body.data as any[];

const manyOf = <Value>(count: number, make: () => Value) => Array.from({ length: count }, make);
const stored = () => identity.collection('audit_entries');
/** What stands in entries in place of the user. */
async function refOf(userId: string): Promise<string> {
  const [{ id } = { id: '' }] = await list(`user=${userId}`);
  const entry = await stored().findOne({ _id: id });
  if (!entry) throw new Error(`no entry of ${userId}`);
  return (entry.actor ?? entry.subject).ref;
}
const rawEntries = async () => JSON.stringify(await stored().find().toArray());
const catalogEvent = (actor: Actor, action: AuditAction, id = newId('prod'), details = {}) =>
  newEvent(auditEvents.catalog, id, auditRecord(actor, action, { object: { type: 'product', id }, details }));
const keeper = (): Actor => ({ userId: admin.id, role: 'admin', ip: '198.51.100.9', device: 'Firefox' });

describe('GET /v1/audit', () => {
  it('has who, what, on which object, outcome and when', async () => {
    const { user } = await identity.member('ada@one.example');
    expect(await entryOf(user.id, 'login')).toEqual({
      id: expect.stringMatching(/^aud_/),
      at: expect.any(String),
      action: 'login',
      outcome: 'done',
      reason: null,
      who: { userId: user.id, role: 'retail', ip: '192.0.2.7', device: 'test device', addressHash: null },
      object: { type: 'user', id: user.id },
      about: user.id,
      details: { how: 'code' },
      erased: false,
    });
  });

  it('has what happens to a session, a password and an account', async () => {
    const { email, accessToken, refreshToken, user } = await identity.member('session@one.example');
    const { body: other } = await identity.post('/v1/auth/login', { email, password });
    const { body: page } = await identity.call('GET', '/v1/auth/sessions', { as: other.accessToken });
    const first = page.data.find(({ current }: { current: boolean }) => !current);
    await identity.post('/v1/auth/refresh', { refreshToken });
    identity.advance(20);
    await identity.post('/v1/auth/refresh', { refreshToken });
    expect(await entryOf(user.id, 'refresh-token-reused')).toMatchObject({
      who: { userId: null, role: 'nobody', ip: '192.0.2.7' },
      object: { type: 'session', id: first.id },
      about: user.id,
    });
    await identity.call('DELETE', `/v1/auth/sessions/${page.data[0].id}`, { as: other.accessToken });
    expect(await entryOf(user.id, 'session-ended')).toMatchObject({ object: { type: 'session', id: page.data[0].id } });

    // Both sessions have ended.
    const { accessToken: as } = (await identity.post('/v1/auth/login', { email, password })).body;
    const change = { currentPassword: 'not the right one', newPassword: 'another quiet morning' };
    await identity.post('/v1/auth/password/change', change, as);
    expect(await entryOf(user.id, 'password-changed', 'refused')).toMatchObject({ reason: 'password_wrong' });
    const { body: next } = await identity.post(
      '/v1/auth/password/change',
      { ...change, currentPassword: password },
      as,
    );
    await entryOf(user.id, 'password-changed');
    await identity.call('POST', '/v1/users/me/export', { as: next.accessToken });
    await entryOf(user.id, 'export-requested');
    await identity.call('DELETE', '/v1/users/me', { as: next.accessToken, body: { password } });
    expect(await entryOf(user.id, 'erasure-requested', 'refused')).toMatchObject({ reason: 'password_wrong' });
    await identity.post('/v1/auth/logout', undefined, next.accessToken);
    await entryOf(user.id, 'logout');
    for (const secret of [password, ...Object.values(change), accessToken, refreshToken, email])
      expect(await rawEntries()).not.toContain(secret);
  });

  it('has second factors, what they prove, and changes of the email', async () => {
    const { memberWithTotp, mfaTokenOf, verify, codeOf, addPasskey } = secondFactors(identity);
    const { email, accessToken: as, user, secret } = await memberWithTotp('factors@one.example');
    expect(await entryOf(user.id, 'factor-added')).toMatchObject({ details: { factor: 'totp' }, about: user.id });

    await verify({ mfaToken: await mfaTokenOf(email), code: otherThan(codeOf(secret)) });
    expect(await entryOf(user.id, 'login', 'refused')).toMatchObject({
      reason: 'invalid_factor',
      details: { how: 'second factor' },
    });
    await verify({ mfaToken: await mfaTokenOf(email), code: codeOf(secret) });
    expect(await entryOf(user.id, 'login')).toMatchObject({ details: { how: 'second factor' } });
    identity.advance(30);

    await identity.post('/v1/auth/reauthenticate', { code: codeOf(secret) }, as);
    await entryOf(user.id, 'reauthenticated');
    const { id } = await addPasskey(as);
    await identity.post('/v1/auth/mfa/recovery-codes', undefined, as);
    await entryOf(user.id, 'recovery-codes-renewed');
    await identity.call('DELETE', `/v1/auth/passkeys/${id}`, { as });
    expect(await entryOf(user.id, 'factor-removed')).toMatchObject({ details: { factor: 'passkey', passkey: id } });

    const next = 'factors@two.example';
    const { body: change } = await identity.post('/v1/users/me/email', { email: next }, as);
    await entryOf(user.id, 'email-change-requested');
    const code = await identity.codeOf(next);
    await identity.post('/v1/users/me/email/confirm', { emailChangeId: change.emailChangeId, code }, as);
    await entryOf(user.id, 'email-changed');
    for (const hidden of [secret, email, next]) expect(await rawEntries()).not.toContain(hidden);
  });

  it('has logins, and those that were refused, with the address they came from', async () => {
    const { email, user } = await identity.member('login@one.example');
    const headers = { 'x-client-ip': '203.0.113.50', 'user-agent': 'a stranger' };
    const wrong = { email, password: 'a secret guess' };
    await identity.call('POST', '/v1/auth/login', { body: wrong, headers });
    expect(await entryOf(user.id, 'login', 'refused')).toMatchObject({
      reason: 'invalid_credentials',
      who: { userId: null, role: 'nobody', ip: '203.0.113.50', device: 'a stranger' },
      object: { type: 'user', id: user.id },
      about: user.id,
    });
    const nobody = { email: 'nobody@one.example', password: 'a secret guess' };
    await identity.call('POST', '/v1/auth/login', { body: nobody, headers });
    const unknown = await eventually(
      async () => (await list('action=login&outcome=refused')).find(({ about }) => about === null),
      'the login of nobody',
    );
    expect(unknown).toMatchObject({ who: { ip: null, device: null, addressHash: expect.any(String) }, erased: false });
    const { body: opened } = await identity.post('/v1/auth/login', { email, password });
    // There before the tokens are.
    const [login] = await list(`user=${user.id}&action=login&outcome=done`);
    expect(login).toMatchObject({ who: { userId: user.id, role: 'retail', ip: '192.0.2.7' }, about: user.id });
    const seen = await activity(opened.accessToken);
    expect(seen.find(({ outcome }) => outcome === 'refused')).toMatchObject({ by: 'somebody', ip: '203.0.113.50' });
    expect(seen[0]).toMatchObject({ action: 'login', by: 'you' });
    for (const word of ['a secret guess', 'nobody@one.example', '203.0.113.50', email])
      expect(await rawEntries()).not.toContain(word);
  });

  it('has registrations and recoveries: codes requested, right and wrong', async () => {
    const { email, registrationId, code } = await identity.registered('codes@one.example');
    await identity.post('/v1/auth/verify', { registrationId, code: otherThan(code) });
    await eventually(async () => (await list('action=code-entered&outcome=refused')).length > 0, 'the wrong code');
    const { body } = await identity.post('/v1/auth/verify', { registrationId, code });
    const userId: string = body.user.id;
    expect(await entryOf(userId, 'code-entered')).toMatchObject({ who: { userId, role: 'retail' }, about: userId });
    expect(await entryOf(userId, 'login')).toMatchObject({ details: { how: 'code' } });
    await eventually(async () => (await list('action=registration-begun')).length > 0, 'the registration');

    const again = { email, password, firstName: 'Eve', lastName: 'Moriarty' };
    await identity.post('/v1/auth/register', again);
    expect(await entryOf(userId, 'registration-begun')).toMatchObject({ who: { role: 'nobody' }, about: userId });
    const recovery = await identity.recovery(email);
    expect(await entryOf(userId, 'recovery-requested')).toMatchObject({ who: { role: 'nobody', ip: '192.0.2.7' } });
    const reset = { recoveryId: recovery.recoveryId, code: recovery.code, newPassword: 'another quiet morning' };
    await identity.post('/v1/auth/password/reset', { ...reset, code: otherThan(recovery.code) });
    expect(await entryOf(userId, 'password-reset', 'refused')).toMatchObject({ reason: 'invalid_code', about: userId });
    await identity.post('/v1/auth/password/reset', reset);
    expect(await entryOf(userId, 'password-reset')).toMatchObject({ who: { userId }, about: userId });
    for (const secret of [email, code, recovery.code, recovery.link, recovery.recoveryId, registrationId])
      expect(JSON.stringify([await rawEntries(), await list()])).not.toContain(`"${secret}"`);
  });

  it('has verdicts, with the reason and the administrator, and those that were refused', async () => {
    const id = await identity.applicant('quay@one.example');
    const verdict = (action: string, reason: string) =>
      identity.post(`/v1/trade-accounts/${id}/${action}`, { reason }, admin.accessToken);
    await verdict('reject', 'The VAT number could not be found.');
    expect(await entryOf(id, 'trade-account-rejected')).toMatchObject({
      who: { userId: admin.id, role: 'admin', ip: '192.0.2.7' },
      object: { type: 'user', id },
      about: id,
      details: { reason: 'The VAT number could not be found.' },
    });
    await verdict('suspend', 'Too late.');
    expect(await entryOf(id, 'trade-account-suspended', 'refused')).toMatchObject({ reason: 'invalid_transition' });
    // What is said about a person is not in clear.
    expect(await rawEntries()).not.toContain('VAT number');
  });

  it('has what the operator does', async () => {
    const [created] = await eventually(async () => {
      const found = await list('action=administrator-created');
      return found.length > 0 ? found : null;
    }, 'the first administrator');
    expect(created).toMatchObject({
      who: { userId: null, role: 'operator', ip: null },
      about: admin.id,
      erased: false,
    });
  });

  it('has what other services state, once however often it is delivered', async () => {
    const event = catalogEvent(keeper(), 'price-changed', newId('prod'), { price: 1999, priceWas: 2499 });
    await identity.publish(event, event);
    await identity.publish(event);
    const later = new Date(Date.parse(event.time) + 1000).toISOString();
    const last = { ...catalogEvent(keeper(), 'stock-changed', event.subject), time: later };
    await identity.publish(last);
    await eventually(async () => (await list(`object=${event.subject}`)).length >= 2, 'both entries');
    await identity.idle();
    const found = await list(`object=${event.subject}`);
    expect(found.map(({ action }) => action)).toEqual(['stock-changed', 'price-changed']);
    expect(found[1]).toMatchObject({
      at: event.time,
      who: { userId: admin.id, role: 'admin', ip: '198.51.100.9', device: 'Firefox' },
      object: { type: 'product', id: event.subject },
      about: null,
      details: { price: 1999, priceWas: 2499 },
    });
  });

  it('never changes an entry', async () => {
    const event = catalogEvent(keeper(), 'price-changed');
    await identity.publish(event);
    await eventually(async () => (await list(`object=${event.subject}`)).length === 1, 'the entry');
    const before = await stored().findOne({ objectId: event.subject });
    // As if the publisher had made another event of the same id.
    await identity.publish({
      ...event,
      data: auditRecord(keeper(), 'product-deleted', { object: { type: 'product', id: event.subject } }),
    });
    await identity.idle();
    expect(await stored().find({ objectId: event.subject }).toArray()).toEqual([before]);
  });

  it('filters, newest first, page by page', async () => {
    const { user } = await identity.member('filter@one.example');
    const actor = { ...keeper(), userId: user.id };
    const ids = [newId('prod'), newId('prod')] as const;
    const at = (minute: number) => new Date(Date.UTC(2026, 1, 3, 4, minute)).toISOString();
    const events = Array.from({ length: 7 }, (_, index) => ({
      ...catalogEvent(actor, index % 2 ? 'price-changed' : 'stock-changed', ids[index % 2]),
      time: at(index),
    }));
    await identity.publish(...events);
    const all = await eventually(async () => {
      const found = await list(`user=${user.id}&to=${at(59)}`);
      return found.length === 7 ? found : null;
    }, 'all entries');
    expect(all.map((entry) => entry.at)).toEqual(events.map(({ time }) => time).toReversed());

    const timesOf = async (query: string) => (await list(query)).map((entry) => entry.at);
    expect(await timesOf(`object=${ids[1]}`)).toEqual([at(5), at(3), at(1)]);
    expect(await timesOf(`user=${user.id}&action=stock-changed&to=${at(59)}`)).toEqual([at(6), at(4), at(2), at(0)]);
    expect(await timesOf(`user=${user.id}&from=${at(2)}&to=${at(4)}`)).toEqual([at(3), at(2)]);
    expect(await timesOf(`user=${user.id}&object=${ids[0]}&outcome=refused`)).toEqual([]);
    expect(await timesOf(`user=${newId('user')}`)).toEqual([]);
    expect((await list(`object=${user.id}`)).every(({ about }) => about === user.id)).toBe(true);

    const paged: string[] = [];
    let cursor = '';
    do {
      const path = `/v1/audit?limit=3&action=stock-changed&user=${user.id}${cursor && `&cursor=${cursor}`}`;
      const { body } = await identity.call('GET', path, { as: admin.accessToken });
      paged.push(...body.data.map((entry: Entry) => entry.at));
      cursor = body.nextCursor ?? '';
    } while (cursor);
    expect(paged).toEqual([at(6), at(4), at(2), at(0)]);
  });

  it('names every wrong filter, and is for administrators', async () => {
    const { accessToken } = await identity.member('curious@one.example');
    const wrong = 'action=nonsense&user=me&outcome=maybe&from=yesterday&unknown=1';
    const { status, body } = await identity.call('GET', `/v1/audit?${wrong}`, { as: admin.accessToken });
    expect(status).toBe(400);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual([
      '/action',
      '/from',
      '/outcome',
      '/unknown',
      '/user',
    ]);
    for (const path of ['/v1/audit', '/v1/audit/export']) {
      expect((await identity.call('GET', path, { as: accessToken })).body.code).toBe('role_required');
      expect((await identity.call('GET', path)).status).toBe(401);
    }
  });
});

describe('GET /v1/users/me/activity', () => {
  it('is only what concerns the caller, without anything of others', async () => {
    const [ada, eve] = [await identity.member('mine@one.example'), await identity.member('theirs@one.example')];
    const about = ada.user.id;
    const retried = auditRecord(keeper(), 'delivery-retried', { object: { type: 'delivery', id: 'dlv_1' }, about });
    await identity.publish(newEvent(auditEvents.engagement, 'dlv_1', retried));
    await eventually(
      async () => (await activity(ada.accessToken)).some(({ action }) => action === 'delivery-retried'),
      'what the administrator did',
    );
    await entryOf(ada.user.id, 'login');
    await entryOf(eve.user.id, 'login');
    const seen = await activity(ada.accessToken);
    expect(seen.find(({ action }) => action === 'login')).toMatchObject({
      by: 'you',
      outcome: 'done',
      ip: '192.0.2.7',
      device: 'test device',
      object: { type: 'user', id: ada.user.id },
    });
    expect(seen.find(({ action }) => action === 'delivery-retried')).toMatchObject({
      by: 'administrator',
      ip: null,
      device: null,
    });
    for (const word of [eve.user.id, admin.id, '198.51.100.9', 'Firefox'])
      expect(JSON.stringify(seen)).not.toContain(word);
    const list = await identity.call('GET', '/v1/users/me/activity?limit=1', { as: ada.accessToken });
    const next = `/v1/users/me/activity?limit=1&cursor=${list.body.nextCursor}`;
    expect((await identity.call('GET', next, { as: ada.accessToken })).body.data).toHaveLength(1);
    // The cursor of one person is good for nobody else.
    expect((await identity.call('GET', next, { as: eve.accessToken })).body.code).toBe('invalid_cursor');
    expect((await identity.call('GET', '/v1/users/me/activity')).status).toBe(401);
  });

  it('is part of the export of their data', async () => {
    const { accessToken, user } = await identity.member('copy@one.example');
    const { body: requested } = await identity.call('POST', '/v1/users/me/export', { as: accessToken });
    await entryOf(user.id, 'export-requested');
    await identity.publish(...exportedBy(user.id, requested.id));
    const path = `/v1/users/me/exports/${requested.id}`;
    const data = await eventually(
      async () => (await identity.call('GET', path, { as: accessToken })).body.data,
      'the export',
    );
    expect(data.identity.activity).toContainEqual(
      expect.objectContaining({ action: 'export-requested', by: 'you', ip: '192.0.2.7' }),
    );
  });
});

describe('an erased person', () => {
  it('can not be read in the log any more, by anybody; what was done stays', async () => {
    const { email, accessToken, user } = await identity.member('gone@one.example');
    const product = newId('prod');
    await identity.publish(
      catalogEvent(
        { userId: user.id, role: 'retail', ip: '203.0.113.77', device: 'my own phone' },
        'price-changed',
        product,
      ),
    );
    const done = auditRecord(keeper(), 'delivery-retried', {
      object: { type: 'delivery', id: 'dlv_2' },
      about: user.id,
      details: { note: 'about them' },
    });
    await identity.publish(newEvent(auditEvents.engagement, 'dlv_2', done));
    await eventually(async () => (await list(`user=${user.id}&action=delivery-retried`)).length === 1, 'one entry');
    await eventually(async () => (await list(`object=${product}`)).length === 1, 'the other entry');
    const [{ persons: [ref] = [] } = {}] = await stored().find({ objectId: product }).toArray();
    const before = await stored().find({ persons: ref }).sort({ _id: 1 }).toArray();

    await identity.call('DELETE', '/v1/users/me', { as: accessToken, body: { password } });
    await identity.publish(...erasedBy(user.id));
    await eventually(() => identity.eventsOf(user.id, 'identity.user-erased').length === 1, 'the end of the erasure');
    // An event that comes too late brings nothing back.
    await identity.publish(
      catalogEvent(
        { userId: user.id, role: 'retail', ip: '203.0.113.78', device: 'my own phone' },
        'stock-changed',
        product,
      ),
    );
    await eventually(async () => (await list(`object=${product}`)).length === 2, 'the late entry');
    await eventually(async () => (await list('action=erasure-finished')).length > 0, 'the entry of the erasure');
    await identity.idle();

    // Entries stay as they were.
    const same = { _id: { $in: before.map(({ _id }) => _id) } };
    expect(await stored().find(same).sort({ _id: 1 }).toArray()).toEqual(before);
    for (const entry of await list(`object=${product}`))
      expect(entry).toMatchObject({ who: { userId: null, role: 'retail', ip: null, device: null }, erased: true });
    expect((await list('action=delivery-retried')).find(({ object }) => object.id === 'dlv_2')).toMatchObject({
      who: { userId: admin.id },
      about: null,
      details: {},
      erased: true,
    });
    expect((await list('action=erasure-finished'))[0]).toMatchObject({
      who: { role: 'system' },
      object: { type: 'user', id: null },
      about: null,
      erased: true,
    });
    expect(await list(`user=${user.id}`)).toEqual([]);
    expect(await list(`object=${user.id}`)).toEqual([]);
    const keys = await identity.collection('audit_keys').find().toArray();
    expect(keys.filter((key) => key.ref === ref)).toEqual([]);
    const raw = (await rawEntries()) + JSON.stringify(keys);
    for (const word of [user.id, email, '203.0.113.77', '203.0.113.78', 'my own phone', 'about them'])
      expect(raw).not.toContain(word);
  });
});

describe('GET /v1/audit/export', () => {
  const exported = async (query: string) => {
    const answer = await identity.call('GET', `/v1/audit/export?${query}`, { as: admin.accessToken });
    return { ...answer, text: typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body) };
  };
  let product: string;
  beforeAll(async () => {
    product = newId('prod');
    const actor = { ...keeper(), device: '=HYPERLINK("http://evil.example")' };
    const events = Array.from({ length: 450 }, (_, index) => ({
      ...catalogEvent(actor, 'price-changed', product, { number: index }),
      time: new Date(Date.UTC(2026, 4, 1) + index * 1000).toISOString(),
    }));
    for (let from = 0; from < events.length; from += 150) await identity.publish(...events.slice(from, from + 150));
    await eventually(async () => (await stored().countDocuments({ objectId: product })) === 450, 'all entries');
  });

  it('is all that matches, oldest first, one JSON object for each line', async () => {
    const { status, headers, text } = await exported(`object=${product}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/x-ndjson/);
    expect(headers.get('content-disposition')).toBe('attachment; filename="audit.ndjson"');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ details }) => details.number)).toEqual(Array.from({ length: 450 }, (_, index) => index));
    expect(Object.keys(lines[0]).toSorted()).toEqual(Object.keys((await list())[0] ?? {}).toSorted());
    const part = await exported(`object=${product}&from=${lines[440].at}`);
    expect(part.text.trimEnd().split('\n')).toHaveLength(10);
  });

  it('is CSV without formulas, where that is requested', async () => {
    const { headers, text } = await exported(`object=${product}&format=csv`);
    expect(headers.get('content-type')).toMatch(/^text\/csv/);
    expect(headers.get('content-disposition')).toBe('attachment; filename="audit.csv"');
    const lines = text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(451);
    expect(lines[0]).toMatch(/^id,at,action,/);
    expect(lines[1]).toContain(`"'=HYPERLINK(""http://evil.example"")"`);
  });

  it('is an entry of the log itself', async () => {
    const [last] = await list('action=audit-exported');
    expect(last).toMatchObject({ who: { userId: admin.id }, object: { type: 'audit', id: null } });
  });
});

describe('a flood', () => {
  it('from one address leaves a few entries, the last with how many there were', async () => {
    const { user } = await identity.member('flooded@one.example');
    const stranger: Actor = { userId: null, role: 'nobody', ip: '203.0.113.200', device: 'x'.repeat(5000) };
    const record = auditRecord(stranger, 'login', {
      object: { type: 'user', id: user.id },
      refused: 'invalid_credentials',
    });
    const events = Array.from({ length: 300 }, () => newEvent(auditEvents.identity, user.id, record));
    await identity.publish(...events);
    await identity.idle();
    const found = await list(`user=${user.id}&action=login&outcome=refused`);
    // The first 50 of an account, then the 64th, the 128th and the 256th.
    expect(found).toHaveLength(53);
    const attempts = found.flatMap(({ details }) => details['attempts'] ?? []);
    expect(new Set(attempts)).toEqual(new Set([64, 128, 256]));
    const sizes = (await stored().find({ action: 'login' }).toArray()).map((entry) => JSON.stringify(entry).length);
    expect(Math.max(...sizes)).toBeLessThan(3000);
  });

  it('of strangers who name no account leaves no address in clear', async () => {
    const stranger: Actor = { userId: null, role: 'nobody', ip: '203.0.113.201', device: 'curl' };
    const record = auditRecord(stranger, 'recovery-requested', {
      object: { type: 'user', id: null },
      refused: 'invalid_code',
    });
    await stored().deleteMany({ action: 'recovery-requested', outcome: 'refused' });
    await identity.publish(...manyOf(3, () => newEvent(auditEvents.identity, 'user', record)));
    const found = await eventually(async () => {
      const entries = await list('action=recovery-requested&outcome=refused');
      return entries.length === 3 ? entries : null;
    }, 'the three entries of the stranger');
    expect(found[0]).toMatchObject({
      who: { userId: null, role: 'nobody', ip: null, device: null },
      about: null,
      erased: false,
    });
    expect(new Set(found.map(({ who }) => who.addressHash)).size).toBe(1);
    expect(found[0]?.who.addressHash).toMatch(/^[\w-]{27}$/);
    expect(await rawEntries()).not.toContain('203.0.113.201');
  });

  it('of one action hides no other of the same person', async () => {
    const { accessToken, user } = await identity.member('busy@one.example');
    const actor: Actor = { userId: user.id, role: 'retail', ip: '192.0.2.7', device: null };
    const record = auditRecord(actor, 'export-requested', { object: { type: 'user', id: user.id } });
    await identity.publish(...manyOf(150, () => newEvent(auditEvents.identity, user.id, record)));
    await identity.idle();
    await identity.post('/v1/auth/logout', undefined, accessToken);
    await entryOf(user.id, 'logout');
    // All up to the limit, and the 128th.
    const ref = await refOf(user.id);
    expect(await stored().countDocuments({ persons: ref, action: 'export-requested' })).toBe(101);
  });
});

it('makes one key for a person, however many entries come at once', async () => {
  const { user } = await identity.member('once@one.example');
  const actor: Actor = { userId: user.id, role: 'retail', ip: '192.0.2.7', device: null };
  await times(5, () => identity.publish(...manyOf(4, () => catalogEvent(actor, 'price-changed'))));
  await identity.idle();
  expect(await list(`user=${user.id}&action=price-changed`)).toHaveLength(20);
});
