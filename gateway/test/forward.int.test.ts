import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '@storefront/testing';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createFakeBus, type FakeBus } from './support/fake-bus.ts';
import { someone, startFakeIdentity, type FakeIdentity } from './support/fake-identity.ts';
import { bearer, startGateway } from './support/gateway.ts';
import { answersLivez } from './support/livez.ts';
import { sendRaw } from './support/raw.ts';

let identity: FakeIdentity;
let fake: FakeBus;
let gateway: Awaited<ReturnType<typeof startGateway>>;
/** Sends on the live stream that was opened last. */
let send: (text: string) => void;
/** Whether the connection of the request that the service does not answer is open. */
let isSlowOpen: boolean;
/** The callback of a payment provider that came last. */
let received: { body: Buffer; headers: Record<string, unknown> } | undefined;
/** The file that came last. */
let receivedFile: Buffer | undefined;
/** Whether identity answers the gateway itself. */
let isAnswering: boolean;
const upstreamTimeoutMs = 1000;
const json = { 'content-type': 'application/json' };
/** An operation with any id, so that the service can answer each as it likes. */
const exports = '/v1/users/me/exports';

function routes(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!isAnswering && request.url.startsWith('/internal/')) await reply.code(503).send();
  });
  app.get(`${exports}/headers`, (_request, reply) => {
    void reply.headers({
      etag: '"7"',
      vary: 'Authorization',
      location: '/v1/users/me',
      'retry-after': '3',
      'x-internal-secret': 'inside',
      'x-powered-by': 'something',
      'keep-alive': 'timeout=1',
      'proxy-authenticate': 'Basic',
      'x-named': 'hop',
      connection: 'keep-alive, x-named',
    });
    return { said: true };
  });
  app.get('/v1/notifications/stream', (request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
    send = (text) => reply.raw.write(text);
    if (request.headers.accept === 'nothing/yet') reply.raw.flushHeaders();
    else send('data: first\n\n');
  });
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'buffer', bodyLimit: 2_000_000 },
      (_request, body, done) => done(null, body),
    );
    scope.post<{ Body: Buffer }>('/v1/payments/callbacks/:id', ({ body, headers }) => {
      received = { body, headers };
      return { received: true };
    });
  });
  app.register(async (scope) => {
    scope.addContentTypeParser('text/csv', { parseAs: 'buffer', bodyLimit: 6_000_000 }, (_request, body, done) =>
      done(null, body),
    );
    scope.post<{ Body: Buffer }>('/v1/products/imports', ({ body }) => {
      receivedFile = body;
      return { received: true };
    });
  });
  app.get(`${exports}/slow`, (_request, reply) => {
    reply.hijack();
    isSlowOpen = true;
    reply.raw.on('close', () => (isSlowOpen = false));
  });
  app.get(`${exports}/large`, () => 'x'.repeat(5_000_000));
  app.get(`${exports}/cut`, (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-length': '100' });
    reply.raw.write('half');
    setTimeout(() => reply.raw.destroy(), 50);
  });
}

beforeEach(async () => {
  isAnswering = true;
  identity = await startFakeIdentity(routes);
  fake = createFakeBus();
  gateway = await startGateway(identity, fake, {
    UPSTREAM_ENGAGEMENT: identity.url,
    UPSTREAM_BILLING: identity.url,
    UPSTREAM_TIMEOUT_MS: String(upstreamTimeoutMs),
    UPSTREAM_RETRY_MS: '3000',
    CORS_ORIGINS: 'https://shop.example',
  });
  fake.keepFresh();
  await eventually(async () => (await fetch(`${gateway.url}/readyz`)).status === 200, 'the gateway to be ready');
  identity.reached.length = 0;
});

afterEach(async () => {
  await Promise.all([gateway.close(), identity.stop()]);
});

