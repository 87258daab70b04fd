import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { catalogHttp, newId } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createFakeBus } from './support/fake-bus.ts';
import { someone, startFakeIdentity, type FakeIdentity } from './support/fake-identity.ts';
import { startGateway } from './support/gateway.ts';

const { maxPictureBytes } = catalogHttp;
const upstreamTimeoutMs = 300;
const path = `/v1/products/${newId('prod')}/images`;
let catalog: FakeIdentity;
let gateway: Awaited<ReturnType<typeof startGateway>>;
let staff: string;
/** What has reached the service. */
let reached: { readonly bytes: Buffer; readonly type: string | undefined }[] = [];
const sockets: Socket[] = [];

function routes(app: FastifyInstance): void {
  app.addContentTypeParser(/^image\//, { parseAs: 'buffer', bodyLimit: maxPictureBytes }, (_request, body, done) =>
    done(null, body),
  );
  app.post<{ Body: Buffer | undefined }>('/v1/products/:id/images', async (request, reply) => {
    if (String(request.body) === 'slow') await wait(upstreamTimeoutMs * 3);
    reached.push({ bytes: request.body ?? Buffer.alloc(0), type: request.headers['content-type'] });
    return reply.code(201).send({ bytes: request.body?.length ?? 0 });
  });
}

beforeAll(async () => {
  catalog = await startFakeIdentity(routes);
  const fake = createFakeBus();
  gateway = await startGateway(catalog, fake, {
    UPSTREAM_CATALOG: catalog.url,
    UPSTREAM_TIMEOUT_MS: String(upstreamTimeoutMs),
  });
  fake.keepFresh();
  await eventually(async () => (await fetch(`${gateway.url}/readyz`)).status === 200, 'the gateway to be ready');
  staff = await catalog.sign(someone({ role: 'catalog' }));
});
afterAll(async () => {
  await Promise.all([gateway.close(), catalog.stop()]);
});
beforeEach(() => (reached = []));
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const send = (body: Buffer<ArrayBuffer>, headers: Record<string, string> = {}, token = staff) =>
  fetch(gateway.url + path, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'image/png', ...headers },
  });

/** Begins a request over a connection of its own, and says what has come back on it. */
function begin(length: number, { token, expects = false }: { token?: string; expects?: boolean } = {}) {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  let answer = '';
  let isClosed = false;
  socket.setEncoding('latin1').on('data', (text) => (answer += String(text)));
  socket.on('close', () => (isClosed = true));
  socket.write(
    [
      `POST ${path} HTTP/1.1`,
      'Host: x',
      'Content-Type: image/png',
      `Content-Length: ${length}`,
      ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
      ...(expects ? ['Expect: 100-continue'] : []),
      '',
      '',
    ].join('\r\n'),
  );
  const comes = (text: string) => eventually(() => answer.includes(text), `the answer ${text}`, 10_000);
  return { socket, comes, answer: () => answer, isClosed: () => isClosed };
}

it('passes on a picture of 20 MiB byte for byte, and none that is larger', async () => {
  const picture = Buffer.alloc(maxPictureBytes, 'abc');
  expect((await send(picture)).status).toBe(201);
  expect(reached.map(({ bytes, type }) => [bytes.equals(picture), type])).toEqual([[true, 'image/png']]);
  expect((await send(Buffer.concat([picture, Buffer.from('x')]))).status).toBe(413);
  expect(reached).toHaveLength(1);
});

it('waits for a picture that takes its service longer than other requests may', async () => {
  expect((await send(Buffer.from('slow'))).status).toBe(201);
});

it('takes pictures as such, and for no other operation', async () => {
  const json = await send(Buffer.from('{}'), { 'content-type': 'application/json' });
  expect([json.status, ((await json.json()) as { code: string }).code]).toEqual([415, 'unsupported_media_type']);
  const other = await fetch(`${gateway.url}/v1/products`, {
    method: 'POST',
    body: 'x',
    headers: { authorization: `Bearer ${staff}`, 'content-type': 'image/png' },
  });
  expect(other.status).toBe(415);
  expect(reached).toEqual([]);
});

it('does not read the large body of a caller who may not send it: the service gets the request without it', async () => {
  for (const token of [undefined, await catalog.sign(someone({ role: 'retail' }))]) {
    reached = [];
    const { comes, isClosed } = begin(maxPictureBytes, token === undefined ? {} : { token });
    await comes('HTTP/1.1 201');
    expect(reached).toEqual([{ bytes: Buffer.alloc(0), type: undefined }]);
    await eventually(isClosed, 'the connection to be closed');
  }
});

it('asks a client that waits for its body only where it reads it', async () => {
  const allowed = begin(5, { token: staff, expects: true });
  await allowed.comes('HTTP/1.1 100 Continue');
  expect(reached).toEqual([]);
  allowed.socket.write('12345');
  await allowed.comes('HTTP/1.1 201');
  expect(String(reached[0]?.bytes)).toBe('12345');

  const anonymous = begin(maxPictureBytes, { expects: true });
  await anonymous.comes('HTTP/1.1 201');
  const large = begin(maxPictureBytes + 1, { token: staff, expects: true });
  await large.comes('HTTP/1.1 413');
  for (const { answer } of [anonymous, large]) expect(answer()).not.toContain('100 Continue');
});

it('holds 64 MiB of pictures at once, and has their room again when clients leave', async () => {
  const slow = Array.from({ length: 3 }, () => begin(maxPictureBytes, { token: staff, expects: true }));
  for (const { comes } of slow) await comes('HTTP/1.1 100 Continue');
  const picture = Buffer.alloc(maxPictureBytes);
  const refused = await send(picture);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect((await send(Buffer.from('small'))).status).toBe(201);
  expect((await send(Buffer.alloc(3 * 1024 * 1024))).status).toBe(201);
  for (const { socket } of slow) socket.destroy();
  await eventually(async () => (await send(picture)).status === 201, 'large ones to be taken again');
});
