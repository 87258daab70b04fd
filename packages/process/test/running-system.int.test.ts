import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withRunningSystem } from '@storefront/process';
import { expect, it, onTestFinished } from 'vitest';

it('a command takes what is not set from the system that runs on its data folder', async () => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'storefront-running-'));
  onTestFinished(() => rm(DATA_DIR, { recursive: true }));
  const own = { DATA_DIR, AMQP_URL: 'amqp://own', API_URL: '' };
  expect(withRunningSystem(own)).toEqual({ DATA_DIR, AMQP_URL: 'amqp://own' });
  const running = { AMQP_URL: 'amqp://running', API_URL: 'http://running' };
  await writeFile(join(DATA_DIR, 'running.json'), JSON.stringify(running));
  expect(withRunningSystem(own)).toEqual({ DATA_DIR, AMQP_URL: 'amqp://own', API_URL: 'http://running' });
});
