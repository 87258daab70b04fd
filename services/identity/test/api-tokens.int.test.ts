import { hash } from 'node:crypto';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startIdentity, type IdentityHarness } from './harness.ts';

const root = { email: 'root@shop.example', password: 'the keeper of the keys' };
const dayMs = 24 * 60 * 60 * 1000;
let identity: IdentityHarness;
let admin: { as: string; id: string };

beforeAll(async () => {
  identity = await startIdentity({ ADMIN_EMAIL: root.email, ADMIN_PASSWORD: root.password });
});
afterAll(() => identity.close());

async function logIn(credentials = root): Promise<{ as: string; id: string }> {
  const { body } = await identity.post('/v1/auth/login', credentials);
  return { as: body.accessToken, id: body.user.id };
}

const wanted = { name: 'ERP', scopes: ['catalog:read', 'billing:write'] };
const create = (more: object = {}, as = admin.as) => identity.post('/v1/api-tokens', { ...wanted, ...more }, as);
const list = async () => (await identity.call('GET', '/v1/api-tokens?limit=100', { as: admin.as })).body.data as any[];
const listed = async (id: string) => (await list()).find((token) => token.id === id);
const revoke = (id: string, as = admin.as) => identity.call('DELETE', `/v1/api-tokens/${id}`, { as });
const verify = (token: string) => identity.call('GET', `/internal/api-tokens/${hash('sha256', token, 'base64url')}`);

describe('an API token', () => {
  beforeAll(async () => {
    admin = await logIn();
  });

  it('is shown once and kept as a hash, with what it may do and when it was used', async () => {
    const { status, headers, body } = await create({ scopes: [...wanted.scopes, 'catalog:read'] });
    const { token, ...shown } = body;
    expect(status).toBe(201);
    expect(token).toMatch(/^sfc_[A-Za-z0-9_-]{43}$/);
    expect([headers.get('location'), headers.get('cache-control')]).toEqual([`/v1/api-tokens/${shown.id}`, 'no-store']);
    expect(shown).toEqual({
      id: expect.stringMatching(/^apit_/),
      ...wanted,
      createdBy: admin.id,
      createdAt: expect.any(String),
      expiresAt: new Date(Date.parse(shown.createdAt) + 90 * dayMs).toISOString(),
      lastUsedAt: null,
    });
    expect(await listed(shown.id)).toEqual(shown);
    expect(JSON.stringify(await identity.collection('api_tokens').find().toArray())).not.toContain(token.slice(4));
    expect(await verify(token)).toMatchObject({
      status: 200,
      body: { id: shown.id, scopes: wanted.scopes, expiresAt: shown.expiresAt },
    });
    expect(Date.parse((await listed(shown.id)).lastUsedAt)).toBeGreaterThanOrEqual(Date.parse(shown.createdAt));
    const entries = await eventually(async () => {
      const { data } = (await identity.call('GET', `/v1/audit?object=${shown.id}`, { as: admin.as })).body;
      return data.length > 0 ? data : null;
    }, 'the entry in the audit log');
    expect(entries).toMatchObject([
      { action: 'api-token-created', who: { userId: admin.id }, details: { name: 'ERP' } },
    ]);
    expect(JSON.stringify([entries, identity.events, identity.lines])).not.toContain(token.slice(4));
  });

  it.each([
    { scopes: [] },
    { scopes: ['everything'] },
    { name: '' },
    { token: 'sfc_mine' },
    { expiresAt: '2020-01-01T00:00:00.000Z' },
    { expiresAt: '2999-01-01T00:00:00.000Z' },
  ])('is not made of %j', async (more) => {
    expect(await create(more)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });

  it('that is revoked or expired is unknown at once, and gateways hear of it as of a session that ended', async () => {
    const { body: made } = await create();
    const revoked = await revoke(made.id);
    expect(revoked.status).toBe(204);
    expect(revoked.headers.get('x-tokens-revoked')).toMatch(new RegExp(`^${admin.id} \\d+ ${made.id}$`));
    expect((await verify(made.token)).status).toBe(404);
    expect(await listed(made.id)).toBeUndefined();
    expect((await revoke(made.id)).status).toBe(404);
    const { body: snapshot } = await identity.call('GET', '/internal/revocations');
    expect(snapshot.sessions).toContainEqual({ id: made.id, until: expect.any(String) });
    await eventually(
      () => identity.events.some(({ type, data }) => type === 'identity.tokens-revoked' && data.sessionId === made.id),
      'the event for the gateways',
    );
    expect((await identity.call('GET', '/v1/users/me', { as: admin.as })).status).toBe(200);

    const { body: short } = await create({ expiresAt: new Date(identity.now().getTime() + 1000).toISOString() });
    expect((await verify(short.token)).status).toBe(200);
    identity.advance(1);
    expect((await verify(short.token)).status).toBe(404);
  });

  it('belongs to the shop: it stays when its maker is disabled or no administrator any more', async () => {
    const bob = await identity.member('bob@maker.example');
    const users = identity.collection('users');
    const setRole = (role: string, status: string) =>
      users.updateOne({ _id: bob.user.id }, { $set: { role, status }, $inc: { version: 1 } });
    await setRole('admin', 'active');
    const { as } = await logIn({ email: bob.email, password: 'a quiet lake in the morning' });
    const { body: made } = await create({}, as);
    for (const [role, status] of [
      ['admin', 'disabled'],
      ['retail', 'active'],
    ] as const) {
      await setRole(role, status);
      expect((await verify(made.token)).status).toBe(200);
    }
    expect((await listed(made.id)).createdBy).toBe(bob.user.id);
    expect((await revoke(made.id)).status).toBe(204);
    expect((await verify(made.token)).status).toBe(404);
  });

  it('is made by an administrator who has just proved who is calling; a hundred are there at most', async () => {
    const { body } = await create();
    const tokens = identity.collection('api_tokens');
    const one = await tokens.findOne({ _id: body.id });
    const more = Array.from({ length: 100 - (await list()).length }, (_none, index) => ({
      ...one,
      _id: `apit_${index}`,
    }));
    await tokens.insertMany(more as never);
    expect(await create()).toMatchObject({ status: 422, body: { code: 'too_many_api_tokens' } });
    await tokens.deleteMany({ _id: { $in: more.map(({ _id }) => _id) } });
    identity.advance(5 * 60);
    expect(await create()).toMatchObject({ status: 403, body: { code: 'reauthentication_required' } });
    // One that leaked has to go at once.
    expect((await revoke(body.id)).status).toBe(204);
    const { accessToken } = await identity.member('eve@maker.example');
    expect(await create({}, accessToken)).toMatchObject({
      status: 403,
      body: { code: 'role_required', roles: ['admin'] },
    });
  });
});
