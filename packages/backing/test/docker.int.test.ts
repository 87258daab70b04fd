import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connect } from 'amqplib';
import mongoose from 'mongoose';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { startBacking } from '@storefront/backing';
import { eventually } from '@storefront/testing/eventually';
import { temporaryFolder } from './folder.ts';
import { startParent } from './parent.ts';
import { mongodbImage, rabbitmqImage } from '../src/docker.ts';
import { onPath } from '../src/process/programs.ts';

const run = promisify(execFile);
const docker = await onPath('docker');

/** Why no container can be started here; undefined where one can. An engine that hangs is given up after 10 s. */
async function whyNot(): Promise<string | undefined> {
  if (docker === undefined) return 'There is no Docker on this machine.';
  try {
    await run(docker, ['image', 'inspect', mongodbImage, rabbitmqImage], { timeout: 10_000, killSignal: 'SIGKILL' });
    return undefined;
  } catch (error) {
    const said = String((error as { stderr?: string }).stderr).trim();
    return `Docker has not both ${mongodbImage} and ${rabbitmqImage}: ${said || 'no answer within 10 s'}`;
  }
}
const reason = await whyNot();
// Each test starts two containers, and Docker may be slow where much else runs.
const timeout = 600_000;

beforeEach(({ skip }) => {
  if (reason !== undefined) skip(reason);
});

/** A PATH and a cache with nothing but Docker, as on a machine without MongoDB and RabbitMQ. */
async function nothingButDocker(): Promise<{ PATH: string; XDG_CACHE_HOME: string }> {
  const folder = await temporaryFolder();
  const programs = join(folder, 'programs');
  await mkdir(programs);
  await symlink(docker ?? '', join(programs, 'docker'));
  return { PATH: programs, XDG_CACHE_HOME: join(folder, 'cache') };
}

function stub(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

const containersIn = (text: string) => text.match(/storefront-(?:mongo|rabbitmq)-[0-9a-f]+/g) ?? [];

/** Those of the containers that the engine still knows, running or not. */
async function left(names: readonly string[]): Promise<string[]> {
  const filters = names.flatMap((name) => ['--filter', `name=${name}`]);
  const { stdout } = await run(docker ?? '', ['ps', '--all', '--format', '{{.Names}}', ...filters]);
  return stdout.split('\n').filter(Boolean);
}

test('with Docker alone both servers are containers on loopback, which go with their data', { timeout }, async () => {
  stub(await nothingButDocker());
  const lines: string[] = [];
  const options = { env: {}, dataDir: await temporaryFolder(), bus: 'rabbitmq' as const };
  const backing = await startBacking({ ...options, say: (line) => lines.push(line) });
  onTestFinished(() => backing.close());
  const { mongodb, broker } = backing;
  const names = containersIn(`${mongodb.described} ${broker.described}`);
  expect(await left(names)).toHaveLength(2);
  expect([mongodb.url, broker.url, broker.managementUrl].map((url) => new URL(url ?? '').hostname)).toEqual(
    Array.from({ length: 3 }, () => '127.0.0.1'),
  );

  // A client that followed the configuration of the replica set would not find the server.
  const client = await mongoose.mongo.MongoClient.connect(mongodb.url);
  onTestFinished(() => client.close());
  const things = client.db('shop').collection<{ _id: string }>('things');
  await client.withSession((session) =>
    session.withTransaction(() => things.insertOne({ _id: 'of a transaction' }, { session })),
  );
  expect(await things.countDocuments()).toBe(1);
  const lifetime = { getParameter: 1, transactionLifetimeLimitSeconds: 1 };
  expect(await client.db('admin').command(lifetime)).toMatchObject({ transactionLifetimeLimitSeconds: 5 });

  const connection = await connect(broker.url ?? '');
  const { version } = connection.connection.serverProperties;
  await connection.close();
  const { origin, username, password } = new URL(broker.managementUrl ?? '');
  const overview = await fetch(`${origin}/api/overview`, {
    headers: { authorization: `Basic ${btoa(`${username}:${password}`)}`, connection: 'close' },
  });
  expect(await overview.json()).toMatchObject({ rabbitmq_version: version });

  await backing.close();
  expect(await left(names)).toEqual([]);
  expect(lines).toContainEqual(expect.stringContaining('its data goes when it stops'));
});

test('the containers of a killed parent are removed', { timeout }, async () => {
  const folder = await temporaryFolder();
  const { parent, described } = await startParent(
    { dataDir: join(folder, 'data'), removed: join(folder, 'removed'), bus: 'rabbitmq' },
    { ...process.env, ...(await nothingButDocker()) },
  );
  const names = containersIn(described.join(' '));
  expect(await left(names)).toHaveLength(2);
  parent.kill('SIGKILL');
  await eventually(async () => (await left(names)).length === 0, 'the removal of the containers', 60_000);
});

test('where Docker can not start a container, a line says so and the next way is taken', { timeout }, async () => {
  stub({
    ...(await nothingButDocker()),
    // Images come from a registry that is not there, and downloads from a site that is not there.
    TESTCONTAINERS_HUB_IMAGE_NAME_PREFIX: '127.0.0.1:1/absent/',
    MONGOMS_DOWNLOAD_MIRROR: 'http://127.0.0.1:1',
  });
  const lines: string[] = [];
  const start = (env: Readonly<Record<string, string>>) =>
    temporaryFolder().then((dataDir) => startBacking({ env, dataDir, say: (line) => lines.push(line) }));
  const backing = await start({ MONGODB_URL: 'mongodb://db.example.com' });
  onTestFinished(() => backing.close());
  expect(backing.broker).toEqual({ described: 'in-process' });
  expect(lines).toContainEqual(expect.stringMatching(/^Docker answers but could not start rabbitmq:4-management: ./));
  expect(lines).toContainEqual(expect.stringMatching(/^WARNING: no RabbitMQ/));

  lines.length = 0;
  // There is no Python on the PATH either, so the last way fails, and says what to do.
  await expect(start({ AMQP_URL: 'amqp://broker.example.com' })).rejects.toThrow(/^No MongoDB was found .*python3/);
  expect(lines).toContainEqual(expect.stringMatching(/^Docker answers but could not start mongo:8: ./));
  expect(lines).toContainEqual(expect.stringMatching(/^MongoDB can't be fetched from its vendor: 127\.0\.0\.1:1 /));
});
