import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Reaper } from './reaper.ts';

export interface ManagedProcess {
  readonly pid: number;
  /** Settles with words such as "exit code 1" or "SIGKILL" when the process has ended; never rejects. */
  readonly ended: Promise<string>;
  readonly running: boolean;
  /** SIGTERM, after `graceMs` SIGKILL to all of its group. Resolves when it has ended; any number of calls. */
  stop(graceMs?: number): Promise<void>;
}

export interface ManagedProcessOptions {
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Takes standard output and error; begun anew at each start so that it doesn't grow for ever. */
  logFile: string;
  reaper: Reaper;
  /** Called when the process ends though nobody called `stop`. */
  onUnexpectedEnd?: (how: string) => void;
}

/**
 * Runs a program in a process group of its own: Ctrl-C in the terminal must not reach it, since it is stopped in order.
 * Throws when the program can't be started at all.
 */
export async function startProcess(options: ManagedProcessOptions): Promise<ManagedProcess> {
  const log = openSync(options.logFile, 'w');
  const child = spawn(options.command, options.args, {
    cwd: options.cwd,
    env: options.env,
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const { pid } = child;
  if (pid === undefined) {
    throw await new Promise<Error>((resolve) => {
      child.once('error', resolve);
    });
  }
  options.reaper.watch(pid);
  let stopping = false;
  let running = true;
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      running = false;
      // What it started itself goes with it: nothing in the group has a purpose of its own.
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
    get running() {
      return running;
    },
    async stop(graceMs = 10_000) {
      stopping = true;
      if (running) child.kill('SIGTERM');
      const timer = new AbortController();
      const late = wait(graceMs, 'late' as const, { signal: timer.signal }).catch(() => 'in time' as const);
      if ((await Promise.race([ended, late])) === 'late') killGroup(pid, 'SIGKILL');
      timer.abort();
      await ended;
    },
  };
}

/**
 * Waits for `check`, which gives up when its signal is aborted. When the process ends first, or is not ready within
 * `withinMs`, it is stopped and the reason thrown.
 */
export async function whenReady<Answer>(
  started: ManagedProcess,
  withinMs: number,
  check: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(new Error(`not ready within ${withinMs / 1000} s`)), withinMs);
  const failed = started.ended.then((how) => {
    throw new Error(`ended with ${how}`);
  });
  try {
    return await Promise.race([check(giveUp.signal), failed]);
  } catch (error) {
    giveUp.abort();
    await started.stop(1_000);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** The last lines of a log, for a message that tells why a program did not start. */
export function lastLines(logFile: string, count = 5): string {
  const text = readFileSync(logFile, 'utf8').trimEnd();
  return text === '' ? '(it said nothing)' : text.split('\n').slice(-count).join('\n');
}

function killGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch {
    // Nobody is left in the group.
  }
}
