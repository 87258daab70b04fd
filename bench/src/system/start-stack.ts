import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createInternalTokenIssuer } from '@storefront/access-token';
import type { InternalKeyPair, InternalTokenIssuer } from '@storefront/access-token';

const stackMain = fileURLToPath(new URL('../../../stack/src/main.ts', import.meta.url));
const graceMs = 30_000;

/** The system as `npm start` runs it, in processes of its own. */
export interface RunningStack {
  readonly pid: number;
  /** What the names of its databases begin with. */
  readonly database: string;
  /** From the call until it said that all is ready. */
  readonly startedInMs: number;
  readonly gateways: readonly string[];
  readonly mailbox: string;
  readonly accounts: Readonly<Record<'admin' | 'retail', { email: string; password: string }>>;
  /** With `--separate`: which process is which, and where the services listen. */
  readonly processes: Readonly<Record<string, number>>;
  readonly services: Readonly<Record<string, string>>;
  /** Vouches for callers as its gateways do, for calls that go around them. */
  readonly internalTokens: InternalTokenIssuer;
  stop(): Promise<void>;
}

/** Runs `npm start -- --json …args`; rejects with the end of its log where it does not become ready. */
export async function startStack(
  args: readonly string[],
  env: Readonly<Record<string, string>> & { DATA_DIR: string },
): Promise<Omit<RunningStack, 'database'>> {
  const begun = performance.now();
  const child = spawn(process.execPath, [...process.execArgv, stackMain, '--json', ...args], {
    env: { ...process.env, RATE_LIMITS: 'off', PORT: '0', MAILBOX_PORT: '0', ...env },
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
    ...(JSON.parse(line) as Pick<RunningStack, 'gateways' | 'mailbox' | 'accounts'>),
    pid: child.pid ?? 0,
    startedInMs,
    internalTokens: createInternalTokenIssuer(internalKey.privateJwk),
    async stop() {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), graceMs);
      await ended;
      clearTimeout(late);
    },
  };
}
