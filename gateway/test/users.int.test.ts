import { connect, type Socket } from 'node:net';
import { eventually } from '@storefront/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFakeBus, type FakeBus } from './support/fake-bus.ts';
import { someone, startFakeIdentity, type FakeIdentity } from './support/fake-identity.ts';
import { bearer, startGateway } from './support/gateway.ts';

let identity: FakeIdentity;
let fake: FakeBus;
let gateway: Awaited<ReturnType<typeof startGateway>> | undefined;
let url: string;
/** Lets the slow route answer. */
let release: () => void;
/** Whether it has been asked. */
let isSlowUnderWay: boolean;
const begin = async (settings: Record<string, string>) => {
  gateway = await startGateway(identity, fake, {
    RATE_LIMITS: 'on',
    UPSTREAM_ENGAGEMENT: identity.url,
    UPSTREAM_TIMEOUT_MS: '60000',
    ...settings,
  });
  url = gateway.url;
  fake.keepFresh();
  await eventually(async () => (await fetch(`${url}/readyz`)).status === 200, 'the gateway to be ready');
};
const call = (path: string, token?: string, init: RequestInit = {}) =>
  fetch(url + path, { ...init, ...(token === undefined ? {} : bearer(token)) });
const post = (path: string, token?: string) => call(path, token, { method: 'POST' });
const statusOf = async (answer: Promise<Response>) => (await answer).status;
const me = '/v1/users/me';
const slow = '/v1/users/me/exports/slow';
const stream = '/v1/notifications/stream';

beforeEach(async () => {
  fake = createFakeBus();
  const released = Promise.withResolvers<void>();
  release = released.resolve;
  isSlowUnderWay = false;
  identity = await startFakeIdentity((app) => {
    app.get(slow, async () => {
      isSlowUnderWay = true;
      await released.promise;
      return {};
    });
    app.get(stream, (_request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
      reply.raw.write('data: first\n\n');
    });
  });
});
afterEach(async () => {
  release();
  await Promise.all([gateway?.close(), identity.stop()]);
});

/** Asks until the answer is 429; how many were answered otherwise. */
async function spend(ask: () => Promise<Response>): Promise<number> {
  for (let answered = 0; ; answered += 1) {
    if ((await ask()).status === 429) return answered;
    if (answered > 20) throw new Error('the budget does not end');
  }
}

