import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { eventually } from '@storefront/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configSchema } from '../src/config.ts';
import { createFakeBus, type FakeBus } from './support/fake-bus.ts';
import { someone, startFakeIdentity, type FakeIdentity } from './support/fake-identity.ts';
import { bearer, startGateway } from './support/gateway.ts';

let identity: FakeIdentity;
let fake: FakeBus;
let gateway: Awaited<ReturnType<typeof startGateway>> | undefined;
/** Lets the slow route answer. */
let release: () => void;
const begin = async (settings: Record<string, string>) => {
  gateway = await startGateway(identity, fake, { RATE_LIMITS: 'on', ...settings });
  const { url } = gateway;
  fake.keepFresh();
  await eventually(async () => (await fetch(`${url}/readyz`)).status === 200, 'the gateway to be ready');
  return url;
};

beforeEach(async () => {
  fake = createFakeBus();
  const released = Promise.withResolvers<void>();
  release = released.resolve;
  identity = await startFakeIdentity((app) => {
    app.get('/v1/users/me/exports/slow', async () => {
      await released.promise;
      return {};
    });
    app.get('/v1/notifications/stream', (_request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: first\n\n');
    });
    app.get('/v1/users/me/exports/large', () => 'x'.repeat(200_000));
  });
});
afterEach(async () => {
  await Promise.all([gateway?.close(), identity.stop()]);
});

describe('budgets', () => {
  it('are stated with every answer, and end in 429', async () => {
    const url = await begin({ RATE_LIMIT_IP: '3' });
    const seen = [];
    for (let call = 0; call < 4; call += 1) seen.push(await fetch(`${url}/v1/users/me`));
    expect(seen.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(seen[0]?.headers.get('ratelimit-policy')).toBe('"ip";q=3;w=60');
    const budgets = seen.map(({ headers }) => /^"ip";r=(\d);t=(\d+)$/.exec(headers.get('ratelimit') ?? ''));
    expect(budgets.map((match) => match?.[1])).toEqual(['2', '1', '0', '0']);
    for (const match of budgets) {
      expect(Number(match?.[2])).toBeGreaterThan(0);
      expect(Number(match?.[2])).toBeLessThanOrEqual(60);
    }
    const last = seen[3] as Response;
    expect(last.headers.get('retry-after')).toBe(budgets[3]?.[2]);
    expect(await last.json()).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(identity.reached.filter(({ url: path }) => path === '/v1/users/me')).toHaveLength(3);
  });

  it('are far smaller on auth, whatever X-Forwarded-For says', async () => {
    const url = await begin({ RATE_LIMIT_AUTH: '2' });
    const seen = [];
    for (let call = 0; call < 4; call += 1) {
      const headers = { 'x-forwarded-for': `10.0.0.${call}`, forwarded: `for=10.0.0.${call}` };
      seen.push((await fetch(`${url}/v1/auth/sessions`, { headers })).status);
    }
    expect(seen).toEqual([200, 200, 429, 429]);
    expect((await fetch(`${url}/v1/users/me`)).status).toBe(200);
    expect(identity.reached[0]?.headers['x-client-ip']).toBe('127.0.0.1');
  });

  it('are not evaded by unknown paths and methods', async () => {
    const url = await begin({ RATE_LIMIT_AUTH: '2' });
    const seen = [];
    for (const path of ['/v1/auth/unknown', '/v1/auth/login', '/v1/auth', '/v1/auth/sessions', '/v1/unknown'])
      seen.push((await fetch(url + path)).status);
    expect(seen).toEqual([404, 405, 429, 429, 404]);
  });

  it('trust the proxy that is configured', async () => {
    const url = await begin({ RATE_LIMIT_AUTH: '1', TRUST_PROXY: '127.0.0.1' });
    const from = (ip: string) => fetch(`${url}/v1/auth/sessions`, { headers: { 'x-forwarded-for': ip } });
    expect((await from('6.6.6.6, 10.0.0.1')).status).toBe(200);
    expect((await from('7.7.7.7, 10.0.0.1')).status).toBe(429);
    expect((await from('10.0.0.2')).status).toBe(200);
    expect(identity.reached.at(-1)?.headers['x-client-ip']).toBe('10.0.0.2');
  });

  it('are separate for each user', async () => {
    const url = await begin({ RATE_LIMIT_USER: '2' });
    const [one, other] = [await identity.sign(someone()), await identity.sign(someone())];
    const seen = [];
    for (const token of [one, one, one, other]) seen.push(await fetch(`${url}/v1/users/me`, bearer(token)));
    expect(seen.map(({ status }) => status)).toEqual([200, 200, 429, 200]);
    expect(seen[0]?.headers.get('ratelimit-policy')).toBe('"user";q=2;w=60');
  });

  it('do not count monitoring', async () => {
    const url = await begin({ RATE_LIMIT_IP: '1' });
    for (const path of ['/v1/health', '/livez', '/readyz', '/metrics', '/v1/health'])
      expect((await fetch(url + path)).status).toBe(200);
  });

  it('can be lifted, but not in production', () => {
    const rest = {
      UPSTREAM_IDENTITY: 'http://127.0.0.1:1',
      INTERNAL_TOKEN_PRIVATE_KEY: privateKey,
      RATE_LIMITS: 'off',
    };
    expect(configSchema.safeParse({ ...rest, NODE_ENV: 'test' }).success).toBe(true);
    const refused = configSchema.safeParse({ ...rest, NODE_ENV: 'production' });
    expect(refused.error?.issues).toMatchObject([{ path: ['RATE_LIMITS'], message: 'must not be off in production' }]);
  });

  const privateKey = JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x: 'AA', d: 'AA' });
});

