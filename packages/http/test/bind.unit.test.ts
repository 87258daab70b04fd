import { bodyField, commonErrors, idSchema, notFound, operation, operationsOf } from '@storefront/contracts';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { bindOperations, type Handlers, type RequestOf, type Server } from '../src/index.ts';
import { newServer, tokenOf } from './kit.ts';

const thing = z.object({ id: z.string(), name: z.string() });
const common = { access: 'public', tags: ['things'], summary: 'Does something' } as const;
const params = z.object({ id: idSchema('prod') });

const operations = operationsOf(
  operation({
    ...common,
    id: 'listThings',
    method: 'GET',
    path: '/v1/things',
    query: z.strictObject({ limit: z.coerce.number().int().max(100).default(20) }),
    responses: { 200: z.object({ data: z.array(thing), limit: z.int() }) },
  }),
  operation({
    ...common,
    id: 'createThing',
    method: 'POST',
    path: '/v1/things',
    access: 'user',
    idempotent: true,
    query: z.strictObject({ notify: z.enum(['yes', 'no']).optional() }),
    body: z.strictObject({ name: z.string().max(5), phone: z.string(), tags: z.array(z.string()).default([]) }),
    responses: { 201: thing },
  }),
  operation({
    ...common,
    id: 'putThing',
    method: 'PUT',
    path: '/v1/things/{id}',
    params,
    body: z.strictObject({ name: z.string() }),
    responses: { 200: thing, 201: { body: thing, description: 'It is new.' } },
  }),
  operation({
    ...common,
    id: 'deleteThing',
    method: 'DELETE',
    path: '/v1/things/{id}',
    params,
    responses: { 204: null },
  }),
  operation({
    ...common,
    id: 'getPicture',
    method: 'GET',
    path: '/v1/things/{id}/picture',
    params,
    responses: { 200: { contentType: 'image/png' } },
  }),
  operation({
    ...common,
    id: 'followThings',
    method: 'GET',
    path: '/v1/things/stream',
    stream: true,
    responses: { 200: { contentType: 'text/event-stream' } },
  }),
  operation({
    ...common,
    id: 'receiveBytes',
    method: 'POST',
    path: '/v1/bytes/{id}',
    params,
    rawBody: { contentTypes: ['application/json'], maxBytes: 1024 * 1024, maxBytesAtOnce: 8 * 1024 * 1024 },
    responses: { 200: z.object({ hex: z.string(), length: z.int() }) },
  }),
  operation({ ...common, id: 'startWork', method: 'POST', path: '/v1/work', responses: { 202: null } }),
);

type ThingHandlers = Handlers<typeof operations>;

const handlers: ThingHandlers = {
  listThings: ({ query }) => ({
    data: [{ id: '1', name: 'Mug', secret: 's' } as { id: string; name: string }],
    limit: query.limit,
  }),
  createThing: {
    check: ({ phone, tags = [] }) => [
      ...(phone === undefined || phone.startsWith('+')
        ? []
        : [bodyField('/phone', 'invalid_phone', 'must begin with +')]),
      ...(tags.includes('bad') ? [bodyField('/tags', 'bad_tag', 'is bad')] : []),
    ],
    handle: ({ caller, body }, reply) => {
      void reply.header('location', '/v1/things/1');
      return { id: caller.sub, name: body.name };
    },
  },
  putThing({ params, body }, reply) {
    if (body.name === 'new') void reply.code(201);
    if (body.name === 'absent') throw notFound('thing');
    return { id: params.id, name: body.name };
  },
  deleteThing: () => null,
  getPicture: (_request, reply) => reply.type('image/png').send(Buffer.from('a picture')),
  followThings(_request, reply) {
    reply.hijack();
    reply.raw.end('data: 1\n\n');
  },
  receiveBytes: ({ body }) => ({ hex: body.subarray(0, 20).toString('hex'), length: body.length }),
  startWork: () => null,
};

let server: Server;
beforeEach(() => {
  server = newServer();
  bindOperations(server.app, operations, handlers);
});
afterEach(() => server.app.close());

