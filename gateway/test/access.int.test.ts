import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newSigningKey } from '@storefront/access-token';
import { eventually } from '@storefront/testing';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createFakeBus, type FakeBus } from './support/fake-bus.ts';
import { someone, startFakeIdentity, type FakeIdentity } from './support/fake-identity.ts';
import { bearer, startGateway } from './support/gateway.ts';
import { answersLivez } from './support/livez.ts';
import { sendRaw, statuses } from './support/raw.ts';

let identity: FakeIdentity;
let fake: FakeBus;
let gateway: Awaited<ReturnType<typeof startGateway>>;
/** Whom the internal token of a request names. */
const callerIn = (headers: Record<string, unknown> = {}) => {
  const [, claims = ''] = String(headers['x-internal-token']).split('.');
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string }).sub;
};
const call = (token: string) => fetch(`${gateway.url}/v1/users/me`, bearer(token));
const ready = () =>
  eventually(async () => (await fetch(`${gateway.url}/readyz`)).status === 200, 'the gateway to be ready');
const freshAgain = async () => {
  fake.keepFresh();
  await ready();
};

beforeEach(async () => {
  identity = await startFakeIdentity();
  fake = createFakeBus();
  gateway = await startGateway(identity, fake, { UPSTREAM_RETRY_MS: '300', UPSTREAM_CATALOG: identity.url });
  await freshAgain();
});

afterEach(async () => {
  await Promise.all([gateway.close(), identity.stop()]);
});

