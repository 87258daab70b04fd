import { Agent, request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Server } from '../src/index.ts';
import { newServer, tokenOf } from './kit.ts';

let server: Server;
let url: string;
let connections: number;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

beforeEach(async () => {
  server = newServer();
  server.app.post('/v1/things', { config: { access: 'public' } }, () => ({}));
  connections = 0;
  server.app.server.on('connection', () => (connections += 1));
  url = await server.listen('127.0.0.1', 0);
});
afterEach(() => server.drain());

/** Sends a body that a gateway would send on its one connection. */
async function post(body: string, length = body.length): Promise<[number | undefined, string | undefined]> {
  const headers = { 'content-type': 'application/json', 'content-length': length, ...(await tokenOf(null)) };
  const sent = request(`${url}/v1/things`, { agent, method: 'POST', headers });
  sent.on('error', () => undefined);
  sent.write(body);
  if (length === body.length) sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'close');
  return [response.statusCode, response.headers.connection ?? 'keep-alive'];
}

it('a body that can not be parsed leaves the connection as it is', async () => {
  for (const body of ['{', '{"a":1}', '"\\u', '{}'])
    expect(await post(body), body).toEqual([body.endsWith('}') ? 200 : 400, 'keep-alive']);
  expect(connections).toBe(1);
});

it('a body that was not read whole closes the connection', async () => {
  expect(await post('{', 300 * 1024)).toEqual([413, 'close']);
});