async function call(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  payload?: object,
  headers: Record<string, string> = {},
) {
  const sent = { ...(await tokenOf('retail')), ...headers };
  return server.app.inject({ method, url, headers: sent, ...(payload ? { payload } : {}) });
}

const mug = 'prod_01h455vb4pex5vsknk084sn02q';

describe('the answer of an operation', () => {
  it('has the status that the operation declares', async () => {
    const created = await call('POST', '/v1/things', { name: 'Mug', phone: '+1' });
    expect([created.statusCode, created.headers['location']]).toEqual([201, '/v1/things/1']);
    expect(created.json()).toEqual({ id: 'user_1', name: 'Mug' });
  });

  it('has the status that the handler sets where there are several', async () => {
    expect((await call('PUT', `/v1/things/${mug}`, { name: 'old' })).statusCode).toBe(200);
    expect((await call('PUT', `/v1/things/${mug}`, { name: 'new' })).statusCode).toBe(201);
  });

  it('has the status of the refusal that the handler throws', async () => {
    const { statusCode, body } = await call('PUT', `/v1/things/${mug}`, { name: 'absent' });
    expect([statusCode, JSON.parse(body).code]).toEqual([404, 'not_found']);
  });

  it('has no content for 204, though the handler returns null', async () => {
    const { statusCode, headers, body } = await call('DELETE', `/v1/things/${mug}`);
    expect([statusCode, headers['content-type'], headers['content-length'], body]).toEqual([
      204,
      undefined,
      undefined,
      '',
    ]);
  });

  it('is empty where the operation declares no content, though the handler returns null', async () => {
    const { statusCode, headers, body } = await call('POST', '/v1/work');
    expect([statusCode, headers['content-type'], body]).toEqual([202, undefined, '']);
  });

  it('may be a stream that the handler sends by itself', async () => {
    const { statusCode, body } = await call('GET', '/v1/things/stream');
    expect([statusCode, body]).toEqual([200, 'data: 1\n\n']);
  });

  it('holds no field that the operation does not declare', async () => {
    const { body } = await call('GET', '/v1/things');
    expect(JSON.parse(body)).toEqual({ data: [{ id: '1', name: 'Mug' }], limit: 20 });
  });

  it('holds bytes where the operation declares no JSON', async () => {
    const { statusCode, headers, body } = await call('GET', `/v1/things/${mug}/picture`);
    expect([statusCode, headers['content-type'], body]).toEqual([200, 'image/png', 'a picture']);
  });
});

describe('the request of an operation', () => {
  it('is what its schemas make of it', async () => {
    expect((await call('GET', '/v1/things?limit=7')).json()).toMatchObject({ limit: 7 });
    expect((await call('GET', '/v1/things?limit=101')).json()).toMatchObject({
      status: 400,
      errors: [{ pointer: '/limit', in: 'query', code: 'too_big' }],
    });
  });

  it('is held to the access that the operation declares', async () => {
    const headers = await tokenOf(null);
    const body = { name: 'Mug', phone: '+1' };
    const { statusCode } = await call('POST', '/v1/things', body, headers);
    expect(statusCode).toBe(401);
  });

  it('is refused with all that is wrong: in headers, query and body, for the schemas and for the domain', async () => {
    const body = { name: 'too long', phone: '020 7946', tags: ['bad'], role: 'admin' };
    const answer = await call('POST', '/v1/things?notify=maybe&extra=1', body, { 'idempotency-key': 'a b' });
    expect(answer.statusCode).toBe(400);
    const { code, errors } = answer.json();
    expect(code).toBe('validation_failed');
    const found = errors.map((error: { in: string; pointer: string; code: string }) =>
      [error.in, error.pointer, error.code].join(' '),
    );
    expect(found.toSorted()).toEqual([
      'body /name too_big',
      'body /phone invalid_phone',
      'body /role unknown_field',
      'body /tags bad_tag',
      'header /idempotency-key invalid_value',
      'query /extra unknown_field',
      'query /notify invalid_value',
    ]);
  });

  it('is not judged by the domain in fields that can not be read', async () => {
    const { errors } = (await call('POST', '/v1/things', { name: 'Mug', phone: 7 })).json();
    expect(errors).toMatchObject([{ pointer: '/phone', code: 'invalid_type' }]);
  });

  it('is refused by the domain alone, too', async () => {
    const answer = await call('POST', '/v1/things', { name: 'Mug', phone: '020' });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors).toEqual([bodyField('/phone', 'invalid_phone', 'must begin with +')]);
  });

  it('gets 404 for a malformed id before anything else is looked at', async () => {
    const malformed = await call('PUT', '/v1/things/nonsense', { name: 7, more: 1 });
    expect(malformed.statusCode).toBe(404);
    expect(malformed.json()).toMatchObject({ code: 'not_found', detail: commonErrors.notFound().message });
    expect(malformed.json()).not.toHaveProperty('errors');
  });
});

