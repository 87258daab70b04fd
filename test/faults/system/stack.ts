import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Reaper } from '@storefront/backing';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The system under test as it says of itself, started by its own command. */
export interface StartedStack {
  readonly gateways: readonly string[];
  readonly admin: { readonly email: string; readonly password: string };
  /** The process of each part as it is now; one that is down is absent. */
  processes(): Readonly<Record<string, number>>;
  /** Ends it in order; answers its exit code, or the signal that ended it. */
  stop(): Promise<number | string>;
}

export interface StackOptions {
  readonly dataDir: string;
  readonly gateways: number;
  readonly mongodbUrl: string;
  readonly amqpUrl: string;
  readonly smtpUrl: string;
  readonly reaper: Reaper;
}

export async function startStack(options: StackOptions): Promise<StartedStack> {
  const { dataDir, reaper } = options;
  const child = spawn(
    process.execPath,
    ['bootstrap.mjs', 'stack/src/main.ts', '--separate', '--json', '--empty', '--gateways', String(options.gateways)],
    {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        PORT: '0',
        MAILBOX_PORT: '0',
        RATE_LIMITS: 'off',
        DATA_DIR: dataDir,
        MONGODB_URL: options.mongodbUrl,
        AMQP_URL: options.amqpUrl,
        SMTP_URL: options.smtpUrl,
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
  const said = JSON.parse(line) as { gateways: string[]; accounts: { admin: StartedStack['admin'] } };

  return {
    gateways: said.gateways,
    admin: said.accounts.admin,
    processes: () => JSON.parse(readFileSync(join(dataDir, 'processes.json'), 'utf8')) as Record<string, number>,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      return exited;
    },
  };
}
