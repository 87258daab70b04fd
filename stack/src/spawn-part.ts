import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Reaper } from '@storefront/backing';
import { StackError } from './error.ts';
import type { Part } from './plan.ts';
import type { StartedProcess } from './supervise.ts';

// A service closes within ten seconds or not at all.
const graceMs = 12_000;

/** Starts one part as a process of its own; resolves when it listens. Its log goes on in `logFile`. */
export async function spawnPart(part: Part, logFile: string, reaper: Reaper): Promise<StartedProcess> {
  const log = openSync(logFile, 'a');
  const child = spawn(
    process.execPath,
    [...process.execArgv, mainOf(part.service.name)],
    // A group of its own: Ctrl-C in the terminal must not reach it, since all is stopped in order.
    { env: part.env, detached: true, stdio: ['ignore', log, log, 'ipc'] },
  );
  closeSync(log);
  const { pid } = child;
  if (pid === undefined) throw await new Promise<Error>((resolve) => child.once('error', resolve));
  reaper.watch(pid);

  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      reaper.forget(pid);
      resolve(signal ?? `exit code ${code}`);
    });
  });
  // A message to a process that has just died is nobody's error.
  child.on('error', () => undefined);
  const listening = new Promise<'listening'>((resolve) => {
    child.once('message', () => resolve('listening'));
  });
  const first = await Promise.race([listening, ended]);
  if (first !== 'listening')
    throw new StackError(
      `${part.name} could not start (${first}). Its log, ${logFile}, ends with:\n${lastLines(logFile)}`,
    );

  return {
    pid,
    ended,
    async stop() {
      const timer = new AbortController();
      child.kill('SIGTERM');
      // One that was halted hears nothing before it goes on.
      child.kill('SIGCONT');
      const late = wait(graceMs, 'late', { signal: timer.signal }).catch(() => 'in time');
      if ((await Promise.race([ended, late])) === 'late') child.kill('SIGKILL');
      timer.abort();
      await ended;
    },
  };
}

function mainOf(service: string): string {
  const front = import.meta.resolve(`@storefront/${service}`);
  return fileURLToPath(new URL(front.endsWith('.ts') ? './main.ts' : './main.js', front));
}

function lastLines(logFile: string): string {
  const text = readFileSync(logFile, 'utf8').trimEnd();
  return text === '' ? 'it said nothing' : text.split('\n').slice(-8).join('\n');
}