describe('the bytes of a body', () => {
  const sendBytes = async (payload: Buffer | undefined, headers: Record<string, string>, id = mug) =>
    server.app.inject({
      method: 'POST',
      url: `/v1/bytes/${id}`,
      headers: { ...(await tokenOf(null)), ...headers },
      ...(payload ? { payload } : {}),
    });
  const json = { 'content-type': 'application/json' };

  it('reach the handler as they were sent, whether they are JSON or not', async () => {
    for (const bytes of [Buffer.from('{ "a" : 1.0, "a":2 }\n'), Buffer.from([0xef, 0xbb, 0xbf, 0, 0xff, 0x7b])]) {
      const answer = await sendBytes(bytes, json);
      expect([answer.statusCode, answer.json().hex]).toEqual([200, bytes.subarray(0, 20).toString('hex')]);
    }
    expect((await sendBytes(Buffer.from('{}'), { 'content-type': 'application/json; charset=utf-8' })).statusCode).toBe(
      200,
    );
  });

  it('may be more than those of other operations, up to the limit of their own', async () => {
    const largest = Buffer.alloc(1024 * 1024, ' ');
    expect((await sendBytes(largest, json)).json()).toMatchObject({ length: 1024 * 1024 });
    expect((await sendBytes(Buffer.concat([largest, Buffer.from(' ')]), json)).statusCode).toBe(413);
    const other = await call('PUT', `/v1/things/${mug}`, { name: 'x'.repeat(300 * 1024) });
    expect(other.statusCode).toBe(413);
  });

  it('are none where there is no body', async () => {
    expect((await sendBytes(undefined, {})).json()).toEqual({ hex: '', length: 0 });
  });

  it('are refused with another content type, and compressed', async () => {
    for (const headers of [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { ...json, 'content-encoding': 'gzip' },
    ])
      expect((await sendBytes(Buffer.from('{}'), headers)).statusCode).toBe(415);
    expect((await sendBytes(Buffer.from('{}'), { ...json, 'content-encoding': 'identity' })).statusCode).toBe(200);
  });
});

describe('the types of handlers', () => {
  it('know what the operation declares', () => {
    expectTypeOf<RequestOf<typeof operations.listThings>['query']>().toEqualTypeOf<{ limit: number }>();
    expectTypeOf<RequestOf<typeof operations.putThing>['params']>().toEqualTypeOf<{ id: string }>();
    expectTypeOf<RequestOf<typeof operations.createThing>['body']>().toEqualTypeOf<{
      name: string;
      phone: string;
      tags: string[];
    }>();
  });

  it('know that a caller of an operation that is not public is logged in', () => {
    expectTypeOf<RequestOf<typeof operations.createThing>['caller']>().not.toBeNullable();
    expectTypeOf<RequestOf<typeof operations.listThings>['caller']>().toBeNullable();
  });

  it('refuse a missing handler, one for no operation, and an answer that is not as declared', () => {
    const { startWork: _left, ...missing } = handlers;
    // @ts-expect-error startWork has no handler
    expectTypeOf(missing).toExtend<ThingHandlers>();
    // @ts-expect-error no operation is called more
    const more: ThingHandlers = { ...handlers, more: () => null };
    // @ts-expect-error the answer has no name
    const wrong: ThingHandlers['putThing'] = ({ params: { id } }) => ({ id });
    expect([more, wrong]).toHaveLength(2);
  });
});
