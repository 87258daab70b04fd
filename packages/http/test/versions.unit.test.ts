import { afterEach, beforeEach, expect, it } from 'vitest';
import { sendVersioned, type Server } from '../src/index.ts';
import { newServer, tokenOf } from './kit.ts';

let server: Server;
beforeEach(() => {
  server = newServer();
  server.app.get('/v1/thing', { config: { access: 'public' } }, (request, reply) =>
    sendVersioned(request, reply, 3, { name: 'Mug' }),
  );
});
afterEach(() => server.app.close());

it.each([
  ['"3"', 304],
  ['W/"3"', 304],
  ['"1", "3"', 304],
  ['*', 304],
  ['"1"', 200],
  ['"*"', 200],
])('If-None-Match: %s is answered %i', async (known, status) => {
  const headers = { ...(await tokenOf(null)), 'if-none-match': known };
  const answer = await server.app.inject({ url: '/v1/thing', headers });
  expect([answer.statusCode, answer.headers.etag]).toEqual([status, '"3"']);
});
