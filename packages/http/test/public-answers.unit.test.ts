import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { operation, operationsOf } from '@storefront/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bindOperations, sendVersioned, type Handlers, type Server } from '../src/index.ts';
import { newServer, tokenOf } from './kit.ts';

const common = { method: 'GET', access: 'public', tags: [], summary: '' } as const;
const operations = operationsOf(
  operation({
    ...common,
    id: 'list',
    path: '/v1/things',
    optionalToken: true,
    publicSeconds: 30,
    query: z.object({ length: z.coerce.number() }),
    responses: { 200: z.object({ text: z.string(), role: z.string() }) },
  }),
  operation({
    ...common,
    id: 'get',
    path: '/v1/thing',
    versioned: true,
    publicSeconds: 60,
    responses: { 200: z.object({ name: z.string() }) },
  }),
  operation({ ...common, id: 'other', path: '/v1/other', responses: { 200: z.object({ text: z.string() }) } }),
);
const handlers: Handlers<typeof operations> = {
  list: ({ query, caller }) => ({ text: 'x'.repeat(query.length), role: caller?.role ?? 'nobody' }),
  get: (request, reply) => sendVersioned(request, reply, 3, { name: 'Mug' }),
  other: () => ({ text: 'x'.repeat(5000) }),
};

let server: Server;
beforeEach(() => {
  server = newServer();
  bindOperations(server.app, operations, handlers);
});
afterEach(() => server.app.close());

async function get(url: string, headers: Record<string, string> = {}, role: 'trade' | null = null) {
  return server.app.inject({ url, headers: { ...(await tokenOf(role)), ...headers } });
}

describe('an answer that is alike for everybody', () => {
  it('may be kept by caches, by what it depends on', async () => {
    const { headers } = await get('/v1/things?length=1');
    expect([headers['cache-control'], headers.vary]).toEqual(['public, max-age=30', 'Authorization, accept-encoding']);
    const alike = await get('/v1/thing', {}, 'trade');
    expect([alike.headers['cache-control'], alike.headers.vary]).toEqual(['public, max-age=60', 'accept-encoding']);
  });

  it('is 304 where the client has it, and has its own tag where it has one', async () => {
    const first = await get('/v1/things?length=1');
    const etag = String(first.headers.etag);
    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    const again = await get('/v1/things?length=1', { 'if-none-match': etag });
    expect([again.statusCode, again.body, again.headers['cache-control']]).toEqual([304, '', 'public, max-age=30']);
    const changed = await get('/v1/things?length=2', { 'if-none-match': etag });
    expect([changed.statusCode, changed.headers.etag === etag]).toEqual([200, false]);
    const versioned = await get('/v1/thing', { 'if-none-match': '"3"' });
    expect([versioned.statusCode, versioned.headers.etag]).toEqual([304, '"3"']);
  });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('is compressed by %s from 1 KiB on', async (encoding, decompress) => {
    for (const length of [2000, 100_000]) {
      const { headers, rawPayload } = await get(`/v1/things?length=${length}`, { 'accept-encoding': encoding });
      expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'Authorization, accept-encoding']);
      expect(JSON.parse(decompress(rawPayload).toString())).toEqual({ text: 'x'.repeat(length), role: 'nobody' });
    }
    const short = await get('/v1/things?length=900', { 'accept-encoding': encoding });
    expect([short.headers['content-encoding'], short.json().text.length]).toEqual([undefined, 900]);
  });

  it('is not compressed for a client that does not ask for it', async () => {
    expect((await get('/v1/things?length=2000')).headers['content-encoding']).toBeUndefined();
  });
});

it('a personal answer has no time for caches', async () => {
  const { headers, body } = await get('/v1/things?length=1', {}, 'trade');
  expect(body).toContain('trade');
  expect([headers['cache-control'], headers.vary]).toEqual([undefined, 'Authorization, accept-encoding']);
});

it('a refusal has neither time nor tag', async () => {
  const { statusCode, headers } = await get('/v1/things?length=x');
  expect([statusCode, headers['cache-control'], headers.etag]).toEqual([400, undefined, undefined]);
});

it('an answer of any other operation is neither kept nor compressed', async () => {
  const { headers } = await get('/v1/other', { 'accept-encoding': 'gzip, br' });
  expect([headers['cache-control'], headers.etag, headers['content-encoding']]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
