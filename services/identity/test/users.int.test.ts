import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startIdentity, type IdentityHarness } from './harness.ts';

let identity: IdentityHarness;
beforeAll(async () => (identity = await startIdentity()));
afterAll(() => identity.close());

describe('GET /v1/users/me', () => {
  it('answers the user, and nothing that is not theirs to see', async () => {
    const { email, accessToken } = await identity.member('ada@one.example');
    const answer = await identity.call('GET', '/v1/users/me', { as: accessToken });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ email, role: 'retail', status: 'active' });
    expect(Object.keys(answer.body).toSorted()).toEqual([
      'createdAt',
      'email',
      'emailVerifiedAt',
      'firstName',
      'id',
      'lastName',
      'locale',
      'phone',
      'role',
      'status',
      'timeZone',
      'updatedAt',
    ]);
    const etag = answer.headers.get('etag') ?? '';
    const same = await identity.call('GET', '/v1/users/me', { as: accessToken, headers: { 'if-none-match': etag } });
    expect(same.status).toBe(304);
  });

  it('is only for who is logged in', async () => {
    expect((await identity.call('GET', '/v1/users/me')).status).toBe(401);
  });

  it('can be reached only through the gateway', async () => {
    const response = await fetch(`${identity.url()}/v1/users/me`, { headers: { 'x-internal-token': 'mine' } });
    expect(response.status).toBe(403);
  });
});

describe('PATCH /v1/users/me', () => {
  const patch = (as: string, body: unknown, headers: Record<string, string> = {}) =>
    identity.call('PATCH', '/v1/users/me', { as, body, headers });

  it('changes names and phone', async () => {
    const { accessToken } = await identity.member('patch@one.example');
    const changed = await patch(accessToken, { firstName: ' Augusta ', phone: '+44 20 7946 0000' });
    expect(changed).toMatchObject({ status: 200, body: { firstName: 'Augusta', phone: '+44 20 7946 0000' } });
    expect(await patch(accessToken, { phone: null })).toMatchObject({ body: { firstName: 'Augusta', phone: null } });
  });

  it('changes the language and the time zone, and says so to the services that write to people', async () => {
    const { accessToken, user, email } = await identity.member('words@one.example');
    const about = () => identity.eventsAbout(email, 'identity.user-changed').map(({ data }) => data);
    const chosen = { locale: 'de', timeZone: 'Europe/Berlin' };
    expect(await patch(accessToken, chosen)).toMatchObject({ status: 200, body: { ...chosen, firstName: 'Ada' } });
    await eventually(() => about().length === 1, 'the event');
    // The same again, and another phone, are no news for them.
    await patch(accessToken, chosen);
    await patch(accessToken, { phone: '+44 20 7946 0000' });
    expect(await patch(accessToken, { locale: null })).toMatchObject({
      body: { locale: null, timeZone: 'Europe/Berlin' },
    });
    expect(await patch(accessToken, { timeZone: null })).toMatchObject({ body: { locale: null, timeZone: null } });
    await eventually(() => about().length === 3, 'the other events');
    const person = { email, firstName: 'Ada', lastName: 'Lovelace' };
    expect(about()).toEqual([{ ...person, ...chosen }, { ...person, timeZone: 'Europe/Berlin' }, person]);
    expect(await identity.collection('users').findOne({ _id: user.id })).not.toHaveProperty('locale');
  });

  it('respects If-Match', async () => {
    const { accessToken } = await identity.member('match@one.example');
    const { headers } = await identity.call('GET', '/v1/users/me', { as: accessToken });
    const etag = { 'if-match': headers.get('etag') ?? '' };
    expect((await patch(accessToken, { firstName: 'One' }, etag)).status).toBe(200);
    expect(await patch(accessToken, { firstName: 'Two' }, etag)).toMatchObject({
      status: 412,
      body: { code: 'version_mismatch' },
    });
  });

  it.each([
    [{}],
    [{ role: 'admin' }],
    [{ status: 'approved' }],
    [{ outbox: [] }],
    [{ email: 'eve@one.example' }],
    [{ firstName: '' }],
    [{ locale: 'fr' }],
    [{ locale: 'de-DE' }],
    [{ timeZone: 'Europe/Nowhere' }],
    [{ firstName: { $set: 'x' } }],
    [{ firstName: 'a\u0000b' }],
  ])('refuses %j', async (body) => {
    const { accessToken } = await identity.member(`no${Math.random()}@one.example`);
    expect(await patch(accessToken, body)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });
});
