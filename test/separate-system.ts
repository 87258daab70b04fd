import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningSystem } from '@storefront/process';
import { freshDatabase, freshVhost } from '@storefront/testing';
import { patient } from './patient.ts';
import { start, type Description } from './start-process.ts';

/** The whole system with every part in a process of its own, which are watched over and started again. */
export interface SeparateSystem {
  readonly dataDir: string;
  readonly gateways: readonly [string, string];
  readonly mailbox: string;
  /** The server, with the prefix of all names of databases as its path. */
  readonly mongodbUrl: string;
  /** The pids of services, gateways and own servers as they are now; what is down is absent. */
  processes(): Record<string, number>;
  /** The pid of one of them. Throws where it is down. */
  pidOf(name: string): number;
  /** The file that `processes` is read from. */
  readonly processesFile: string;
  /** The line that it printed when all was ready. */
  readonly description: Description;
  /** Its own pid, that of all others' parent. */
  readonly pid: number;
  /** What the one that watches over them has said. */
  said(): string;
  /** Signals it to end; its exit code, or the signal that ended it. What it leaves behind stays until `close`. */
  end(): Promise<number | NodeJS.Signals | null>;
  close(): Promise<void>;
}

interface SeparateOptions {
  /** Whether it starts MongoDB and RabbitMQ of its own; otherwise it has a database and a virtual host on those of the run. */
  readonly ownServers?: boolean;
  /** Where its data folder is made. */
  readonly folder?: string;
}

/** Starts it with two gateways and without limits, unless `env` says otherwise. */
export async function startSeparateSystem(
  label: string,
  env: Record<string, string> = {},
  { ownServers = false, folder = tmpdir() }: SeparateOptions = {},
): Promise<SeparateSystem> {
  const dataDir = await mkdtemp(join(folder, `storefront-${label}-`));
  const vhost = ownServers ? undefined : await freshVhost(label);
  const started = start(['--json', '--separate', '--empty', '--gateways', '2'], {
    PORT: '0',
    MAILBOX_PORT: '0',
    PAYMENTS_PORT: '0',
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    ...patient,
    ...(vhost && { MONGODB_URL: freshDatabase(label).url, AMQP_URL: vhost.url }),
    ...env,
  });
  const processesFile = join(dataDir, 'processes.json');
  const processes = () => JSON.parse(readFileSync(processesFile, 'utf8')) as Record<string, number>;
  const end = () => {
    started.kill('SIGTERM');
    return started.exited;
  };
  const close = async () => {
    await end();
    await vhost?.drop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  };
  try {
    const description = await started.ready();
    const running = JSON.parse(readFileSync(join(dataDir, 'running.json'), 'utf8')) as RunningSystem;
    return {
      dataDir,
      gateways: description.gateways as [string, string],
      mailbox: description.mailbox ?? '',
      mongodbUrl: running.databases['all'] ?? '',
      processes,
      pidOf(name) {
        const pid = processes()[name];
        // 0 would be all processes of this test.
        if (!pid) throw new Error(`${name} is not running`);
        return pid;
      },
      processesFile,
      description,
      pid: started.pid,
      said: () => started.stderr(),
      end,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