describe('the request to a service', () => {
  it('has the listed headers of the client, and those of the gateway', async () => {
    await fetch(`${gateway.url}/v1/users/me?x=1`, {
      method: 'PATCH',
      body: '{"firstName":"Ada"}',
      headers: {
        ...json,
        'if-match': '"3"',
        'idempotency-key': 'k-1',
        'x-request-id': 'my-request-1',
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        'user-agent': 'tests',
        'x-internal-token': 'forged',
        'x-client-ip': '6.6.6.6',
        'x-forwarded-for': '6.6.6.6',
        'x-forwarded-host': 'evil',
        forwarded: 'for=6.6.6.6',
        'x-user-id': 'user_1',
        cookie: 'a=b',
        te: 'trailers',
      },
    });
    const [reached] = identity.reached;
    expect(reached).toMatchObject({ method: 'PATCH', url: '/v1/users/me?x=1', body: { firstName: 'Ada' } });
    const { 'x-internal-token': token, host, ...headers } = reached?.headers ?? {};
    expect(token).toMatch(/^ey/);
    expect(host).toBe(new URL(identity.url).host);
    expect(headers).toEqual({
      accept: '*/*',
      'accept-language': '*',
      connection: 'keep-alive',
      'content-length': '19',
      'content-type': 'application/json',
      'idempotency-key': 'k-1',
      'if-match': '"3"',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      'user-agent': 'tests',
      'x-client-ip': '127.0.0.1',
      'x-request-id': 'my-request-1',
    });
  });

  it('lacks the headers that Connection names', async () => {
    await sendRaw(
      gateway.url,
      'GET /v1/users/me HTTP/1.1\r\nHost: x\r\nIf-Match: "1"\r\nAccept: a/b\r\nConnection: close, if-match\r\n\r\n',
    );
    expect(identity.reached[0]?.headers).toMatchObject({ accept: 'a/b' });
    expect(identity.reached[0]?.headers).not.toHaveProperty('if-match');
  });

  it('has a request id and a trace also where the client sent none, or a malformed one', async () => {
    const response = await fetch(`${gateway.url}/v1/users/me`, {
      headers: { 'x-request-id': 'no', traceparent: 'no' },
    });
    const headers = identity.reached[0]?.headers;
    expect(headers?.['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(response.headers.get('x-request-id')).toBe(headers?.['x-request-id']);
    expect(headers?.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  });
});

describe('a request that its service does not answer', () => {
  it('is ended at the service when its client leaves', async () => {
    const patient = await startGateway(identity, createFakeBus(), { UPSTREAM_TIMEOUT_MS: '60000' });
    onTestFinished(() => patient.close());
    const client = new AbortController();
    const request = fetch(`${patient.url}${exports}/slow`, { signal: client.signal });
    await eventually(() => isSlowOpen, 'the request to reach the service');
    client.abort();
    await expect(request).rejects.toThrow('aborted');
    await eventually(() => !isSlowOpen, 'the service to hear of it');
  });
});

describe('a file of products', () => {
  const large = `sku,name\n${'A,B\n'.repeat(100_000)}`;
  const send = async (body: string, headers: Record<string, string> = {}) =>
    fetch(`${shop.url}/v1/products/imports`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'text/csv', ...headers },
    });
  const as = async (role: 'admin' | 'catalog') => ({
    authorization: `Bearer ${await identity.sign(someone({ role }))}`,
  });

  let shop: Awaited<ReturnType<typeof startGateway>>;
  beforeEach(async () => {
    receivedFile = undefined;
    shop = await startGateway(identity, fake, { UPSTREAM_CATALOG: identity.url });
    await eventually(async () => (await fetch(`${shop.url}/readyz`)).status === 200, 'the gateway to be ready');
  });
  afterEach(() => shop.close());

  it('reaches the service byte for byte, up to its own size', async () => {
    expect((await send(large, await as('catalog'))).status).toBe(200);
    expect(receivedFile?.toString()).toBe(large);
    expect((await send('x'.repeat(5 * 1024 * 1024 + 1), await as('admin'))).status).toBe(413);
  });

  it('is 415 in a type that the operation does not take', async () => {
    expect((await send('x', { ...(await as('catalog')), 'content-type': 'text/html' })).status).toBe(415);
    const elsewhere = await fetch(`${shop.url}/v1/products`, {
      method: 'POST',
      body: 'sku',
      headers: { ...(await as('catalog')), 'content-type': 'text/csv' },
    });
    expect(elsewhere.status).toBe(415);
  });
});

describe('the callback of a payment provider', () => {
  const send = (body: Buffer | string, headers: Record<string, string> = {}, path = '/v1/payments/callbacks/demo') =>
    fetch(gateway.url + path, { method: 'POST', body, headers: { ...json, ...headers } });

  beforeEach(() => (received = undefined));

  it('is answered 503 where 32 of the largest are being read, and small ones are not', async () => {
    const { port } = new URL(gateway.url);
    const large = Buffer.alloc(1_048_576, 'x');
    const head = `POST /v1/payments/callbacks/demo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1048576\r\n\r\n`;
    const clients = Array.from({ length: 32 }, () => connect(Number(port), '127.0.0.1').on('error', () => undefined));
    for (const client of clients) client.write(`${head}x`);
    try {
      const refused = await eventually(async () => {
        const answer = await send(large);
        return answer.status === 503 ? answer : undefined;
      }, 'one more to be refused');
      expect(refused.headers.get('retry-after')).toBe('1');
      expect((await send('{}')).status).toBe(200);
    } finally {
      for (const client of clients) client.destroy();
    }
    await eventually(async () => (await send(large)).status === 200, 'large ones to be taken again');
  });

  it('reaches its service byte for byte, with its signature', async () => {
    for (const body of [
      Buffer.from('{ "a": 1.0, "a":2 }\r\n'),
      Buffer.from([0xef, 0xbb, 0xbf, 0, 0xff]),
      Buffer.alloc(1_048_576, 'x'),
    ]) {
      const answer = await send(body, {
        'payment-signature': 't=1,v1=ab',
        'stripe-signature': 't=2,v1=cd',
        cookie: 'a=b',
      });
      expect(answer.status).toBe(200);
      expect(received?.body.equals(body)).toBe(true);
      expect(received?.headers).toMatchObject({ 'payment-signature': 't=1,v1=ab', 'stripe-signature': 't=2,v1=cd' });
      expect(received?.headers).not.toHaveProperty('cookie');
    }
  });

  it('is 413 where it is larger, as is any other body beyond 256 KiB', async () => {
    expect((await send(Buffer.alloc(1_048_577, 'x'))).status).toBe(413);
    expect((await send(Buffer.alloc(300_000, ' '), {}, '/v1/payments')).status).toBe(413);
    expect(received).toBeUndefined();
  });

  it('is 415 where it is compressed, or is no JSON', async () => {
    expect((await send('{}', { 'content-encoding': 'gzip' })).status).toBe(415);
    expect((await send('{}', { 'content-type': 'text/plain' })).status).toBe(415);
    expect(received).toBeUndefined();
  });

  it('of any operation is 415 where it is compressed', async () => {
    for (const encoding of ['gzip', 'br', 'deflate', 'gzip, identity'])
      expect((await send('{}', { 'content-encoding': encoding }, '/v1/auth/login')).status, encoding).toBe(415);
    expect(identity.reached).toEqual([]);
  });

  it('alone brings signatures to a service', async () => {
    await send('{}', { 'payment-signature': 't=1,v1=ab' }, '/v1/auth/login');
    expect(identity.reached.at(-1)?.headers).not.toHaveProperty('payment-signature');
  });
});

describe('the answer to a client', () => {
  it('lacks internal headers', async () => {
    const response = await fetch(`${gateway.url}${exports}/headers`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ said: true });
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      etag: '"7"',
      location: '/v1/users/me',
      'retry-after': '3',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    });
    for (const name of ['x-internal-secret', 'x-powered-by', 'proxy-authenticate', 'x-named'])
      expect(headers).not.toHaveProperty(name);
    expect(headers['keep-alive']).not.toBe('timeout=1');
  });

  it('varies by what the service names, and by the origin of the page', async () => {
    const { headers } = await fetch(`${gateway.url}${exports}/headers`, {
      headers: { origin: 'https://shop.example' },
    });
    expect(headers.get('vary')?.split(', ').toSorted()).toEqual(['Authorization', 'Origin']);
  });

  it('to HEAD is that to GET without its body', async () => {
    const response = await fetch(`${gateway.url}${exports}/headers`, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('etag')).toBe('"7"');
    expect(response.headers.get('content-length')).toBe('13');
    expect(await response.text()).toBe('');
  });

  it('is complete where it is large', async () => {
    expect((await (await fetch(`${gateway.url}${exports}/large`)).text()).length).toBe(5_000_000);
  });

  it('is cut off where a service dies in the middle', async () => {
    await expect((await fetch(`${gateway.url}${exports}/cut`)).text()).rejects.toThrow('terminated');
  });

  it('is 503 with Retry-After where a service is too slow', async () => {
    const response = await fetch(`${gateway.url}${exports}/slow`);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.json()).toMatchObject({ code: 'upstream_timeout', requestId: expect.any(String) });
  });

  it.each(['/v1/categories', '/v1/products', '/internal/revocations', '/v1/unknown', '/livez2'])(
    'to %s, which no service answers, is 404',
    async (path) => {
      const response = await fetch(gateway.url + path);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: 'route_not_found' });
      expect(identity.reached).toEqual([]);
    },
  );
});

