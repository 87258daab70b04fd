import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMailbox, startReaper } from '@storefront/backing';
import { startSingleBacking } from './backing.ts';
import type { RigBacking } from './backing.ts';
import { startClusteredBacking } from './cluster.ts';
import { startStack } from './stack.ts';
import type { StartedStack } from './stack.ts';

/** The whole system in processes of its own, and all that it stands on in the rig's hands. */
export interface System {
  readonly backing: RigBacking;
  readonly stack: StartedStack;
  /** The mailbox's API. */
  readonly mailbox: string;
  readonly dataDir: string;
  /** Ends everything; `keep` leaves the data folder. */
  close(keep?: boolean): Promise<void>;
}

export async function startSystem(options: {
  gateways: number;
  cluster: boolean;
  say: (line: string) => void;
}): Promise<System> {
  const { say } = options;
  const dataDir = await mkdtemp(join(tmpdir(), 'storefront-faults-'));
  const reaper = startReaper();
  const closers: (() => Promise<unknown>)[] = [() => reaper.close()];
  const close = async (keep = false) => {
    for (const each of closers.splice(0).toReversed()) await each().catch((error: unknown) => say(String(error)));
    if (!keep) await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const stackDir = join(dataDir, 'stack');
    await mkdir(stackDir);
    const mailbox = await startMailbox({ capacity: 200_000 });
    closers.push(() => mailbox.close());
    say(options.cluster ? 'Starting three MongoDB and three RabbitMQ …' : 'Starting MongoDB and RabbitMQ …');
    const startBacking = options.cluster ? startClusteredBacking : startSingleBacking;
    const backing = await startBacking({ dataDir, reaper, say });
    closers.push(() => backing.close());
    say('Starting the system …');
    const stack = await startStack({
      dataDir: stackDir,
      gateways: options.gateways,
      mongodbUrl: backing.told.mongodb,
      amqpUrl: backing.told.amqp,
      smtpUrl: mailbox.url,
      reaper,
    });
    closers.push(() => stack.stop());
    return { backing, stack, mailbox: mailbox.page, dataDir, close };
  } catch (error) {
    await close();
    throw error;
  }
}