describe('the budget of a user', () => {
  it('is not used up by anybody else behind the same address', async () => {
    await begin({ RATE_LIMIT_IP: '3', RATE_LIMIT_AUTH: '2', RATE_LIMIT_USER: '5' });
    expect(await spend(() => call('/v1/auth/sessions'))).toBe(2);
    await spend(() => call(me));
    const [victim, attacker] = [await identity.sign(someone()), await identity.sign(someone())];
    expect(await spend(() => call(me, attacker))).toBe(5);
    for (const token of [undefined, 'a.b.c', await identity.sign({}, { lifetime: -1 })])
      expect(await statusOf(call(me, token))).toBe(429);
    const answers = [
      await call(me, victim),
      await call('/v1/auth/sessions', victim),
      await call(me, victim, { method: 'PATCH' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers[1]?.headers.get('ratelimit-policy')).toBe('"user";q=5;w=60, "auth";q=2;w=60');
  });

  it('counts what a token does that the address has never sent before, wherever it comes from', async () => {
    await begin({ RATE_LIMIT_IP: '1', RATE_LIMIT_USER: '2' });
    const user = someone();
    await spend(() => call(me, 'a.b.c'));
    expect(await statusOf(call(me, await identity.sign(user)))).toBe(200);
    expect(await statusOf(call(me, await identity.sign(user)))).toBe(200);
    expect(await statusOf(call(me, await identity.sign(user)))).toBe(429);
  });

  it('is not used up by a token that was revoked', async () => {
    await begin({ RATE_LIMIT_USER: '2', RATE_LIMIT_IP: '4' });
    const user = someone();
    const dead = await identity.sign(user);
    fake.revoke(user.sub, 1, user.sid);
    expect(await spend(() => call(me, dead))).toBe(4);
    const again = await identity.sign({ ...user, sid: someone().sid });
    expect(await spend(() => call(me, again))).toBe(2);
  });

  it('is not used up by a revoked token either while identity is asked: it is asked once about a dead one', async () => {
    await begin({ RATE_LIMIT_USER: '3' });
    fake.lose();
    const user = someone();
    const dead = await identity.sign(user);
    identity.endedSessions.add(user.sid);
    for (let turn = 0; turn < 5; turn += 1) expect(await statusOf(call(me, dead))).toBe(401);
    expect(identity.asked.filter((path) => path.includes(user.sid))).toHaveLength(1);
    const again = await identity.sign({ ...user, sid: someone().sid });
    expect(await spend(() => call(me, again))).toBe(2);
  });

  it('has an own part for operations of /v1/auth that need a token, but not for guesses', async () => {
    await begin({ RATE_LIMIT_AUTH: '2' });
    const tokens = [await identity.sign(someone()), await identity.sign(someone())];
    for (const token of tokens) expect(await spend(() => call('/v1/auth/sessions', token))).toBe(2);
    const guesses = [];
    for (const token of [...tokens, await identity.sign(someone())])
      guesses.push(await statusOf(post('/v1/auth/login', token)));
    expect(guesses).toEqual([200, 200, 429]);
  });
});

describe('refreshing tokens', () => {
  it('has a budget that nothing else uses up', async () => {
    await begin({ RATE_LIMIT_IP: '3', RATE_LIMIT_AUTH: '2', RATE_LIMIT_REFRESH: '4' });
    await spend(() => post('/v1/auth/login'));
    await spend(() => call(me));
    expect(await spend(() => post('/v1/auth/refresh'))).toBe(4);
  });
});

describe('callbacks of payment providers', () => {
  it('have a budget that nothing else uses up, and use up no other', async () => {
    await begin({
      RATE_LIMIT_IP: '3',
      RATE_LIMIT_AUTH: '2',
      RATE_LIMIT_CALLBACKS: '4',
      UPSTREAM_BILLING: identity.url,
    });
    await spend(() => call(me));
    expect(await spend(() => post('/v1/payments/callbacks/demo'))).toBe(4);
    expect(await statusOf(post('/v1/auth/refresh'))).toBe(200);
  });
});

describe('logging out and ending a session', () => {
  const endings: [what: string, end: (token?: string) => Promise<Response>][] = [
    [
      'logging out',
      (token) =>
        fetch(`${url}/v1/auth/logout`, {
          method: 'POST',
          body: '{"sub":"user_1"}',
          headers: { 'content-type': 'application/json', ...(token && bearer(token).headers) },
        }),
    ],
    ['ending a session', (token) => call(`/v1/auth/sessions/${someone().sid}`, token, { method: 'DELETE' })],
  ];

  it.each(endings)('%s is not refused when every budget is used up', async (_what, end) => {
    await begin({ RATE_LIMIT_IP: '1', RATE_LIMIT_AUTH: '1', RATE_LIMIT_USER: '1', MAX_USER_IN_FLIGHT: '1' });
    const token = await identity.sign(someone());
    await spend(() => call(me));
    await spend(() => call(me, token));
    expect(await statusOf(end(token))).toBe(200);
    expect(await statusOf(end(token))).toBe(200);
  });

  it.each(endings)('%s is not refused while the user has as many requests under way as allowed', async (_what, end) => {
    await begin({ MAX_USER_IN_FLIGHT: '1' });
    const token = await identity.sign(someone());
    const held = call(slow, token);
    await eventually(() => isSlowUnderWay, 'the slow request to be under way');
    expect(await statusOf(call(me, token))).toBe(429);
    expect(await statusOf(end(token))).toBe(200);
    release();
    await held;
  });

  it.each(endings)(
    '%s without a valid token is 401 at once, however often, and reaches no service',
    async (_what, end) => {
      await begin({ RATE_LIMIT_IP: '1', RATE_LIMIT_AUTH: '1' });
      identity.reached.length = 0;
      for (let turn = 0; turn < 5; turn += 1) {
        expect((await (await end()).json()) as object).toMatchObject({ status: 401, code: 'authentication_required' });
        expect((await (await end('a.b.c')).json()) as object).toMatchObject({ status: 401, code: 'invalid_token' });
      }
      expect(identity.reached).toEqual([]);
    },
  );
});

/** Sends a request but for the most of its body; what is answered ends the connection. */
function beginPatch(token: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('data', () => socket.destroy());
  socket.write(
    `PATCH /v1/users/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
  );
  return socket;
}

describe('requests of one user at once', () => {
  it('are so many at most, those whose body is still arriving included; others go on', async () => {
    await begin({ MAX_USER_IN_FLIGHT: '2' });
    const [token, other] = [await identity.sign(someone()), await identity.sign(someone())];
    const held = call(slow, token);
    await eventually(() => isSlowUnderWay, 'the slow request to be under way');
    let socket = beginPatch(token);
    try {
      const refused = await eventually(async () => {
        // Where our own question came before its head, that was refused.
        if (socket.destroyed) socket = beginPatch(token);
        const answer = await call(me, token);
        return answer.status === 429 ? answer : undefined;
      }, 'both to be under way');
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(refused.headers.get('ratelimit')).toMatch(/^"user";r=[1-9]\d*;t=\d+$/);
      expect(await refused.json()).toMatchObject({ code: 'too_many_at_once' });
      expect(await statusOf(call(me, other))).toBe(200);
    } finally {
      socket.destroy();
    }
    await eventually(async () => (await statusOf(call(me, token))) === 200, 'room where the client has left');
    release();
    expect(await statusOf(held)).toBe(200);
    await eventually(async () => {
      const answers = await Promise.all([call(me, token), call(me, token)]);
      return answers.every(({ status }) => status === 200);
    }, 'room for two again');
  });

  it('are counted apart from live streams', async () => {
    await begin({ MAX_USER_IN_FLIGHT: '1', MAX_USER_STREAMS: '1' });
    const [token, other] = [await identity.sign(someone()), await identity.sign(someone())];
    const client = new AbortController();
    const opened = await call(stream, token, { signal: client.signal });
    expect(opened.status).toBe(200);
    await eventually(async () => (await statusOf(call(me, token))) === 200, 'room for a request');
    const second = await call(stream, token);
    expect([second.status, ((await second.json()) as { code: string }).code]).toEqual([429, 'too_many_at_once']);
    const ofOther = new AbortController();
    expect(await statusOf(call(stream, other, { signal: ofOther.signal }))).toBe(200);
    ofOther.abort();
    client.abort();
    const again = new AbortController();
    await eventually(
      async () => (await statusOf(call(stream, token, { signal: again.signal }))) === 200,
      'room for a stream again',
    );
    again.abort();
  });
});
