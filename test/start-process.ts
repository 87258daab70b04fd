import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { eventually } from '@storefront/testing';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The line that `--json` prints. */
export interface Description {
  readonly gateways: string[];
  readonly mailbox: string | null;
  readonly docs: string;
  readonly storefront: string | null;
  readonly payments: { demo: { secret: string; url: string } };
  readonly accounts: Record<string, { email: string; password: string }>;
  readonly backing: { mongodb: string; broker: string; mail: string };
  readonly processes?: Record<string, number>;
}

export interface Started {
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  /** Waits for the line that says that all is ready. */
  ready(): Promise<Description>;
  kill(signal: NodeJS.Signals): void;
  /** Settles with the exit code, or with the signal that ended it. */
  readonly exited: Promise<number | NodeJS.Signals | null>;
}

/** What `npm start -- …args` runs, as a process of its own. */
export function start(args: readonly string[], env: Record<string, string>): Started {
  const { AMQP_URL: _amqp, MONGODB_URL: _mongodb, SMTP_URL: _smtp, ...inherited } = process.env;
  const child = spawn('node', ['bootstrap.mjs', 'stack/src/main.ts', ...args], {
    cwd: root,
    env: { ...inherited, NODE_ENV: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  let over = false;
  const exited = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('exit', (code, signal) => {
      over = true;
      resolve(code ?? signal);
    });
  });
  return {
    pid: child.pid ?? 0,
    stdout: () => stdout,
    stderr: () => stderr,
    async ready() {
      await eventually(() => over || stdout.includes('\n'), 'the line of JSON', 600_000);
      if (!stdout.includes('\n')) throw new Error(`the start ended instead:\n${stderr}`);
      return JSON.parse(stdout) as Description;
    },
    kill: (signal) => void child.kill(signal),
    exited,
  };
}

/** A process that lives, named for good by its pid and the time it began. */
export interface Process {
  readonly pid: number;
  readonly began: string;
  readonly parent: number;
  readonly command: string;
}

/** The process and all that it started, at any depth. Only on Linux. */
export function familyOf(pid: number): Process[] {
  const all = readdirSync('/proc').flatMap((entry) => (/^\d+$/.test(entry) ? (readProcess(Number(entry)) ?? []) : []));
  const family = new Set([pid]);
  for (let size = 0; size !== family.size;) {
    size = family.size;
    for (const process of all) if (family.has(process.parent)) family.add(process.pid);
  }
  return all.filter((process) => family.has(process.pid));
}

/** Those of the processes that still live. */
export function alive(processes: readonly Process[]): Process[] {
  return processes.filter(({ pid, began }) => readProcess(pid)?.began === began);
}

function readProcess(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in brackets and may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z') return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return { pid, began: fields[19] ?? '', parent: Number(fields[1]), command };
  } catch {
    return undefined;
  }
}