describe('a token', () => {
  it('is not needed: the service learns that the caller is anonymous', async () => {
    const response = await fetch(`${gateway.url}/v1/users/me`);
    expect(response.status).toBe(200);
    const { headers } = (await response.json()) as { headers: Record<string, string> };
    const claims = JSON.parse(Buffer.from(headers['x-internal-token']?.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({ sub: 'anonymous', aud: 'identity' });
  });

  it('that is valid is not forwarded: the service learns who the caller is', async () => {
    const user = someone({ role: 'trade' });
    const response = await call(await identity.sign(user));
    expect(response.status).toBe(200);
    const { headers } = (await response.json()) as { headers: Record<string, string> };
    expect(headers.authorization).toBeUndefined();
    const claims = JSON.parse(Buffer.from(headers['x-internal-token']?.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({ sub: user.sub, sid: user.sid, role: 'trade', ver: 1 });
  });

  it.each<[string, () => Promise<string>]>([
    ['garbage', async () => 'a.b.c'],
    ['expired', async () => identity.sign({}, { lifetime: -1 })],
    ['for another audience', async () => identity.sign({}, { audience: 'elsewhere' })],
    ['signed by another key', async () => identity.sign({}, { key: await newSigningKey() })],
    [
      'signed by another key with the right key id',
      async () => identity.sign({}, { key: { ...(await newSigningKey()), kid: identity.key.kid } }),
    ],
    ['without signature', async () => unsecured()],
    ['of another algorithm', async () => otherAlgorithm()],
    ['with the public key as a secret', async () => confused()],
    ['an internal one', async () => internal()],
  ])('that is %s is refused', async (_what, make) => {
    const response = await call(await make());
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token", error_description=".+"$/);
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(await response.json()).toMatchObject({ status: 401, code: 'invalid_token' });
    expect(identity.reached).toEqual([]);
  });

  it.each(['Basic YTpi', 'Bearer', 'Bearer a b', 'Token x.y.z', 'Bearer a.b'])(
    'must come as a bearer token, not as %s',
    async (authorization) => {
      const response = await fetch(`${gateway.url}/v1/auth/sessions`, { headers: { authorization } });
      expect(response.status).toBe(401);
    },
  );

  it.each(['Bearer a.b.c', 'Basic YTpi', ''])(
    'that is not valid (%s) is ignored by public operations',
    async (authorization) => {
      const send = (path: string, method = 'GET') => fetch(gateway.url + path, { method, headers: { authorization } });
      expect((await send('/v1/auth/login', 'POST')).headers.get('x-token-ignored')).toBeNull();
      const products = await send('/v1/products');
      expect([products.status, products.headers.get('x-token-ignored')]).toEqual([200, 'true']);
      expect(identity.reached.map(({ url }) => url)).toEqual(['/v1/auth/login', '/v1/products']);
      for (const { headers } of identity.reached) expect(callerIn(headers)).toBe('anonymous');
    },
  );

  it('that was revoked is ignored by public operations, and one that is valid is not', async () => {
    const [user, asked] = [someone({ role: 'trade' }), someone()];
    const read = async (token: string) => {
      const response = await fetch(`${gateway.url}/v1/products`, bearer(token));
      return [response.status, response.headers.get('x-token-ignored'), callerIn(identity.reached.at(-1)?.headers)];
    };
    const token = await identity.sign(user);
    expect(await read(token)).toEqual([200, null, user.sub]);
    fake.revoke(user.sub, 2);
    expect(await read(token)).toEqual([200, 'true', 'anonymous']);
    // Now identity is asked about each token.
    fake.lose();
    identity.users.set(asked.sub, 2);
    expect(await read(await identity.sign(asked))).toEqual([200, 'true', 'anonymous']);
  });

  it('decides whether an answer may be compressed: one for its caller alone is not (BREACH)', async () => {
    const encodingsOf = async (path: string, authorization: string | null) => {
      const headers = { 'accept-encoding': 'br', ...(authorization !== null && { authorization }) };
      await fetch(gateway.url + path, { headers });
      return identity.reached.at(-1)?.headers['accept-encoding'];
    };
    const valid = `Bearer ${await identity.sign()}`;
    expect(await encodingsOf('/v1/products', null)).toBe('br');
    expect(await encodingsOf('/v1/products', 'Bearer a.b.c')).toBe('br');
    expect(await encodingsOf('/v1/products', valid)).not.toBe('br');
    expect(await encodingsOf('/v1/users/me', null)).not.toBe('br');
  });

  it('of which nobody knows whether it was revoked is 503, on public operations too', async () => {
    const token = await identity.sign();
    fake.lose();
    await identity.stop();
    const response = await fetch(`${gateway.url}/v1/products`, bearer(token));
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([503, 'revocation_unknown']);
  });

  it('must come once', async () => {
    const header = `Authorization: Bearer ${await identity.sign()}\r\n`;
    const answers = await Promise.all(
      [header, header + header].map((headers) =>
        sendRaw(gateway.url, `GET /v1/users/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`),
      ),
    );
    expect(answers.map(statuses)).toEqual([[200], [401]]);
  });

  it("does not matter to the gateway's own health", async () => {
    const response = await fetch(`${gateway.url}/v1/health`, bearer('nonsense'));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: 'ok', version: '0.1.0', uptimeSeconds: expect.any(Number) });
  });

  it('that was valid stays valid while identity is away', async () => {
    const token = await identity.sign();
    await identity.stop();
    // The token could be checked, so the refusal is about the service itself.
    const response = await call(token);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: 'service_unavailable' });
  });

  const claims = () => ({
    role: 'admin',
    sid: 'sess_1',
    ver: 1,
    sub: 'user_1',
    iss: 'storefront',
    aud: 'storefront-api',
  });
  const unsecured = () => new UnsecuredJWT({ ...claims(), jti: 'x' }).setIssuedAt().setExpirationTime('5m').encode();
  const otherAlgorithm = async () => {
    const { privateKey } = await generateKeyPair('ES256');
    return new SignJWT(claims())
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: identity.key.kid })
      .setIssuedAt()
      .setJti('x')
      .setExpirationTime('5m')
      .sign(privateKey);
  };
  const confused = async () =>
    new SignJWT(claims())
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: identity.key.kid })
      .setIssuedAt()
      .setJti('x')
      .setExpirationTime('5m')
      .sign(Buffer.from(identity.key.privateJwk.x ?? ''));
  const internal = async () => {
    const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
    await exportJWK(privateKey);
    return new SignJWT(claims())
      .setProtectedHeader({ alg: 'EdDSA', typ: 'internal+jwt', kid: identity.key.kid })
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey);
  };
});

