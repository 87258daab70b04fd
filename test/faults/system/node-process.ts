import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Reaper } from '@storefront/backing';

/** One member of a cluster: a process that can be killed and started again. */
export interface NodeProcess {
  readonly pid: number;
  /** Stops it where it still runs, and starts it again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const graceMs = 15_000;

/** Starts a program in a process group of its own; `isReady` is waited for at every start. */
export async function startNode(options: {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly logFile: string;
  readonly reaper: Reaper;
  readonly isReady: () => Promise<unknown>;
}): Promise<NodeProcess> {
  const { command, args, env, logFile, reaper } = options;

  async function start() {
    const log = openSync(logFile, 'a');
    const child = spawn(command, args, { env, detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    await once(child, 'spawn');
    const pid = child.pid as number;
    reaper.watch(pid);
    const ended = once(child, 'exit').then(() => reaper.forget(pid));
    const failed = ended.then(() => Promise.reject(new Error(`${command} ended; its log is ${logFile}`)));
    await Promise.race([options.isReady(), failed]);
    failed.catch(() => undefined);
    return { child, pid, ended };
  }

  let current = await start();
  async function stop(): Promise<void> {
    const { child, ended } = current;
    child.kill('SIGTERM');
    child.kill('SIGCONT');
    const timer = new AbortController();
    const late = wait(graceMs, 'late', { signal: timer.signal }).catch(() => 'in time');
    if ((await Promise.race([ended, late])) === 'late') child.kill('SIGKILL');
    timer.abort();
    await ended;
  }
  return {
    get pid() {
      return current.pid;
    },
    stop,
    async restart() {
      await stop();
      current = await start();
    },
  };
}