describe('a live stream', () => {
  const open = async (token: string) => {
    const response = await fetch(`${gateway.url}/v1/notifications/stream`, bearer(token));
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const next = async () => {
      const { done, value } = await reader.read();
      return done ? null : Buffer.from(value).toString();
    };
    return { response, next };
  };

  it('stays open for longer than a service may take for an answer', async () => {
    const { response, next } = await open(await identity.sign());
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(await next()).toBe('data: first\n\n');
    await wait(upstreamTimeoutMs * 1.2);
    send('data: second\n\n');
    expect(await next()).toBe('data: second\n\n');
  });

  it('is answered before its first event', async () => {
    const { headers } = bearer(await identity.sign());
    const stream = `${gateway.url}/v1/notifications/stream`;
    const response = await fetch(stream, { headers: { ...headers, accept: 'nothing/yet' } });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    await response.body?.cancel();
  });

  it('ends when its token is revoked', async () => {
    const user = someone();
    const { next } = await open(await identity.sign(user));
    expect(await next()).toBe('data: first\n\n');
    fake.revoke(user.sub, 2);
    expect(await next()).toBeNull();
  });

  it('ends when its token was revoked and no event says so, and others go on', async () => {
    const user = someone();
    const ended = await open(await identity.sign(user));
    const lasting = await open(await identity.sign());
    expect([await ended.next(), await lasting.next()]).toEqual(['data: first\n\n', 'data: first\n\n']);
    fake.stopFreshness();
    identity.users.set(user.sub, 2);
    expect(await ended.next()).toBeNull();
    // Longer than a stream stays open of whose token nobody knows.
    await wait(2500);
    send('data: second\n\n');
    expect(await lasting.next()).toBe('data: second\n\n');
  });

  it('ends when nobody can say whether its token was revoked', async () => {
    const { next } = await open(await identity.sign());
    expect(await next()).toBe('data: first\n\n');
    fake.stopFreshness();
    isAnswering = false;
    expect(await next()).toBeNull();
  });

  it('ends when its token expires', async () => {
    const { next } = await open(await identity.sign({}, { lifetime: 2 }));
    expect([await next(), await next()]).toEqual(['data: first\n\n', null]);
  });
});

