import { gzipSync } from 'node:zlib';
import { operation, operationsOf } from '@storefront/contracts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { bindOperations, type Server } from '../src/index.ts';
import { newServer, tokenOf } from './kit.ts';

const common = {
  method: 'POST',
  access: 'public',
  body: z.strictObject({ name: z.string() }),
  responses: { 200: z.object({ name: z.string() }) },
  tags: ['people'],
  summary: 'Say the name',
} as const;

const operations = operationsOf(
  operation({ ...common, id: 'sayName', path: '/v1/names' }),
  operation({ ...common, id: 'sayNameAsText', path: '/v1/texts', alsoAsText: true }),
);

let server: Server;
beforeEach(() => {
  server = newServer();
  bindOperations(server.app, operations, { sayName: ({ body }) => body, sayNameAsText: ({ body }) => body });
});
afterEach(() => server.app.close());

async function send(url: string, payload: Buffer, headers: Record<string, string> = {}) {
  const sent = { 'content-type': 'application/json', ...(await tokenOf(null)), ...headers };
  const answer = await server.app.inject({ method: 'POST', url, payload, headers: sent });
  return { status: answer.statusCode, body: answer.json() };
}

const jose = '{"name":"Jos\u00e9"}';

it.each([
  ['JSON', '/v1/names', 'application/json'],
  ['JSON of an operation that takes text too', '/v1/texts', 'application/json'],
  ['JSON as text', '/v1/texts', 'text/plain'],
])('%s is UTF-8, and refused where it is something else', async (_what, url, type) => {
  const headers = { 'content-type': type };
  expect(await send(url, Buffer.from(jose), headers)).toEqual({ status: 200, body: { name: 'Jos\u00e9' } });
  for (const bytes of [Buffer.from(jose, 'latin1'), Buffer.from('{"name":"\u{d800}"}', 'utf16le'), Buffer.from([0xff])])
    expect(await send(url, bytes, headers)).toMatchObject({ status: 400, body: { code: 'invalid_encoding' } });
  const overlong = Buffer.from([...Buffer.from('{"name":"'), 0xc0, 0xaf, ...Buffer.from('"}')]);
  expect(await send(url, overlong, headers)).toMatchObject({ status: 400, body: { code: 'invalid_encoding' } });
});

it('a body that is compressed, or said to be, is 415', async () => {
  const encoded = (encoding: string) => ({ 'content-encoding': encoding });
  const refused = { status: 415, body: { code: 'unsupported_media_type' } };
  expect(await send('/v1/names', gzipSync(jose), encoded('gzip'))).toMatchObject(refused);
  expect(await send('/v1/names', Buffer.from(jose), encoded('br'))).toMatchObject(refused);
  expect(await send('/v1/names', Buffer.from(jose), encoded('gzip, identity'))).toMatchObject(refused);
  expect(await send('/v1/names', Buffer.from(jose), encoded('Identity'))).toMatchObject({ status: 200 });
  // Nothing is compressed where there is no body.
  expect(await send('/v1/names', Buffer.alloc(0), encoded('gzip'))).toMatchObject({ status: 400 });
});
