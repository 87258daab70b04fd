import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { newInternalKeyPair } from '@storefront/access-token';
import { eventually, plainEnv } from '@storefront/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';

const { privateJwk, publicJwk } = await newInternalKeyPair();
const processes: ChildProcess[] = [];
let silent: Server;
let unanswered: string;

// A server that accepts connections and says nothing, so that waiting for it would last longest.
beforeEach(async () => {
  silent = createServer((socket) => socket.resume().on('error', () => {}));
  unanswered = `127.0.0.1:${await portOf(silent)}`;
});

afterEach(async () => {
  for (const child of processes.splice(0)) child.kill('SIGKILL');
  await new Promise((resolve) => silent.close(resolve));
});

async function portOf(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a service, or the gateway, as an image does, without the servers that it needs. */
async function startWithout(folder: string) {
  const port = await freePort();
  const child = spawn('node', ['--conditions=source', `${folder}/src/main.ts`], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...plainEnv,
      PORT: String(port),
      MONGODB_URL: `mongodb://${unanswered}/none`,
      AMQP_URL: `amqp://${unanswered}`,
      API_SECRET: 'a'.repeat(43),
      API_URL: 'http://127.0.0.1:1',
      INTERNAL_TOKEN_PUBLIC_KEY: JSON.stringify(publicJwk),
      INTERNAL_TOKEN_PRIVATE_KEY: JSON.stringify(privateJwk),
      UPSTREAM_IDENTITY: 'http://127.0.0.1:1',
      UPSTREAM_ACCOUNT: 'http://127.0.0.1:1',
      UPSTREAM_CATALOG: 'http://127.0.0.1:1',
      UPSTREAM_ENGAGEMENT: 'http://127.0.0.1:1',
      UPSTREAM_BILLING: 'http://127.0.0.1:1',
      UPSTREAM_ORDERS: 'http://127.0.0.1:1',
      UPSTREAM_HEALTH: 'http://127.0.0.1:1',
      SERVICES: 'account=http://127.0.0.1:1',
    },
  });
  processes.push(child);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const exited = once(child, 'exit').then(([code, signal]) => code ?? signal);
  return { child, exited, said: () => said, url: `http://127.0.0.1:${port}` };
}

const answers = (url: string) =>
  fetch(`${url}/livez`).then(
    ({ ok }) => ok,
    () => false,
  );

/** The status and headers of an answer to a POST with a body of 200 KB. */
async function post(url: string) {
  const sent = request(`${url}/v1/anything`, { method: 'POST' });
  sent.end(Buffer.alloc(200_000));
  const [response] = await once(sent, 'response');
  response.resume();
  return {
    status: response.statusCode,
    connection: response.headers.connection,
    type: response.headers['content-type'],
  };
}

it.each([
  ['services/account', { database: false, broker: false }],
  ['services/health', { database: false }],
])(
  '%s lives and says what it waits for while that does not answer, and ends with 0 when it is asked to',
  async (folder, waitedFor) => {
    const { child, exited, url, said } = await startWithout(folder);
    await eventually(() => answers(url), `/livez of ${folder}`);
    await eventually(async () => {
      const ready = await fetch(`${url}/readyz`);
      expect(ready.status).toBe(503);
      const { checks } = (await ready.json()) as { checks: Record<string, { ok: boolean }> };
      expect(Object.fromEntries(Object.entries(checks).map(([name, { ok }]) => [name, ok]))).toEqual(waitedFor);
      return true;
    }, `/readyz of ${folder} names all that is missing`);
    // By this a gateway knows that nothing was done, and sends it again.
    expect(await post(url)).toEqual({
      status: 503,
      connection: 'close',
      type: 'application/problem+json; charset=utf-8',
    });

    const asked = performance.now();
    child.kill('SIGTERM');
    expect(await exited, said()).toBe(0);
    expect(performance.now() - asked).toBeLessThan(5000);
  },
);

it('a gateway that waits for the broker refuses connections, and ends with 0 when it is asked to', async () => {
  const connected = once(silent, 'connection');
  const { child, exited, url, said } = await startWithout('gateway');
  await connected;
  expect(await answers(url)).toBe(false);
  child.kill('SIGTERM');
  expect(await exited, said()).toBe(0);
});

it('a signal that comes while a service is still being loaded ends it with 0', async () => {
  const program = `
    import { runService } from '@storefront/process/run';
    setInterval(() => {}, 1000);
    runService(() => new Promise(() => process.stdout.write('loading')));`;
  const child = spawn('node', ['--conditions=source', '--input-type=module', '--eval', program], { stdio: 'pipe' });
  processes.push(child);
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  const [code, signal] = await once(child, 'exit');
  expect(code ?? signal).toBe(0);
});