describe('a service that restarts', () => {
  it('delays its callers and fails no request', async () => {
    const stop = new AbortController();
    const seen: number[] = [];
    const callers = Array.from({ length: 8 }, async () => {
      while (!stop.signal.aborted) {
        const response = await fetch(`${gateway.url}/v1/users/me`);
        await response.arrayBuffer();
        seen.push(response.status);
      }
    });
    await eventually(() => seen.length > 50, 'calls to go through');
    for (let restart = 0; restart < 3; restart += 1) {
      await identity.stop();
      const before = seen.length;
      await wait(300);
      await identity.again();
      await eventually(() => seen.length > before + 50, 'calls to go through again');
    }
    stop.abort();
    await Promise.all(callers);
    expect(seen.filter((status) => status !== 200)).toEqual([]);
  });

  it('gets a POST that did not reach it', async () => {
    await identity.stop();
    const answer = fetch(`${gateway.url}/v1/auth/register`, { method: 'POST', body: '{"a":1}', headers: json });
    await wait(200);
    await identity.again();
    expect((await answer).status).toBe(200);
    expect(identity.reached.map(({ method, body }) => ({ method, body }))).toEqual([
      { method: 'POST', body: { a: 1 } },
    ]);
  });

  it('that stays away is 503 with Retry-After', async () => {
    await identity.stop();
    const started = Date.now();
    const response = await fetch(`${gateway.url}/v1/users/me`);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: 'service_unavailable' });
    expect(response.headers.get('retry-after')).toBe('1');
    expect(Date.now() - started).toBeGreaterThanOrEqual(2900);
  });
});

