import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createInternalTokenIssuer, type InternalKeyPair, type InternalTokenIssuer } from '@storefront/access-token';

const stackMain = fileURLToPath(new URL('../../../stack/src/main.ts', import.meta.url));
const graceMs = 30_000;
const moreOrdersMs = 120_000;
// One machine sends what many clients do.
const withoutLimits = {
  RATE_LIMITS: 'off',
  TRUST_PROXY: '127.0.0.1',
  ANALYTICS_EVENTS_PER_DAY: '1000000',
  ANALYTICS_TEXTS_PER_DAY: '100000',
};

/** The system as `npm start` runs it, as a process beside the bench. */
export interface StackProcess {
  readonly pid: number;
  /** The prefix of its databases' names. */
  readonly database: string;
  /** Its `DATA_DIR`, by which commands find it. */
  readonly dataDir: string;
  /** Milliseconds from the call until it was ready. */
  readonly startedInMs: number;
  readonly gateways: readonly string[];
  readonly mailbox: string;
  /** The address of the example shop. */
  readonly storefront: string;
  /** The address of the console. */
  readonly console: string;
  readonly accounts: Readonly<Record<'admin' | 'retail' | 'trade', { email: string; password: string }>>;
  /** What signs the callbacks of the demo payment provider. */
  readonly payments: { readonly demo: { readonly secret: string } };
  /** The pids by name; only with `--separate`. */
  readonly processes: Readonly<Record<string, number>>;
  /** The addresses of the services; only with `--separate`. */
  readonly services: Readonly<Record<string, string>>;
  /** Issues internal tokens as its gateways do, for calls that go directly to a service. */
  readonly internalTokens: InternalTokenIssuer;
  /** May be called several times. */
  stop(): Promise<void>;
}

/** Runs `npm start -- --json …args`. Rejects with the end of its log if it does not become ready. */
export async function spawnStack(
  args: readonly string[],
  env: Readonly<Record<string, string>> & { DATA_DIR: string },
): Promise<Omit<StackProcess, 'database'>> {
  const begun = performance.now();
  const child = spawn(process.execPath, [...process.execArgv, stackMain, '--json', ...args], {
    env: { ...process.env, ...withoutLimits, PORT: '0', MAILBOX_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let log = '';
  child.stderr?.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-4000)));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) resolve(text);
    });
    void ended.then(() => reject(new Error(`The stack ended instead of becoming ready:\n${log}`)));
  });
  const startedInMs = performance.now() - begun;
  const { internalKey } = JSON.parse(await readFile(join(env.DATA_DIR, 'secrets.json'), 'utf8')) as {
    internalKey: InternalKeyPair;
  };
  return {
    processes: {},
    services: {},
    ...(JSON.parse(line) as Pick<
      StackProcess,
      'gateways' | 'mailbox' | 'storefront' | 'console' | 'accounts' | 'payments'
    >),
    pid: child.pid ?? 0,
    dataDir: env.DATA_DIR,
    startedInMs,
    internalTokens: createInternalTokenIssuer(internalKey.privateJwk),
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

/**
 * Resolves once the demo shop has the orders that it gets after its start. What is measured before would include this work.
 * Throws after two minutes.
 */
export async function moreOrdersAreMade(dataDir: string): Promise<void> {
  const deadline = performance.now() + moreOrdersMs;
  // `npm start` writes this file afterwards.
  while (!existsSync(join(dataDir, 'demo-orders.json'))) {
    if (performance.now() > deadline) throw new Error('the demo shop did not get its further orders in time');
    await wait(200);
  }
}
