import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { serveWhileStarting } from '../src/starting.ts';

const host = '127.0.0.1';

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, host), 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

it('the port goes to the service without a connection being cut', async () => {
  const port = await freePort();
  const starting = serveWhileStarting({ host, port, signal: new AbortController().signal });
  await starting.waitFor('database', Promise.resolve());
  const early = connect(port, host);
  await once(early, 'connect');
  // Connected by the system, and not accepted yet: the process has had no time to.
  const busy = connect(port, host);
  busy.write('GET /v1/second HTTP/1.1\r\nhost: x\r\n\r\n');
  await new Promise<void>((resolve) => process.nextTick(resolve));

  await starting.freePort();
  const service = createHttpServer((_request, response) => void response.end('of the service'));
  onTestFinished(() => void service.close());
  await once(service.listen(port, host), 'listening');

  early.write('GET /v1/first HTTP/1.1\r\nhost: x\r\n\r\n');
  for (const socket of [early, busy]) expect(await text(socket)).toMatch(/^HTTP\/1\.1 503 [^{]*connection: close/i);
  expect(await (await fetch(`http://${host}:${port}/v1/third`)).text()).toBe('of the service');
});

it('port 0, which nobody knows, is not served', async () => {
  const starting = serveWhileStarting({ host, port: 0, signal: new AbortController().signal });
  expect(await starting.waitFor('database', Promise.resolve('opened'))).toBe('opened');
  await starting.freePort();
});

it('waiting ends with the reason when the process is to end', async () => {
  const ending = new AbortController();
  const starting = serveWhileStarting({ host, port: 0, signal: ending.signal });
  const waiting = starting.waitFor('database', new Promise(() => {}));
  ending.abort(new Error('asked to end'));
  await expect(waiting).rejects.toThrow('asked to end');
  await expect(starting.waitFor('broker', new Promise(() => {}))).rejects.toThrow('asked to end');
});