describe('a service that announces that it closes connections', () => {
  it('gets no more requests on any of them, the idle ones included', async () => {
    const waiting: (() => void)[] = [];
    const server = createHttpServer((request, response) => {
      if (answersLivez(request, response)) return;
      response.setHeader('x-request-id', 'r');
      if (request.url === '/v1/products?last') response.setHeader('connection', 'close').end('{}');
      else waiting.push(() => response.end('{}'));
      if (waiting.length === 4) for (const answer of waiting) answer();
    });
    server.keepAliveTimeout = 72_000;
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const open = () => new Promise<number>((done) => server.getConnections((_error, count) => done(count)));
    const second = await startGateway(identity, createFakeBus(), { UPSTREAM_CATALOG: url });
    try {
      const calls = Array.from({ length: 4 }, async () => (await fetch(`${second.url}/v1/products`)).text());
      await Promise.all(calls);
      expect(await open()).toBe(4);
      await (await fetch(`${second.url}/v1/products?last`)).text();
      await eventually(async () => (await open()) === 0, 'the gateway to close its connections');
    } finally {
      await second.close();
      server.closeAllConnections();
      server.close();
    }
  });
});

describe('a service that cuts the connection', () => {
  it.each([
    ['GET', {}, 2],
    ['POST', {}, 1],
    ['POST', { 'idempotency-key': 'once' }, 2],
  ])('is sent a %s with %j %i times', async (method, headers, times) => {
    let requests = 0;
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        if (chunk.toString().startsWith('GET /livez')) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
        else if (++requests === 1) socket.destroy();
        else socket.end('HTTP/1.1 200 OK\r\nx-request-id: 1\r\ncontent-length: 2\r\n\r\n{}');
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const second = await startGateway(identity, createFakeBus(), { UPSTREAM_CATALOG: url });
    try {
      const body = method === 'POST' ? { body: '{}' } : {};
      const response = await fetch(`${second.url}/v1/products`, { method, ...body, headers: { ...json, ...headers } });
      expect(response.status).toBe(times === 2 ? 200 : 503);
      expect(requests).toBe(times);
    } finally {
      await second.close();
      server.close();
    }
  });

  it('before it has answered anything on it is sent a write again: nothing was processed', async () => {
    const received: string[] = [];
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        const [line] = /^.* HTTP\/1\.1$/m.exec(chunk.toString().replaceAll('\r', '')) ?? [];
        if (!line) return;
        received.push(line);
        if (received.length === 1) socket.destroy();
        else socket.write('HTTP/1.1 200 OK\r\nx-request-id: 1\r\ncontent-length: 2\r\n\r\n{}');
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const second = await startGateway(identity, createFakeBus(), { UPSTREAM_CATALOG: url });
    try {
      const response = await fetch(`${second.url}/v1/products`, { method: 'POST', body: '{}', headers: json });
      expect(response.status).toBe(200);
      expect(received).toEqual(['GET /livez HTTP/1.1', 'GET /livez HTTP/1.1', 'POST /v1/products HTTP/1.1']);
    } finally {
      await second.close();
      server.close();
    }
  });
});
