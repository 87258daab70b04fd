import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '@storefront/testing';
import { fastify, type FastifyInstance } from 'fastify';
import { Pool, type Dispatcher } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { LocalService } from '../src/local-service.ts';

const large = Buffer.alloc(3_000_000, 'a');
const token = ['x-internal-token', 'a token'];
const json = ['content-type', 'application/json'];
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

interface Reached {
  readonly app: FastifyInstance;
  readonly local: LocalService;
  readonly overHttp: Pool;
  /** What the service has noticed, in order. */
  readonly seen: string[];
}

async function reach(timeoutMs = 60_000): Promise<Reached> {
  const app = fastify();
  const seen: string[] = [];
  app.addHook('onResponse', async (request) => void seen.push(`answered ${request.url}`));
  app.get('/things/:id', async (request, reply) =>
    reply.headers({ etag: '"7"', vary: 'accept' }).send({ ...(request.params as object), query: request.query }),
  );
  app.post('/things', async (request, reply) =>
    reply
      .code(201)
      .header('set-cookie', ['a=1', 'b=2'])
      .send({ token: request.headers['x-internal-token'], body: request.body }),
  );
  app.delete('/things/:id', async (_request, reply) => reply.code(204).send());
  app.get('/large', async () => large);
  app.get('/stream', async (_request, reply) =>
    reply.type('text/plain').send(Readable.from(['one ', 'two ', 'three'])),
  );
  app.get('/broken', async (_request, reply) =>
    reply.send(
      Readable.from(
        (async function* () {
          yield 'the beginning';
          throw new Error('no more of it');
        })(),
      ),
    ),
  );
  app.get('/late', async (_request, reply) => {
    await new Promise((resolve) => reply.raw.once('close', resolve));
    void reply.send({ too: 'late' });
    seen.push('sent');
    return reply;
  });
  app.get('/silent', (_request, reply) => {
    seen.push('asked');
    reply.raw.once('close', () => seen.push('left'));
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const local = new LocalService((request, answer) => app.routing(request, answer), timeoutMs);
  const overHttp = new Pool(url);
  closing.push(
    () => app.close(),
    () => overHttp.destroy(),
    () => local.destroy(),
  );
  return { app, local, overHttp, seen };
}

async function ask(
  dispatcher: Dispatcher,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: string,
  headers = json,
) {
  const answer = await dispatcher.request({
    method,
    path,
    headers: [...token, ...(body === undefined ? [] : headers)],
    body: body === undefined ? null : Buffer.from(body),
  });
  const { date: _date, connection: _connection, 'keep-alive': _keepAlive, ...rest } = answer.headers;
  const { 'transfer-encoding': _encoding, ...named } = rest;
  return { status: answer.statusCode, headers: named, text: await answer.body.text() };
}

describe('a service of the same process', () => {
  it.each([
    ['GET', '/things/7?q=%C3%A9', undefined, json],
    ['POST', '/things', '{"name":"Löffel"}', json],
    ['POST', '/things', '{"name":', json],
    ['POST', '/things', 'a: 1', ['content-type', 'text/yaml']],
    ['DELETE', '/things/7', undefined, json],
    ['GET', '/nothing', undefined, json],
    ['GET', '/stream', undefined, json],
    ['GET', '/large', undefined, json],
  ] as const)('answers as it does over HTTP: %s %s %s', async (method, path, body, headers) => {
    const { local, overHttp } = await reach();
    const answer = await ask(local, method, path, body, [...headers]);
    expect(answer).toEqual(await ask(overHttp, method, path, body, [...headers]));
    expect(answer.status).toBeGreaterThanOrEqual(200);
  });

  it('takes headers as an object too', async () => {
    const { local } = await reach();
    const headers = { 'x-internal-token': 'a token', 'content-type': 'application/json' };
    const answer = await local.request({ method: 'POST', path: '/things', headers, body: Buffer.from('{}') });
    expect(await answer.body.json()).toEqual({ token: 'a token', body: {} });
  });

  it('knows when an answer has been taken', async () => {
    const { local, seen } = await reach();
    await ask(local, 'GET', '/things/7');
    await eventually(() => seen.length > 0, 'the service to notice the end of its answer');
    expect(seen).toEqual(['answered /things/7']);
    await local.close();
  });

  it('waits while its answer is not taken', async () => {
    const { local, seen } = await reach();
    let taken = 0;
    const { promise: paused, resolve: onPaused } = Promise.withResolvers<Dispatcher.DispatchController>();
    const { promise: ended, resolve: onEnded } = Promise.withResolvers<void>();
    local.dispatch(
      { method: 'GET', path: '/stream', headers: [] },
      {
        onResponseData(controller, chunk) {
          taken += chunk.length;
          controller.pause();
          onPaused(controller);
        },
        onResponseEnd: () => onEnded(),
      },
    );
    const controller = await paused;
    await new Promise((resolve) => setImmediate(resolve));
    expect(taken).toBe('one '.length);
    const goOn = setInterval(() => controller.resume(), 1);
    await ended;
    clearInterval(goOn);
    expect(taken).toBe('one two three'.length);
    await eventually(() => seen.includes('answered /stream'), 'the service to notice the end of its answer');
  });

  it('answers nobody who has been told that there is no answer', async () => {
    const { local, seen } = await reach(20);
    const told: string[] = [];
    local.dispatch(
      { method: 'GET', path: '/late', headers: [] },
      {
        onResponseStart: () => void told.push('an answer'),
        onResponseError: (_controller, error) => void told.push(error.name),
      },
    );
    await eventually(() => seen.includes('sent'), 'the service to answer');
    expect(told).toEqual(['HeadersTimeoutError']);
  });

  it('notices that the caller has left', async () => {
    const { local, seen } = await reach();
    const left = new AbortController();
    const answer = local.request({ method: 'GET', path: '/silent', headers: [], signal: left.signal });
    await eventually(() => seen.includes('asked'), 'the request to arrive');
    left.abort(new Error('enough'));
    await expect(answer).rejects.toThrow('enough');
    await eventually(() => seen.includes('left'), 'the service to notice');
    await local.close();
  });

  it('fails like a connection: without an answer in time, with an answer that breaks off, and once it is destroyed', async () => {
    const { local } = await reach(200);
    const code = (path: string) =>
      ask(local, 'GET', path).then(
        () => 'answered',
        (error: unknown) => (error as { code: string }).code,
      );
    expect(await code('/silent')).toBe('UND_ERR_HEADERS_TIMEOUT');
    expect(await code('/broken')).toBe('UND_ERR_SOCKET');
    const { local: patient, seen } = await reach();
    const hasty = patient.request({ method: 'GET', path: '/silent', headers: [], headersTimeout: 50 });
    await expect(Promise.race([hasty, wait(10_000)])).rejects.toMatchObject({ code: 'UND_ERR_HEADERS_TIMEOUT' });
    seen.length = 0;
    const cutOff = patient.request({ method: 'GET', path: '/silent', headers: [] });
    await eventually(() => seen.includes('asked'), 'the request to arrive');
    await patient.destroy();
    await expect(cutOff).rejects.toMatchObject({ code: 'UND_ERR_DESTROYED' });
  });

  it('refuses like a closing server while it closes', async () => {
    const { app, local } = await reach();
    const hanging = local.request({ method: 'GET', path: '/silent', headers: [] }).catch(() => undefined);
    const closed = app.close();
    const refused = await eventually(async () => {
      const answer = await local.request({ method: 'GET', path: '/things/7', headers: [] });
      await answer.body.dump();
      return answer.statusCode === 503 ? answer : null;
    }, 'the refusal');
    expect(refused.headers).toMatchObject({ connection: 'close' });
    expect(refused.headers).not.toHaveProperty('x-request-id');
    await local.destroy();
    await Promise.all([hanging, closed]);
  });
});
