import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { expect, onTestFinished, test } from 'vitest';
import { BackingError, findMongod, freePort, startMongod } from '@storefront/backing';
import { eventually } from '@storefront/testing/eventually';
import { temporaryFolder } from './folder.ts';

const silent = () => undefined;
const binary = await findMongod(silent);

async function withClient<Answer>(url: string, use: (client: mongoose.mongo.MongoClient) => Promise<Answer>) {
  const client = await mongoose.mongo.MongoClient.connect(url);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

const insert = (url: string, id: string) =>
  withClient(url, (client) => client.db('shop').collection<{ _id: string }>('things').insertOne({ _id: id }));
const things = (url: string) =>
  withClient(url, async (client) =>
    (await client.db('shop').collection('things').find().toArray()).map(({ _id }) => _id),
  );

test('MongoDB is a primary and keeps address and data over SIGKILL, restart and a second start', async () => {
  const dataDir = await temporaryFolder();
  const exits: string[] = [];
  const first = await startMongod({ binary, dataDir, onExit: (detail) => exits.push(detail) });
  onTestFinished(() => first.close());
  const hello = await withClient(first.url, (client) => client.db('admin').command({ hello: 1 }));
  expect(hello).toMatchObject({ isWritablePrimary: true, setName: 'rs0' });
  await insert(first.url, 'before the kill');

  const killed = first.pid;
  process.kill(killed, 'SIGKILL');
  await eventually(() => exits.length > 0, 'the report that mongod was killed');
  expect(exits).toEqual([expect.stringContaining('SIGKILL')]);
  await first.restart();
  expect(first.pid).not.toBe(killed);
  await insert(first.url, 'after the restart');
  await first.close();
  expect(exits).toHaveLength(1);

  const second = await startMongod({ binary, dataDir });
  onTestFinished(() => second.close());
  expect(second.url).toBe(first.url);
  expect(await things(second.url)).toEqual(['before the kill', 'after the restart']);
});

test('data that was used with another port works with a new port', async () => {
  const dataDir = await temporaryFolder();
  const first = await startMongod({ binary, dataDir });
  await insert(first.url, 'kept');
  await first.close();
  const occupant = createServer((socket) => socket.destroy()).listen(Number(new URL(first.url).port), '127.0.0.1');
  onTestFinished(() => void occupant.close());
  await once(occupant, 'listening');

  const second = await startMongod({ binary, dataDir });
  onTestFinished(() => second.close());
  expect(second.url).not.toBe(first.url);
  expect(await things(second.url)).toEqual(['kept']);
});

test('a program that is no mongod is reported with its last output', async () => {
  const dataDir = await temporaryFolder();
  const wrong = join(dataDir, 'mongod');
  await writeFile(wrong, '#!/bin/sh\necho "this is no database"\nexit 3\n', { mode: 0o755 });
  await expect(startMongod({ binary: wrong, dataDir })).rejects.toThrow(
    /mongod did not start on .* \(ended with exit code 3\): read its last lines.*\nthis is no database$/,
  );
  await expect(startMongod({ binary: join(dataDir, 'absent'), dataDir })).rejects.toThrow(
    /absent can't be run: .*Put a working mongod/,
  );
});

test('a port in use and a folder in use are reported with clear messages', async () => {
  const dataDir = await temporaryFolder();
  const running = await startMongod({ binary, dataDir });
  onTestFinished(() => running.close());
  const port = Number(new URL(running.url).port);
  await expect(startMongod({ binary, dataDir: await temporaryFolder(), port })).rejects.toThrow(
    new BackingError(`Port ${port} for MongoDB is in use: end what listens there or choose another port.`),
  );
  await expect(startMongod({ binary, dataDir })).rejects.toThrow(
    new BackingError(
      `MongoDB already runs on ${dataDir} (process ${running.pid}): stop it, or set DATA_DIR to another folder.`,
    ),
  );
});

test('a folder that can not be written to is reported with a clear message', async () => {
  const folder = await temporaryFolder();
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'file'), '');
  await expect(startMongod({ binary, dataDir: join(folder, 'file', 'mongodb') })).rejects.toThrow(
    /MongoDB can't keep its data in .*: set DATA_DIR to a folder that you may write to\.$/,
  );
});

test('a free port can be required', async () => {
  const port = await freePort();
  const server = await startMongod({ binary, dataDir: await temporaryFolder(), port });
  onTestFinished(() => server.close());
  expect(server.url).toBe(`mongodb://127.0.0.1:${port}/?replicaSet=rs0`);
});
