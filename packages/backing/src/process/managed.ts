import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Reaper } from './reaper.ts';

export interface ManagedProcess {
  readonly pid: number;
  /**
   * Resolves to the exit code or signal, such as "exit code 1" or "SIGKILL", when the process has ended. Never rejects.
   */
  readonly ended: Promise<string>;
  /** Resolves to the first IPC message of the process; never without `ipc`. */
  readonly firstMessage: Promise<unknown>;
  readonly running: boolean;
  /**
   * Sends SIGTERM, and SIGKILL to the whole group after `graceMs` (10 s by default). Resolves when the process has
   * ended. May be called several times.
   */
  stop(graceMs?: number): Promise<void>;
}

export interface ManagedProcessOptions {
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Receives standard output and standard error. */
  logFile: string;
  /** Appends to the log. By default each start empties it, so that it does not grow without limit. */
  appendLog?: boolean;
  /** Opens an IPC channel to the process. */
  ipc?: boolean;
  reaper: Reaper;
  /** Called when the process ends without `stop`. */
  onUnexpectedEnd?: (how: string) => void;
}

/**
 * Runs a program in a process group of its own, so that Ctrl-C in the terminal does not reach it: it is stopped in
 * order. Throws if the program can't be started at all.
 */
export async function startProcess(options: ManagedProcessOptions): Promise<ManagedProcess> {
  const log = openSync(options.logFile, options.appendLog ? 'a' : 'w');
  const child = spawn(options.command, options.args, {
    cwd: options.cwd,
    env: options.env,
    detached: true,
    stdio: ['ignore', log, log, ...(options.ipc ? ['ipc' as const] : [])],
  });
  closeSync(log);
  const { pid } = child;
  if (pid === undefined) {
    throw await new Promise<Error>((resolve) => {
      child.once('error', resolve);
    });
  }
  // Later errors, such as a failed signal or message, are those of a process that has just ended.
  child.on('error', () => undefined);
  options.reaper.watch(pid);
  let stopping = false;
  let running = true;
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      running = false;
      // Ends its own child processes too: none of them is useful alone.
      killGroup(pid, 'SIGKILL');
      options.reaper.forget(pid);
      const how = signal ?? `exit code ${code}`;
      resolve(how);
      if (!stopping) options.onUnexpectedEnd?.(how);
    });
  });
  return {
    pid,
    ended,
    firstMessage: new Promise((resolve) => {
      child.once('message', resolve);
    }),
    get running() {
      return running;
    },
    async stop(graceMs = 10_000) {
      stopping = true;
      if (running) {
        child.kill('SIGTERM');
        // A paused process (SIGSTOP) handles SIGTERM only after this.
        child.kill('SIGCONT');
      }
      const timer = new AbortController();
      const late = wait(graceMs, 'late' as const, { signal: timer.signal }).catch(() => 'in time' as const);
      if ((await Promise.race([ended, late])) === 'late') killGroup(pid, 'SIGKILL');
      timer.abort();
      await ended;
    },
  };
}

/**
 * Waits for `check`, whose signal is aborted when the time is up. If the process ends first, or is not ready within
 * `withinMs`, it is stopped and the reason is thrown.
 */
export async function whenReady<Result>(
  started: ManagedProcess,
  withinMs: number,
  check: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const timeLimit = new AbortController();
  const timer = setTimeout(() => timeLimit.abort(new Error(`not ready within ${withinMs / 1000} s`)), withinMs);
  const failed = started.ended.then((how) => {
    throw new Error(`ended with ${how}`);
  });
  try {
    return await Promise.race([check(timeLimit.signal), failed]);
  } catch (error) {
    timeLimit.abort();
    await started.stop(1_000);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** The last lines of a log, for a message about a program that did not start. */
export function lastLines(logFile: string, count: number): string {
  const text = readFileSync(logFile, 'utf8').trimEnd();
  return text === '' ? '(it said nothing)' : text.split('\n').slice(-count).join('\n');
}

function killGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch {
    // The group has no members any more.
  }
}