describe('a revoked token is refused', () => {
  const refusal = async (token: string) => {
    const response = await call(token);
    return `${response.status} ${response.headers.get('www-authenticate')}`;
  };
  const revoked = '401 Bearer error="invalid_token", error_description="The access token was revoked"';

  it('after an event about its user', async () => {
    const user = someone();
    const [old, newer] = [await identity.sign(user), await identity.sign({ ...user, ver: 2 })];
    fake.revoke(user.sub, 2);
    expect(await refusal(old)).toBe(revoked);
    expect((await call(newer)).status).toBe(200);
  });

  it('after an event about its session, while other sessions go on', async () => {
    const user = someone();
    const [one, other] = [await identity.sign(user), await identity.sign({ ...user, sid: someone().sid })];
    fake.revoke(user.sub, 1, user.sid);
    expect(await refusal(one)).toBe(revoked);
    expect((await call(other)).status).toBe(200);
  });

  it.each(['user', 'session'] as const)('as soon as identity has answered a logout of the %s', async (which) => {
    const user = someone();
    const token = await identity.sign(user);
    expect((await call(token)).status).toBe(200);
    const body = JSON.stringify(which === 'user' ? { sub: user.sub } : { sub: user.sub, sid: user.sid });
    const logout = await fetch(`${gateway.url}/v1/auth/logout`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    });
    expect(logout.status).toBe(200);
    expect(logout.headers.get('x-tokens-revoked')).toBeNull();
    expect(await refusal(token)).toBe(revoked);
  });

  it('by a gateway that started after it', async () => {
    const user = someone();
    const token = await identity.sign(user);
    identity.users.set(user.sub, 2);
    const later = createFakeBus();
    // Its table stays complete, so that it has no other reason to ask about this one token.
    const second = await startGateway(identity, later, { REVOCATION_MAX_AGE_MS: '60000' });
    try {
      later.keepFresh();
      await eventually(async () => (await fetch(`${second.url}/readyz`)).status === 200, 'the second gateway');
      expect((await fetch(`${second.url}/v1/users/me`, bearer(token))).status).toBe(401);
      expect(identity.asked).not.toContainEqual(expect.stringContaining('token-state'));
    } finally {
      await second.close();
    }
  });

  it('when it was missed while the queue was gone', async () => {
    const user = someone();
    const token = await identity.sign(user);
    fake.lose();
    identity.users.set(user.sub, 2);
    expect(await refusal(token)).toBe(revoked);
    const snapshots = () => identity.asked.filter((path) => path === '/internal/revocations').length;
    const before = snapshots();
    fake.bind();
    await eventually(() => snapshots() > before, 'a new snapshot');
    expect(await refusal(token)).toBe(revoked);
  });

  it('when its event came between the binding and the snapshot', async () => {
    const user = someone();
    const token = await identity.sign(user);
    fake.lose();
    fake.bind();
    fake.revoke(user.sub, 2);
    await eventually(() => identity.asked.length >= 2, 'the snapshot');
    expect(await refusal(token)).toBe(revoked);
  });
});

it('after a minute without tokens the gateway asks identity about the next one, and checks regularly again', async () => {
  fake.stopFreshness();
  // The clock stands still two minutes later, so only one more check is due at rest.
  const stopped = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 120_000);
  onTestFinished(() => stopped.mockRestore());
  const { checks } = (await (await fetch(`${gateway.url}/readyz`)).json()) as { checks: object };
  expect(checks).toMatchObject({ revocations: { ok: true, reason: 'at rest: asking identity about the next token' } });
  const before = fake.newestCheck();
  const user = someone();
  identity.users.set(user.sub, 2);
  expect((await call(await identity.sign(user))).status).toBe(401);
  await eventually(() => fake.newestCheck() >= before + 3, 'regular checks');
});

