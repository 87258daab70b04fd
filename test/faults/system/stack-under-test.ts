import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Reaper } from '@storefront/backing';

const presentRoot = fileURLToPath(new URL('../../..', import.meta.url));

/** The system, started by its own command. */
export interface StackUnderTest {
  readonly gateways: readonly string[];
  readonly admin: { readonly email: string; readonly password: string };
  /** The demo payment provider: where its pages are, and what signs its callbacks and is the token of its API. */
  readonly payments: { readonly url: string; readonly secret: string };
  /** The current pid of each process. A process that does not run is absent. */
  processes(): Readonly<Record<string, number>>;
  /** Stops it. Returns its exit code, or the signal that ended it. */
  stop(): Promise<number | string>;
}

export interface StackUnderTestOptions {
  /** The folder of the checkout whose system is started; that of the rig by default. */
  readonly root?: string | undefined;
  readonly dataDir: string;
  readonly gateways: number;
  readonly instances: number;
  /** The addresses of the servers, and what else single instances get. */
  readonly env: Readonly<Record<string, string>>;
  readonly reaper: Reaper;
}

/** Starts the system with every instance in a process of its own. Throws with the end of its log if that fails. */
export async function startStackUnderTest(options: StackUnderTestOptions): Promise<StackUnderTest> {
  const { dataDir, reaper } = options;
  const gateways = ['--gateways', String(options.gateways)];
  const instances = ['--instances', String(options.instances)];
  const child = spawn(
    process.execPath,
    ['bootstrap.mjs', 'stack/src/main.ts', '--separate', '--json', '--empty', ...gateways, ...instances],
    {
      cwd: options.root ?? presentRoot,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        PORT: '0',
        MAILBOX_PORT: '0',
        PAYMENTS_PORT: '0',
        RATE_LIMITS: 'off',
        ANALYTICS_TEXTS_PER_DAY: '100000',
        // Virtual users name the network that they order from: each has few unpaid orders.
        TRUST_PROXY: '127.0.0.1',
        DATA_DIR: dataDir,
        ...options.env,
      },
    },
  );
  const logFile = join(dataDir, 'stack.log');
  child.stderr.pipe(createWriteStream(logFile));
  if (child.pid !== undefined) reaper.watch(child.pid);
  const exited = once(child, 'exit').then(([code, signal]) => (signal ?? code) as number | string);

  const line = await Promise.race([
    once(createInterface(child.stdout), 'line').then(([text]) => String(text)),
    exited.then((how) => {
      throw new Error(`The system did not start (${how}):\n${readFileSync(logFile, 'utf8').slice(-4000)}`);
    }),
  ]);
  const description = JSON.parse(line) as {
    gateways: string[];
    accounts: { admin: StackUnderTest['admin'] };
    payments: { demo: StackUnderTest['payments'] };
  };

  return {
    gateways: description.gateways,
    admin: description.accounts.admin,
    payments: description.payments.demo,
    processes: () => JSON.parse(readFileSync(join(dataDir, 'processes.json'), 'utf8')) as Record<string, number>,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      return exited;
    },
  };
}
