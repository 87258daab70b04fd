import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { tellCommands } from './running.ts';

it('what commands need is in a file of the owner alone, while the system runs', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'storefront-running-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const resources = new AsyncDisposableStack();
  await tellCommands({ API_URL: 'http://127.0.0.1:1', AMQP_URL: undefined }, dataDir, resources);
  const file = join(dataDir, 'running.json');
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ API_URL: 'http://127.0.0.1:1' });
  expect((await stat(file)).mode & 0o077).toBe(0);
  await resources.disposeAsync();
  expect(await readdir(dataDir)).toEqual([]);
});
