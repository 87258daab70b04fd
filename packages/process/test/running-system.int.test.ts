import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, loadCommandConfig, type RunningSystem } from '@storefront/process';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

const schema = z.object({
  AMQP_URL: z.string(),
  API_URL: z.string(),
  MONGODB_URL: z.string(),
  CURRENCY: z.string().default('EUR'),
});

const variables = { AMQP_URL: 'amqp://running', API_URL: 'http://running' };
const databases = { catalog: 'mongodb://running/shop_catalog', all: 'mongodb://running/shop_' };

async function dataDirOf(running: RunningSystem): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'storefront-running-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  await writeFile(join(dataDir, 'running.json'), JSON.stringify(running));
  return dataDir;
}

it('a command takes what is not set from the system that runs on its data folder', async () => {
  const DATA_DIR = await dataDirOf({ pid: process.pid, variables, databases });
  expect(loadCommandConfig(schema, 'catalog', { DATA_DIR, AMQP_URL: 'amqp://own', API_URL: '' })).toEqual({
    AMQP_URL: 'amqp://own',
    API_URL: 'http://running',
    MONGODB_URL: 'mongodb://running/shop_catalog',
    CURRENCY: 'EUR',
  });
  expect(loadCommandConfig(schema, 'all', { DATA_DIR }).MONGODB_URL).toBe('mongodb://running/shop_');
});

it('a command for which no system runs says so, and which variables it lacks', async () => {
  // No process has this id: it is more than the largest one.
  const DATA_DIR = await dataDirOf({ pid: 2 ** 30, variables, databases });
  const missing = 'The configuration is not valid:\n  MONGODB_URL: is required';
  expect(() => loadCommandConfig(schema, 'catalog', { DATA_DIR, ...variables })).toThrow(
    new ConfigError(`no running system found in ${DATA_DIR}; set DATA_DIR\n${missing}`),
  );
  const own = { DATA_DIR, ...variables, MONGODB_URL: 'mongodb://own/catalog' };
  expect(loadCommandConfig(schema, 'catalog', own)).toMatchObject(variables);
  const number = schema.extend({ CURRENCY: z.number() });
  expect(() => loadCommandConfig(number, 'catalog', { ...own, CURRENCY: 'x' })).toThrow(/^The configuration is not/);
});
