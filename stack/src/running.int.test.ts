import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runningSystem, tellCommands } from './running.ts';
import { services } from './services.ts';

it('what commands need is in a file of the owner alone, while the system runs', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'storefront-running-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const resources = new AsyncDisposableStack();
  const instances = services.map((service) => ({
    service,
    env: { MONGODB_URL: `mongodb://db/shop_${service.name}`, CURRENCY: 'JPY', ADMIN_PASSWORD: 'secret' },
  }));
  const system = {
    api: 'http://127.0.0.1:1',
    mongodbUrl: 'mongodb://db/?tls=true',
    databasePrefix: 'shop_',
    brokerUrl: 'amqp://bus',
  };
  await tellCommands(runningSystem(instances, system), dataDir, resources);
  const file = join(dataDir, 'running.json');
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
    pid: process.pid,
    variables: { API_URL: 'http://127.0.0.1:1', AMQP_URL: 'amqp://bus', CURRENCY: 'JPY' },
    databases: {
      ...Object.fromEntries(services.map(({ name }) => [name, `mongodb://db/shop_${name}`])),
      all: 'mongodb://db/shop_?tls=true',
    },
  });
  expect((await stat(file)).mode & 0o077).toBe(0);
  await resources.disposeAsync();
  expect(await readdir(dataDir)).toEqual([]);
});
