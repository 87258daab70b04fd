import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Reaper } from './reaper.ts';

export interface ManagedProcess {
  readonly pid: number;
  /**
   * Resolves when the process has ended, to its exit code or signal, such as "exit code 1" or "SIGKILL". Never rejects.
   */
  readonly ended: Promise<string>;
  /** Resolves to the first IPC message of the process. Without `ipc` it never resolves. */
  readonly firstMessage: Promise<unknown>;
  readonly running: boolean;
  /**
   * Sends SIGTERM. After `graceMs` (10 s by default) it sends SIGKILL to the whole process group. Resolves when the
   * process has ended. May be called several times.
   */
  stop(graceMs?: number): Promise<void>;
}

export interface ManagedProcessOptions {
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** The file for standard output and standard error. */
  logFile: string;
  /** Whether to append to the log. By default each start empties the log, so that it does not grow without limit. */
  appendLog?: boolean;
  /**
   * Whether this process writes the log, and drops the lines that find the disk full. By default the program writes to the file
   * itself. Erlang's programs wait until a line is written; on a full disk they would wait for ever.
   */
  logMayLose?: boolean;
  /** Whether to open an IPC channel to the process. */
  ipc?: boolean;
  reaper: Reaper;
  /** Called when the process ends without a call of `stop`. */
  onUnexpectedEnd?: (how: string) => void;
}

/**
 * Runs a program in its own process group, so that Ctrl-C in the terminal does not reach it and `stop` can end it
 * properly. Throws if the program can't be started.
 */
export async function startProcess(options: ManagedProcessOptions): Promise<ManagedProcess> {
  const log = openSync(options.logFile, options.appendLog ? 'a' : 'w');
  const output = options.logMayLose ? 'pipe' : log;
  const child = spawn(options.command, options.args, {
    cwd: options.cwd,
    env: options.env,
    detached: true,
    stdio: ['ignore', output, output, ...(options.ipc ? ['ipc' as const] : [])],
  });
  const { pid } = child;
  if (options.logMayLose && pid !== undefined) passOn(child, log);
  else closeSync(log);
  if (pid === undefined) {
    throw await new Promise<Error>((resolve) => {
      child.once('error', resolve);
    });
  }
  // Later errors, such as a failed signal or message, come only from a process that has just ended.
  child.on('error', () => undefined);
  options.reaper.watch(pid);
  let stopping = false;
  let running = true;
  const ended = new Promise<string>((resolve) => {
    child.once('exit', () => {
      running = false;
      // Ends the child processes of the process too, because none of them is useful alone.
      killGroup(pid, 'SIGKILL');
      options.reaper.forget(pid);
    });
    // All of its output is in the log by then.
    child.once('close', (code, signal) => {
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

/** Writes what the process says to the open file, and closes that at its end. What can't be written is lost. */
function passOn(child: ChildProcess, log: number): void {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  for (const stream of streams)
    stream.on('data', (chunk: Buffer) => {
      try {
        writeSync(log, chunk);
      } catch {
        // The disk is full.
      }
    });
  // A process that has left the group may keep the other end open.
  child.once('exit', () => setTimeout(() => streams.forEach((stream) => stream.destroy()), 1_000).unref());
  child.once('close', () => closeSync(log));
}

/**
 * Waits for `check`, and aborts its signal after `withinMs` milliseconds. If the process ends first or is not ready in
 * time, it is stopped and the reason is thrown.
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

/** Returns the last lines of a log, for a message about a program that did not start. */
export function lastLines(logFile: string, count: number): string {
  const text = readFileSync(logFile, 'utf8').trimEnd();
  return text === '' ? '(it said nothing)' : text.split('\n').slice(-count).join('\n');
}

function killGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch {
    // The group has no processes any more.
  }
}
