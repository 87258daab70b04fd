import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBacking } from '@storefront/backing';
import type { TestProject } from 'vitest/node';

/** One real MongoDB and one real RabbitMQ for the whole run; each test file has a database and a virtual host of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'storefront-test-'));
  const backing = await startBacking({
    env: process.env,
    dataDir,
    bus: 'rabbitmq',
    rabbitmqManagement: true,
    say: (line) => process.stderr.write(`${line}\n`),
  });
  project.provide('mongodbUrl', backing.mongodb.url);
  project.provide('amqpUrl', backing.broker.url ?? '');
  project.provide('rabbitmqManagementUrl', backing.broker.managementUrl ?? '');
  return async () => {
    await backing.close();
    await rm(dataDir, { recursive: true, force: true });
  };
}
