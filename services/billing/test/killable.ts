import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findMongod, startMongod } from '@storefront/backing';
import { eventually, type ServiceProcess } from '@storefront/testing';
import { startBilling, type Harness } from './harness.ts';

/** Billing with a database that can be killed. Once `separate` was called its instances are processes that can be killed too. */
export interface KillableBilling {
  readonly billing: Harness;
  /** Ends the instances of the test's own process, and starts two that are processes of their own. */
  readonly separate: () => Promise<void>;
  /** The addresses of the instances; of one that was killed the former one, until another one runs in its place. */
  readonly urls: () => readonly string[];
  /** Ends an instance by SIGKILL. Does not wait for the one that is started in its place. */
  readonly killInstance: (index: number) => void;
  /** Ends the database by SIGKILL. Does not wait for its start on the same data. */
  readonly killDatabase: () => void;
  /** Resolves once everything runs that was killed. */
  readonly allRun: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const startWithinMs = 240_000;

/** Starts a MongoDB for this test alone, and billing on it. */
export async function startKillableBilling(): Promise<KillableBilling> {
  await using opening = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'killable-'));
  opening.defer(() => rm(folder, { recursive: true }));
  const mongod = await startMongod({ binary: await findMongod(() => undefined), dataDir: folder });
  opening.defer(() => mongod.close());
  const billing = await startBilling({ mongodbUrl: mongod.url, bus: 'rabbitmq' });
  opening.defer(() => billing.close());

  const running: ServiceProcess[] = [];
  const starts: Promise<unknown>[] = [];
  // It may end before it listens where the database is away just then.
  const startInstance = (index: number) =>
    eventually(async () => (running[index] = await billing.process()), 'an instance to start', startWithinMs);
  const allRun = async () => void (await Promise.all(starts));
  opening.defer(async () => void (await Promise.allSettled(starts)));

  const opened = opening.move();
  return {
    billing,
    async separate() {
      await billing.stop();
      await Promise.all([startInstance(0), startInstance(1)]);
    },
    urls: () => running.map(({ url }) => url),
    killInstance(index) {
      running[index]?.kill('SIGKILL');
      starts.push(startInstance(index));
    },
    killDatabase() {
      process.kill(mongod.pid, 'SIGKILL');
      starts.push(mongod.restart());
    },
    allRun,
    close: () => opened.disposeAsync(),
  };
}
