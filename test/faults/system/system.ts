import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMailbox, startReaper } from '@storefront/backing';
import { startSingleBacking } from './backing.ts';
import type { RigBacking } from './backing.ts';
import { startClusteredBacking } from './cluster.ts';
import { startStackUnderTest } from './stack-under-test.ts';
import type { StackUnderTest } from './stack-under-test.ts';

/** The whole system in processes of its own, with servers that belong to the rig. */
export interface SystemUnderTest {
  readonly backing: RigBacking;
  readonly stack: StackUnderTest;
  /** The address of the mailbox's API. */
  readonly mailbox: string;
  readonly dataDir: string;
  /** Stops everything. `keepData` keeps the data folder. */
  close(keepData?: boolean): Promise<void>;
}

export async function startSystem(options: {
  gateways: number;
  cluster: boolean;
  say: (line: string) => void;
}): Promise<SystemUnderTest> {
  const { say } = options;
  const dataDir = await mkdtemp(join(tmpdir(), 'storefront-faults-'));
  const resources = new AsyncDisposableStack();
  const close = async (keepData = false) => {
    await resources.disposeAsync().catch((error: unknown) => say(String(error)));
    if (!keepData) await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const reaper = startReaper();
    resources.defer(() => reaper.close());
    const stackDir = join(dataDir, 'stack');
    await mkdir(stackDir);
    const mailbox = await startMailbox({ capacity: 200_000 });
    resources.defer(() => mailbox.close());
    say(options.cluster ? 'Starting three MongoDB and three RabbitMQ …' : 'Starting MongoDB and RabbitMQ …');
    const startBacking = options.cluster ? startClusteredBacking : startSingleBacking;
    const backing = await startBacking({ dataDir, reaper, say });
    resources.defer(() => backing.close());
    say('Starting the system …');
    const stack = await startStackUnderTest({
      dataDir: stackDir,
      gateways: options.gateways,
      mongodbUrl: backing.forSystem.mongodb,
      amqpUrl: backing.forSystem.amqp,
      smtpUrl: mailbox.url,
      reaper,
    });
    resources.defer(async () => void (await stack.stop()));
    return { backing, stack, mailbox: mailbox.page, dataDir, close };
  } catch (error) {
    await close();
    throw error;
  }
}