describe('while its checks are not answered', () => {
  const makeStale = () => {
    fake.stopFreshness();
    return eventually(async () => {
      const before = identity.asked.length;
      await call(await identity.sign());
      return identity.asked.length > before;
    }, 'the gateway to ask identity');
  };

  it('the gateway asks identity about the token of each request', async () => {
    await makeStale();
    const [alive, dead] = [someone(), someone()];
    identity.users.set(dead.sub, 2);
    expect((await call(await identity.sign(alive))).status).toBe(200);
    expect((await call(await identity.sign(dead))).status).toBe(401);
    const ended = someone();
    identity.endedSessions.add(ended.sid);
    expect((await call(await identity.sign(ended))).status).toBe(401);
  });

  it('an answer of identity is used for one request only', async () => {
    await makeStale();
    const user = someone();
    const token = await identity.sign(user);
    expect((await call(token)).status).toBe(200);
    identity.users.set(user.sub, 2);
    expect((await call(token)).status).toBe(401);
  });

  it('no token is accepted on its signature alone when identity is away, too', async () => {
    await makeStale();
    const token = await identity.sign();
    await identity.stop();
    const response = await call(token);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.json()).toMatchObject({ code: 'revocation_unknown' });
    await identity.again();
    fake.keepFresh();
    expect((await call(token)).status).toBe(200);
  });

  it('an instance of identity that answers 503 fails no request while another one answers', async () => {
    let refusals = 0;
    const refusing = createServer((request, response) => {
      if (answersLivez(request, response)) return;
      refusals += 1;
      response.writeHead(503, { 'x-request-id': '1' }).end();
    });
    refusing.listen(0, '127.0.0.1');
    await once(refusing, 'listening');
    onTestFinished(() => void refusing.close());
    const { port } = refusing.address() as AddressInfo;
    const never = createFakeBus();
    const second = await startGateway(identity, never, {
      UPSTREAM_IDENTITY: `http://127.0.0.1:${port},${identity.url}`,
      UPSTREAM_ACCOUNT: identity.url,
    });
    onTestFinished(() => second.close());
    const token = await identity.sign();
    const address = `${second.url}/v1/users/me/addresses`;
    // It is asked now and then whether it answers again.
    const before = refusals;
    while (refusals < before + 2) expect((await fetch(address, bearer(token))).status).toBe(200);
  });

  it('what identity answers to other gateways does not count', async () => {
    fake.stopFreshness();
    const answering = setInterval(() => {
      // The numbers that this gateway sends, and waits to be answered, under another name.
      fake.answer({ 'another-gateway': fake.newestCheck() });
    }, 50);
    onTestFinished(() => clearInterval(answering));
    expect(await makeStale()).toBe(true);
  });
});

describe('a token that the gateway has no key for', () => {
  it('is 503 while no key was ever loaded, and valid once identity is there', async () => {
    const token = await identity.sign();
    await identity.stop();
    const later = createFakeBus();
    const second = await startGateway(identity, later, { UPSTREAM_RETRY_MS: '200' });
    try {
      const away = await fetch(`${second.url}/v1/users/me`, bearer(token));
      expect(away.status).toBe(503);
      expect(await away.json()).toMatchObject({ code: 'keys_unavailable' });
      expect((await fetch(`${second.url}/v1/health`)).status).toBe(200);
      expect((await fetch(`${second.url}/readyz`)).status).toBe(503);
      await identity.again();
      await eventually(
        async () => (await fetch(`${second.url}/v1/users/me`, bearer(token))).status === 200,
        'the token to be checked',
      );
    } finally {
      await second.close();
    }
  });
});
