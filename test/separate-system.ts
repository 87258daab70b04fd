import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshDatabase, freshVhost } from '@storefront/testing';
import { patient } from './patient.ts';
import { start, type Description } from './start-process.ts';

/** The whole system with every part in a process of its own, which are watched over and started again. */
export interface SeparateSystem {
  readonly gateways: readonly [string, string];
  readonly mailbox: string;
  /** The server, with the prefix of all names of databases as its path. */
  readonly mongodbUrl: string;
  /** The services and gateways as they are now; one that is down is absent. */
  processes(): Record<string, number>;
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

/** Starts it with two gateways, without limits, on a database and a virtual host of its own unless `env` says otherwise. */
export async function startSeparateSystem(label: string, env: Record<string, string> = {}): Promise<SeparateSystem> {
  const dataDir = await mkdtemp(join(tmpdir(), `storefront-${label}-`));
  const mongodbUrl = env.MONGODB_URL ?? freshDatabase(label).url;
  const vhost = env.AMQP_URL ? undefined : await freshVhost(label);
  const started = start(['--json', '--separate', '--empty', '--gateways', '2'], {
    PORT: '0',
    MAILBOX_PORT: '0',
    PAYMENTS_PORT: '0',
    DATA_DIR: dataDir,
    MONGODB_URL: mongodbUrl,
    RATE_LIMITS: 'off',
    ...patient,
    ...(vhost && { AMQP_URL: vhost.url }),
    ...env,
  });
  const processesFile = join(dataDir, 'processes.json');
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
    return {
      gateways: description.gateways as [string, string],
      mailbox: description.mailbox ?? '',
      mongodbUrl,
      processes: () => JSON.parse(readFileSync(processesFile, 'utf8')) as Record<string, number>,
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