describe('load beyond what is answered in good time', () => {
  it('is refused, and the health of the gateway is not', async () => {
    const url = await begin({ RATE_LIMITS: 'off', MAX_IN_FLIGHT: '4' });
    let answered = 0;
    const calls = Array.from({ length: 12 }, () =>
      fetch(`${url}/v1/users/me/exports/slow`).finally(() => (answered += 1)),
    );
    await eventually(() => answered === 10, 'all but two to be answered');
    expect((await fetch(`${url}/v1/health`)).status).toBe(200);
    release();
    const answers = await Promise.all(calls);
    const shed = answers.filter(({ status }) => status === 503);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(shed).toHaveLength(10);
    expect(shed[0]?.headers.get('retry-after')).toBe('1');
    expect(await shed[0]?.json()).toMatchObject({ code: 'overloaded' });
    expect((await fetch(`${url}/v1/users/me/exports/slow`)).status).toBe(200);
  });

  it('is refused so that pages of allowed origins can read it', async () => {
    const origin = 'https://shop.example';
    const url = await begin({ RATE_LIMITS: 'off', MAX_IN_FLIGHT: '1', CORS_ORIGINS: origin });
    const held = fetch(`${url}/v1/users/me/exports/slow`);
    const refused = await eventually(async () => {
      const answer = await fetch(`${url}/v1/auth/sessions`, { headers: { origin } });
      return answer.status === 503 ? answer : null;
    }, 'the only place to be taken');
    expect(refused.headers.get('access-control-allow-origin')).toBe(origin);
    const preflight = { origin, 'access-control-request-method': 'GET' };
    expect((await fetch(`${url}/v1/auth/sessions`, { method: 'OPTIONS', headers: preflight })).status).toBe(204);
    release();
    expect((await held).status).toBe(200);
  });

  // Refused before the load is looked at, and without a body.
  it.each(['/v1/users/me?q=%E9', '/v1//users/me'])(
    'is not made by requests that are over, such as %s',
    async (path) => {
      const url = await begin({ RATE_LIMITS: 'off', MAX_IN_FLIGHT: '2' });
      for (let time = 0; time < 20; time += 1) {
        expect((await fetch(url + path)).status).toBe(400);
        expect((await fetch(`${url}/v1/auth/sessions`)).status).toBe(200);
      }
    },
  );

  it.each([
    [
      'send their bodies slowly',
      'POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
      1,
    ],
    // More than the buffers of a connection take.
    ['take nothing of their answers', 'GET /v1/users/me/exports/large HTTP/1.1\r\nHost: x\r\n\r\n', 50],
  ])('is not made by clients that %s', async (_what, bytes, times) => {
    const url = await begin({ RATE_LIMITS: 'off', MAX_IN_FLIGHT: '8' });
    const { hostname, port } = new URL(url);
    const sockets = Array.from({ length: 12 }, () => connect(Number(port), hostname).pause());
    const call = async () => (await fetch(`${url}/v1/auth/sessions`)).status;
    try {
      for (let time = 0; time < times; time += 1) {
        for (const socket of sockets) socket.write(bytes);
        await wait(20);
      }
      // The gateway may still be asking for some of the answers that nobody takes.
      const twenty = await eventually(async () => {
        const statuses: number[] = [];
        for (let time = 0; time < 20; time += 1) statuses.push(await call());
        return statuses.every((status) => status === 200) && statuses;
      }, 'room for twenty calls of others, one after the other');
      expect(twenty).toHaveLength(20);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });
});

describe('live streams', () => {
  it('have room for others once their clients have left, however soon', async () => {
    const url = await begin({ RATE_LIMITS: 'off', MAX_STREAMS: '1', UPSTREAM_ENGAGEMENT: identity.url });
    const token = await identity.sign();
    const { hostname, port } = new URL(url);
    const head = `GET /v1/notifications/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    // The gateway finds some of them gone before it has asked the service, some after, some while the stream is open.
    for (let time = 0; time < 200; time += 1) {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      socket.write(head);
      for (let turn = 0; turn < time % 40; turn += 1) await nextTurn();
      socket.destroy();
    }
    const opened = await eventually(async () => {
      const answer = await fetch(`${url}/v1/notifications/stream`, bearer(token));
      return answer.ok ? answer : null;
    }, 'room for a stream');
    expect(opened.headers.get('content-type')).toBe('text/event-stream');
  });
});
