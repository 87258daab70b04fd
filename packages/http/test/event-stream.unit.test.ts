import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { operation, operationsOf } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bindOperations, openEventStream, type Server } from '../src/index.ts';
import { newServer, tokenOf } from './kit.ts';

const operations = operationsOf(
  operation({
    id: 'follow',
    method: 'GET',
    path: '/v1/news',
    access: 'public',
    tags: ['news'],
    summary: 'Follow the news',
    stream: true,
    responses: { 200: { description: 'A stream.', contentType: 'text/event-stream' } },
  }),
);

let server: Server;
let isAsked: boolean;
let ended: AbortController;
let stream: ReturnType<typeof openEventStream> | undefined;
let whatItWaitsFor: PromiseWithResolvers<void>;
beforeEach(() => {
  server = newServer();
  isAsked = false;
  ended = new AbortController();
  whatItWaitsFor = Promise.withResolvers();
  bindOperations(server.app, operations, {
    async follow(request, reply) {
      isAsked = true;
      await whatItWaitsFor.promise;
      stream = openEventStream(request, reply, ended);
    },
  });
});
afterEach(() => server.app.close());

/** A client that has asked for the stream. */
async function newClient() {
  await server.app.listen({ port: 0 });
  const socket = connect((server.app.server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  const token = Object.entries(await tokenOf(null)).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET /v1/news HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n${token.join('')}\r\n`);
  await eventually(() => isAsked, 'the handler to be asked');
  return socket;
}

it('a stream ends when its client leaves', async () => {
  const socket = await newClient();
  whatItWaitsFor.resolve();
  await once(socket, 'data');
  expect(ended.signal.aborted).toBe(false);
  socket.destroy();
  await eventually(() => ended.signal.aborted, 'the end of the stream');
});

it('a stream whose client has left before it began ends at once', async () => {
  const socket = await newClient();
  socket.destroy();
  await eventually(
    () => new Promise<boolean>((resolve) => server.app.server.getConnections((_error, count) => resolve(count === 0))),
    'the client to be gone',
  );
  whatItWaitsFor.resolve();
  await eventually(() => ended.signal.aborted, 'the end of the stream');
  await expect(stream?.send({ event: 'news', data: 'for nobody' })).resolves.toBeUndefined();
});
