import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@storefront/backing';
import { expect, it, onTestFinished } from 'vitest';
import { createLoggers } from './logs.ts';
import { startStack, type StackOptions } from './stack.ts';

async function temporaryFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'storefront-failing-start-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

async function listen(port = 0): Promise<Server> {
  const server = createServer((socket) => void socket.on('error', () => undefined)).listen(port, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return server;
}

/** Returns the sentence with which the start fails, and how many lines of progress were before it. */
async function failureOf(options: Pick<StackOptions, 'env' | 'dataDir' | 'gateways'>) {
  const lines: string[] = [];
  const message = await startStack({ ...options, say: (line) => lines.push(line) }).then(
    () => 'it started',
    (error: Error) => `${error.name}: ${error.message}`,
  );
  return { message, lines };
}

it('names a level of logs that there is none of', () => {
  expect(() => createLoggers('loud', 'people')).toThrow(
    'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, not "loud".',
  );
});

it('says that a DATA_DIR is a file, can not be made, or can not be written to, and starts nothing', async () => {
  const file = join(await temporaryFolder(), 'file');
  await writeFile(file, '');
  // Nobody can write to /proc, not even the administrator of a machine.
  for (const dataDir of [file, join(file, 'below'), '/proc/storefront/data', '/proc'])
    expect(await failureOf({ env: { PORT: '0' }, dataDir })).toEqual({
      message: expect.stringMatching(
        new RegExp(
          `^BackingError: npm start can't keep its data in ${dataDir} \\(E[A-Z]+: .+\\): ` +
            'set DATA_DIR to a folder that you may write to.$',
        ),
      ),
      lines: [],
    });
});

it('says which neighbouring port of several gateways is in use, and starts nothing', async () => {
  const port = await freePort();
  await listen(port + 1);
  const dataDir = await temporaryFolder();
  expect(await failureOf({ env: { PORT: String(port) }, dataDir, gateways: 2 })).toEqual({
    message:
      `StackError: Port ${port + 1} of gateway 2 is in use: end what listens there, or choose another port, ` +
      `as in PORT=${port + 2} npm start (PORT=0 takes any free one).`,
    lines: [],
  });
  expect((await failureOf({ env: { PORT: '65535' }, dataDir, gateways: 2 })).message).toMatch(
    /^StackError: PORT=65535 leaves no ports for 2 gateways|^StackError: Port 65535 is in use/,
  );
});

it('says that nothing answers at MONGODB_URL, and starts nothing', async () => {
  const server = await listen();
  const { port } = server.address() as AddressInfo;
  const dataDir = await temporaryFolder();
  const env = { PORT: '0', MONGODB_URL: `mongodb://ann:secret@127.0.0.1:${port}/?serverSelectionTimeoutMS=300` };
  expect(await failureOf({ env, dataDir })).toEqual({
    message: expect.stringMatching(
      new RegExp(
        `^BackingError: MongoDB at 127.0.0.1:${port} \\(from MONGODB_URL\\) can't be used \\(.+\\): start it, ` +
          'set MONGODB_URL to another one, or leave it away to have one started.$',
      ),
    ),
    lines: [],
  });
  expect(await readdir(dataDir)).toEqual(['state.json']);
});
