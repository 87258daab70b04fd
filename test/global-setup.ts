import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBacking, type Backing } from '@storefront/backing';
import type { TestProject } from 'vitest/node';

/** The servers of a run, and how many projects of `vitest.config.ts` have not ended yet. */
interface Shared {
  readonly started: Promise<{ backing: Backing; dataDir: string }>;
  projects: number;
}

// Each project loads this file for itself: the global object is what they have in common.
const run = globalThis as { storefrontTestServers?: Shared | undefined };

async function start() {
  const dataDir = await mkdtemp(join(tmpdir(), 'storefront-test-'));
  const backing = await startBacking({
    env: process.env,
    dataDir,
    bus: 'rabbitmq',
    rabbitmqManagement: true,
    say: (line) => process.stderr.write(`${line}\n`),
  });
  return { backing, dataDir };
}

/** One real MongoDB and one real RabbitMQ for the whole run; each test file has a database and a virtual host of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = (run.storefrontTestServers ??= { started: start(), projects: 0 });
  shared.projects += 1;
  const { backing, dataDir } = await shared.started;
  project.provide('mongodbUrl', backing.mongodb.url);
  project.provide('amqpUrl', backing.broker.url ?? '');
  project.provide('rabbitmqManagementUrl', backing.broker.managementUrl ?? '');
  return async () => {
    shared.projects -= 1;
    if (shared.projects > 0) return;
    run.storefrontTestServers = undefined;
    await backing.close();
    await rm(dataDir, { recursive: true, force: true });
  };
}
