import { hash, randomBytes } from 'node:crypto';
import { newId } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFakeBus, type FakeBus } from './support/fake-bus.ts';
import { startFakeIdentity, type FakeIdentity } from './support/fake-identity.ts';
import { bearer, startGateway } from './support/gateway.ts';

type Gateway = Awaited<ReturnType<typeof startGateway>>;

let identity: FakeIdentity;
let fake: FakeBus;
let gateway: Gateway;

const ready = ({ url }: Gateway) =>
  eventually(async () => (await fetch(`${url}/readyz`)).status === 200, 'the gateway to be ready');

beforeEach(async () => {
  identity = await startFakeIdentity();
  fake = createFakeBus();
  // The table stays complete between checks, so that only what the test does makes the gateway ask.
  gateway = await startGateway(identity, fake, {
    UPSTREAM_RETRY_MS: '300',
    UPSTREAM_CATALOG: identity.url,
    REVOCATION_MAX_AGE_MS: '60000',
  });
  fake.keepFresh();
  await ready(gateway);
});
afterEach(async () => {
  await Promise.all([gateway.close(), identity.stop()]);
});

const hashOf = (token: string) => hash('sha256', token, 'base64url');

/** An API token that identity knows. */
function newToken({ livesMs = 3_600_000 } = {}) {
  const token = `sfc_${randomBytes(32).toString('base64url')}`;
  const id = newId('apit');
  const expiresAt = new Date(Date.now() + livesMs).toISOString();
  identity.apiTokens.set(hashOf(token), { id, scopes: ['catalog:read'], expiresAt });
  return { token, id };
}

const call = (token: string, at: Gateway = gateway) => fetch(`${at.url}/v1/products/prod_x`, bearer(token));
const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code?: string }).code];
const questions = () => identity.asked.filter((path) => path.startsWith('/internal/api-tokens/')).length;
const revoke = (id: string) => {
  identity.apiTokens.clear();
  fake.revoke(newId('user'), 1, id);
};

describe('an API token', () => {
  it('names a program with its scopes to the service, and is asked about once a minute', async () => {
    const { token, id } = newToken();
    for (let count = 0; count < 3; count += 1) expect((await call(token)).status).toBe(200);
    const { headers = {} } = identity.reached.at(-1) ?? {};
    const claims = JSON.parse(
      Buffer.from(String(headers['x-internal-token']).split('.')[1] ?? '', 'base64url').toString(),
    );
    expect(claims).toMatchObject({ sub: id, sid: id, role: 'program', scopes: ['catalog:read'] });
    expect(headers['authorization']).toBeUndefined();
    expect(questions()).toBe(1);
    expect([...gateway.lines, ...identity.asked].filter((line) => line.includes(token))).toEqual([]);
  });

  it('that is unknown, expired or malformed is refused, and ignored on public operations', async () => {
    const { token } = newToken({ livesMs: -1 });
    for (const bad of [token, `sfc_${'x'.repeat(43)}`]) {
      expect(await codeOf(await fetch(`${gateway.url}/v1/users/me`, bearer(bad)))).toEqual([401, 'invalid_token']);
      const { status, headers } = await fetch(`${gateway.url}/v1/products`, bearer(bad));
      expect([status, headers.get('x-token-ignored')]).toEqual([200, 'true']);
    }
    const before = questions();
    for (const malformed of [`sfc_${'x'.repeat(42)}`, `sfc_${'x'.repeat(44)}`, 'sfc_', `sfd_${'x'.repeat(43)}`])
      expect((await fetch(`${gateway.url}/v1/users/me`, bearer(malformed))).status).toBe(401);
    expect(questions()).toBe(before);
    await fetch(`${gateway.url}/v1/users/me?access_token=${newToken().token}`);
    const [, claims = ''] = String(identity.reached.at(-1)?.headers['x-internal-token']).split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ sub: 'anonymous' });
    expect(questions()).toBe(before);
  });

  it('that was revoked is refused by every gateway at once, however lately it was verified', async () => {
    const other = createFakeBus();
    const second = await startGateway(identity, other, {
      UPSTREAM_CATALOG: identity.url,
      REVOCATION_MAX_AGE_MS: '60000',
    });
    try {
      other.keepFresh();
      await ready(second);
      const { token, id } = newToken();
      for (const each of [gateway, second]) expect((await call(token, each)).status).toBe(200);
      revoke(id);
      other.revoke(newId('user'), 1, id);
      for (const each of [gateway, second])
        expect(await codeOf(await fetch(`${each.url}/v1/users/me`, bearer(token)))).toEqual([401, 'invalid_token']);
    } finally {
      await second.close();
    }
  });

  it('is asked about each time while revocations do not arrive, and never believed for what was said before', async () => {
    const { token } = newToken();
    const me = () => fetch(`${gateway.url}/v1/users/me`, bearer(token));
    expect((await me()).status).toBe(200);
    fake.lose();
    expect((await me()).status).toBe(200);
    expect((await me()).status).toBe(200);
    expect(questions()).toBe(3);
    // Revoked in the meantime, which no event and no snapshot says.
    identity.apiTokens.clear();
    fake.bind();
    fake.keepFresh();
    await ready(gateway);
    expect((await me()).status).toBe(401);
  });

  it('of which nobody knows whether it is valid is 503', async () => {
    const { token } = newToken();
    expect((await call(token)).status).toBe(200);
    fake.lose();
    await identity.stop();
    expect(await codeOf(await call(token))).toEqual([503, 'revocation_unknown']);
    expect(await codeOf(await call(newToken().token))).toEqual([503, 'revocation_unknown']);
  });

  it('expires while it is remembered', async () => {
    const { token } = newToken({ livesMs: 1500 });
    const me = () => fetch(`${gateway.url}/v1/users/me`, bearer(token));
    expect((await me()).status).toBe(200);
    await eventually(async () => (await me()).status === 401, 'the token to be expired');
    expect(questions()).toBe(1);
  });
});

it('guesses of API tokens count against their address before identity is asked', async () => {
  const limited = await startGateway(identity, createFakeBus(), {
    RATE_LIMITS: 'on',
    RATE_LIMIT_IP: '5',
    UPSTREAM_CATALOG: identity.url,
  });
  try {
    const guess = () => fetch(`${limited.url}/v1/users/me`, bearer(`sfc_${randomBytes(32).toString('base64url')}`));
    const statuses: number[] = [];
    while (statuses.length < 7) statuses.push((await guess()).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect(questions()).toBe(5);
  } finally {
    await limited.close();
  }
});
